#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/random.hpp"

namespace rnnalf {

/// Draws words of one length among those that an automaton gives one answer: uniformly among the
/// words, or among the paths of states that they take.
///
/// Uniform words say little about languages such as balanced parentheses, where nearly all of them
/// are rejected; words drawn from both sides of a hypothesis do. By words, 26 letters that change
/// nothing drown two parentheses; by paths, what changes the state counts as much as what does not.
/// Built for all lengths up to a maximum at the cost of states * symbols * length. Immutable.
class LanguageSampler {
 public:
  enum class Uniform : std::uint8_t { Words, Paths };

  LanguageSampler(const Dfa& dfa, std::size_t max_length, Uniform uniform = Uniform::Words);

  /// A word of that length (at most max_length) with this answer; none when there is none.
  [[nodiscard]] std::optional<Word> draw(std::size_t length, Answer answer, Random& random) const;

 private:
  /// The symbols between two states; a step of a path.
  struct Edge {
    LState to{};
    std::vector<Symbol> symbols;
  };
  [[nodiscard]] long double weight(const Edge& edge, std::size_t left, Answer answer) const;

  LState initial_;
  Uniform uniform_;
  std::vector<std::vector<Edge>> edges_;  // by state
  // By answer, empty where no state gives it: number of words or paths of each length, from each
  // state, that end with it; scaled by a factor per length and answer, since only ratios matter.
  // Long double, so that ratios of 28^-length do not vanish before length 3000.
  std::vector<std::vector<std::vector<long double>>> count_;
};

/// A word of that length, every symbol drawn uniformly.
[[nodiscard]] Word uniform_word(std::size_t symbols, std::size_t length, Random& random);

/// The word after one random edit: a symbol replaced, inserted or removed, two symbols swapped,
/// or a short part repeated.
[[nodiscard]] Word edited(Word word, std::size_t symbols, Random& random);

}  // namespace rnnalf
