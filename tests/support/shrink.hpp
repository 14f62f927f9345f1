#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/network/spec.hpp"

// A random world on which a law fails is full of things that do not matter. Before it is printed,
// it is made as small as it can be while the law still fails.
namespace rnnalf::support {

/// Takes a world, or does not.
template <class World>
using Offer = std::function<bool(World)>;

// Offer worlds that are one step smaller, the boldest steps first, until one is taken, and say
// whether one was. Every chain of such worlds ends.
bool smaller(const std::vector<Word>& words,
             const Offer<std::vector<Word>>& offer);  // fewer, shorter, lower
bool smaller(const Dfa& dfa,
             const Offer<Dfa>& offer);  // fewer states, then fewer that accept, more self loops
bool smaller(const NetworkSpec& spec,
             const Offer<NetworkSpec>& offer);  // more numbers that are zero
bool smaller(const std::string& text, const Offer<std::string>& offer);  // without a piece

std::string shown(const std::vector<Word>& words);
std::string shown(const Dfa& dfa);
std::string shown(const NetworkSpec& spec);
std::string shown(const std::string& text);

/// Two things of one world: a step in either.
template <class A, class B, class OfferPair>
bool smaller(const std::pair<A, B>& world, const OfferPair& offer) {
  return smaller(world.first, [&](A a) { return offer(std::pair(std::move(a), world.second)); }) ||
         smaller(world.second, [&](B b) { return offer(std::pair(world.first, std::move(b))); });
}

template <class A, class B>
std::string shown(const std::pair<A, B>& world) {
  return shown(world.first) + shown(world.second);
}

/// A world on which `fails` holds and on no world that is one step smaller, or what was found of it
/// after many tries: worlds may be large, and laws slow.
template <class World, class Fails>
World shrink(World world, const Fails& fails) {
  constexpr std::size_t kMostTries = 20'000;
  std::size_t tries = 0;
  std::optional<World> less;
  do {
    less.reset();
    smaller(world, [&](World candidate) {
      if (++tries > kMostTries) return true;
      if (!fails(candidate)) return false;
      less = std::move(candidate);
      return true;
    });
    if (less) world = std::move(*less);
  } while (less);
  return world;
}

/// Checks law(world), which says what is wrong, or nothing. If it fails, what is printed is the
/// smallest world on which it does. Laws are asked about worlds other than the one that was drawn:
/// of those that they do not speak about, nothing is wrong.
template <class World, class Law>
void check_law(const World& world, const Law& law) {
  const auto wrong_with = [&](const World& candidate) -> std::string {
    try {
      return law(candidate);
    } catch (const std::exception& error) {
      return std::string("thrown: ") + error.what();
    }
  };
  const std::string wrong = wrong_with(world);
  if (wrong.empty()) return;
  const World least =
      shrink(world, [&](const World& candidate) { return !wrong_with(candidate).empty(); });
  BOOST_ERROR(wrong_with(least) + "\non this world, the smallest found:\n" + shown(least) +
              "(at first: " + wrong + ")");
}

}  // namespace rnnalf::support

/// In a law: it is wrong if this does not hold.
#define RNNALF_HOLDS(...)                                                   \
  do {                                                                      \
    if (!(__VA_ARGS__)) return std::string("does not hold: " #__VA_ARGS__); \
  } while (false)
