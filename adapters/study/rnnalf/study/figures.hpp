#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rnnalf/plot/chart.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// How legends name the group of each row. A way is named by what differs between them, of learner,
/// oracle and method; baselines, which have neither learner nor oracle, by their method.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<StudyRow>& rows, By by);

/// The rest of what a row is: rows of two groups with the same rest are the same but for the group.
[[nodiscard]] std::string rest_of(const ComparisonCell& cell, By by);

/// Whether an extraction is a success in figures: the result is the target; where none is known, no
/// oracle refutes the result, or nothing that was measured does.
[[nodiscard]] bool is_solved(const ComparisonCell& cell);

/// Where rows came from, in sentences: study, program and commit, machines, options. No date: the
/// same rows give the same text.
[[nodiscard]] std::vector<std::string> provenance(const Study& study,
                                                  const std::vector<StudyRow>& rows);

/// The charts of a figure with their names: one, or one for each network. Throws OptionError when a
/// scatter plot names a way that no row has.
[[nodiscard]] std::vector<std::pair<std::string, Chart>> charts_of(
    const Study& study, const FigureSpec& figure, const std::vector<StudyRow>& rows);

/// Those of the study, or the usual ones where it asks for none.
[[nodiscard]] std::vector<FigureSpec> figures_of(const Study& study);

}  // namespace rnnalf
