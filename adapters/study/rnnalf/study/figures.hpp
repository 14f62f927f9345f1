#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rnnalf/study/chart.hpp"
#include "rnnalf/study/refutations.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// How legends name the group of each row. A way is named by what differs between them, of learner,
/// oracle and method; a chain of oracles without the `samples,` that all begin with; baselines,
/// which have neither learner nor oracle, by their method.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<StudyRow>& rows, By by);

/// Whether an extraction is a success: the result is the target; where none is known, the run
/// settled, or ended by itself with a result that no known word refutes.
[[nodiscard]] bool is_solved(const ComparisonCell& cell, const Refutation& refutation);

/// Where rows came from, in sentences: study, program and commit, machines, options. No date: the
/// same rows give the same text.
[[nodiscard]] std::vector<std::string> provenance(const Study& study,
                                                  const std::vector<StudyRow>& rows);

/// The charts of a figure of points and lines with their names: one, or one for each network.
/// Throws OptionError when a scatter plot names a way that no row has.
[[nodiscard]] std::vector<std::pair<std::string, Chart>> charts_of(
    const Study& study, const FigureSpec& figure, const std::vector<StudyRow>& rows);

/// Any figure with its name, as gnuplot draws it: its charts, or which group refutes what another
/// group missed.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> scripts_of(
    const Study& study, const FigureSpec& figure, const std::vector<StudyRow>& rows);

/// Those of the study, or the usual ones where it asks for none.
[[nodiscard]] std::vector<FigureSpec> figures_of(const Study& study);

}  // namespace rnnalf
