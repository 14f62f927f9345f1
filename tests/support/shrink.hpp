#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/network/spec.hpp"

// A random world on which a law fails is full of things that do not matter. Before it is printed,
// it is made as small as it can be while the law still fails.
namespace rnnalf::support {

/// Worlds that are one step smaller, the boldest steps first. Every chain of them ends.
std::vector<std::vector<Word>> smaller(const std::vector<Word>& words);  // fewer, shorter, lower
std::vector<Dfa> smaller(const Dfa& dfa);  // fewer states, then fewer that accept, more self loops
std::vector<NetworkSpec> smaller(const NetworkSpec& spec);  // more numbers that are zero

std::string shown(const std::vector<Word>& words);
std::string shown(const Dfa& dfa);
std::string shown(const NetworkSpec& spec);

/// A world on which `fails` holds and on no world that is one step smaller.
template <class World, class Fails>
World shrink(World world, const Fails& fails) {
  while (true) {
    bool found = false;
    for (World& candidate : smaller(world)) {
      if (!fails(candidate)) continue;
      world = std::move(candidate);
      found = true;
      break;
    }
    if (!found) return world;
  }
}

/// Checks law(world), which says what is wrong, or nothing. If it fails, what is printed is the
/// smallest world on which it does.
template <class World, class Law>
void check_law(const World& world, const Law& law) {
  const std::string wrong = law(world);
  if (wrong.empty()) return;
  const World least =
      shrink(world, [&](const World& candidate) { return !law(candidate).empty(); });
  BOOST_ERROR(law(least) + "\non this world, the smallest found:\n" + shown(least) +
              "(at first: " + wrong + ")");
}

}  // namespace rnnalf::support
