#pragma once

#include <string>

#include "rnnalf/study/figures.hpp"

namespace rnnalf {

/// A study as one self-contained HTML page: the page of a comparison, with the study's figures, the
/// counterexamples of every row, rows without a result, and where all of it came from.
/// `rows` as rows_of gives them; `command` does it again.
[[nodiscard]] std::string study_html(const Study& study,
                                     const std::vector<std::pair<std::size_t, StudyRow>>& rows,
                                     const std::string& command);

}  // namespace rnnalf
