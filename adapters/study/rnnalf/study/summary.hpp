#pragma once

#include <string>
#include <vector>

#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// What the rows of one group have in common.
struct StudySummary {
  std::string group = {};
  std::size_t runs = 0;
  std::size_t solved = 0;  ///< as is_solved says
  /// Solved by no other group on the same network, with the same rest and seed.
  std::size_t alone = 0;
  /// Ended because no oracle found a counterexample although the result is wrong: it is not the
  /// target, or the network contradicts it on a measured word.
  std::size_t missed = 0;
  std::size_t without_result = 0;
  double agreement = 0;        ///< mean over the runs with a result, on the measured uniform words
  double states = 0;           ///< median
  double counterexamples = 0;  ///< median
  double steps_solved = 0;     ///< median over what was solved; 0: nothing was
};

/// One for each group, in order of appearance.
[[nodiscard]] std::vector<StudySummary> summarised(const std::vector<StudyRow>& rows, By by);

/// As a table with what the columns mean below it.
[[nodiscard]] std::string summary_text(const std::vector<StudySummary>& summaries, By by);

}  // namespace rnnalf
