#pragma once

#include "rnnalf/report/plain_table.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// The first `most` counterexamples of every extraction, with what the search for each took.
[[nodiscard]] PlainTable words_table(const std::vector<StudyRow>& rows, std::size_t most);

}  // namespace rnnalf
