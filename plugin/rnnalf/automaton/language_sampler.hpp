#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/random.hpp"

namespace rnnalf {

/// Draws words uniformly among those of one length that an automaton accepts, or rejects.
///
/// Uniform words say little about languages such as balanced parentheses, where nearly all of them
/// are rejected; words drawn from both sides of a hypothesis do. Built for all lengths up to a
/// maximum at the cost of states * symbols * length. Immutable.
class LanguageSampler {
 public:
  LanguageSampler(const Dfa& dfa, std::size_t max_length);

  /// A word of that length (at most max_length) that the automaton answers with `accepted`; none
  /// when there is none.
  [[nodiscard]] std::optional<Word> draw(std::size_t length, bool accepted, Random& random) const;

 private:
  [[nodiscard]] long double weight(std::size_t length, LState state, bool accepted) const;

  Dfa dfa_;
  // Share of the words of each length, from each state, that are accepted [0] or rejected [1];
  // scaled by a factor per length and side, since only ratios matter. Long double, so that ratios
  // of 28^-length do not vanish before length 3000.
  std::vector<std::vector<long double>> share_[2];
};

/// A word of that length, every symbol drawn uniformly.
[[nodiscard]] Word uniform_word(std::size_t symbols, std::size_t length, Random& random);

/// The word after one random edit: a symbol replaced, inserted or removed, two symbols swapped,
/// or a short part repeated.
[[nodiscard]] Word edited(Word word, std::size_t symbols, Random& random);

}  // namespace rnnalf
