#pragma once

#include "rnnalf/report/plain_table.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// The first `most` counterexamples of every extraction, with what the search for each took.
[[nodiscard]] PlainTable words_table(const std::vector<StudyRow>& rows, std::size_t most);

/// A row for each group, a column for each network whose errors some row found: the length of the
/// shortest word on which the group found network and target to differ.
[[nodiscard]] PlainTable errors_table(const std::vector<StudyRow>& rows, By by);

}  // namespace rnnalf
