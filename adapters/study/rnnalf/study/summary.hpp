#pragma once

#include <string>
#include <vector>

#include "rnnalf/report/plain_table.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// What the rows of one group have in common.
struct StudySummary {
  std::string group = {};
  std::size_t runs = 0;
  std::size_t ended = 0;   ///< by themselves, not by a limit
  std::size_t solved = 0;  ///< as is_solved says
  /// Stands by a result (stands_by_result) that a known word refutes.
  std::size_t missed = 0;
  /// Results that rows of other groups missed and that no word but those found here refutes.
  std::size_t alone = 0;
  std::size_t errors = 0;  ///< runs that found a word on which the network is not as its target
  std::size_t without_result = 0;
  double agreement = 0;        ///< mean over the runs with a result, on the measured uniform words
  double states = 0;           ///< median
  double counterexamples = 0;  ///< median
  double steps_solved = 0;     ///< median over what was solved; 0: nothing was
};

/// One for each group, in order of appearance.
[[nodiscard]] std::vector<StudySummary> summarised(const std::vector<StudyRow>& rows, By by);
/// As a table, with what the columns mean.
[[nodiscard]] PlainTable summary_table(const std::vector<StudySummary>& summaries, By by);

/// Who finds what others miss.
struct RefutationMatrix {
  std::vector<std::string> groups = {};  ///< in order of appearance
  std::vector<std::size_t> missed = {};  ///< by each of them
  std::vector<std::size_t> words = {};   ///< that each of them found
  /// refuted[f][m]: of what group m missed, how much words that group f found refute.
  std::vector<std::vector<std::size_t>> refuted = {};
};

[[nodiscard]] RefutationMatrix refutation_matrix(const std::vector<StudyRow>& rows, By by);
/// A row for each group that found words, a column for each that missed something.
[[nodiscard]] PlainTable matrix_table(const RefutationMatrix& matrix, By by);

/// The table that a study asks for, of these rows; only for those that are no list of extractions.
[[nodiscard]] PlainTable study_table(const TableSpec& table, const std::vector<StudyRow>& rows);

}  // namespace rnnalf
