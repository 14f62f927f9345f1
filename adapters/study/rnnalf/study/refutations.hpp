#pragma once

#include <cstddef>
#include <vector>

#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// Whether the run ended by itself and stands by its result: no oracle found anything, or a
/// baseline was complete. A run that settled knows words that its result gets wrong.
[[nodiscard]] bool stands_by_result(const ComparisonCell& cell);

/// What other extractions know about a result: a counterexample that one run found may refute the
/// result of another one, whose oracles never met such a word.
struct Refutation {
  std::vector<std::size_t> by = {};  ///< rows that found a word on which the result is wrong
  bool measured = false;             ///< the network contradicts the result on a measured word

  [[nodiscard]] bool known() const { return measured || !by.empty(); }
};

/// For each row, by all of these rows. Words are compared between rows of the same network, read
/// with the same options; a row without a result, or without the automaton itself, has none.
[[nodiscard]] std::vector<Refutation> refutations(const std::vector<StudyRow>& rows);

}  // namespace rnnalf
