#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf::cli {

/// What all commands of studies have in common: the study file and where its results are.
struct StudyArguments {
  std::string file;
  std::optional<std::string> results;
};

void declare_study(CommandLine& line, StudyArguments& arguments);

[[nodiscard]] StudyResults results_of(const StudyArguments& arguments);

/// A study with its plan and all rows there are.
struct OpenStudy {
  Study study;
  StudyPlan plan;
  StudyResults results;
  std::vector<std::pair<std::size_t, StudyRow>> rows;  // as rows_of
};

/// While networks are still to be trained it has trainings and no jobs.
[[nodiscard]] OpenStudy open_planned(const StudyArguments& arguments);
/// The same; throws FileError when networks are still to be trained.
[[nodiscard]] OpenStudy open_study(const StudyArguments& arguments);
/// The same; throws FileError where there is no row, with what is there instead.
[[nodiscard]] OpenStudy open_study_with_rows(const StudyArguments& arguments);

/// The rows of an experiment; all of them when it has no name.
[[nodiscard]] std::vector<StudyRow> rows_of_experiment(const OpenStudy& open,
                                                       const std::string& experiment);

}  // namespace rnnalf::cli
