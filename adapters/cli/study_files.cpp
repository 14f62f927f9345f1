#include "study_files.hpp"

#include <fmt/format.h>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf::cli {

void declare_study(CommandLine& line, StudyArguments& arguments) {
  line.operand("FILE", arguments.file);
  line.option("results", "FOLDER",
              "where rows are kept (default: NAME.results next to the study file)",
              arguments.results);
}

StudyResults results_of(const StudyArguments& arguments) {
  if (arguments.results) return StudyResults(std::filesystem::absolute(*arguments.results));
  return StudyResults(results_folder(arguments.file));
}

OpenStudy open_planned(const StudyArguments& arguments) {
  Study study = read_study(arguments.file);
  StudyPlan plan = plan_study(study);
  StudyResults results = results_of(arguments);
  auto rows = rows_of(plan, results);
  return {std::move(study), std::move(plan), std::move(results), std::move(rows)};
}

OpenStudy open_study(const StudyArguments& arguments) {
  OpenStudy open = open_planned(arguments);
  if (open.plan.trainings.empty()) return open;
  throw FileError(trained_network(open.study, open.plan.trainings.front().name).string(),
                  fmt::format("expected a trained network, found none; rnnalf study run {} "
                              "trains it",
                              arguments.file));
}

OpenStudy open_study_with_rows(const StudyArguments& arguments) {
  OpenStudy open = open_study(arguments);
  if (!open.rows.empty()) return open;
  const std::size_t others = other_rows(open.plan, open.results);
  throw FileError(
      open.results.folder().string(),
      fmt::format("expected rows of this study, found {}; rnnalf study run {} makes them",
                  others == 0 ? "none"
                              : fmt::format("{} of other options, files or programs",
                                            counted(others, "row", "rows")),
                  arguments.file));
}

std::vector<StudyRow> rows_of_experiment(const OpenStudy& open, const std::string& experiment) {
  std::vector<StudyRow> rows;
  for (const auto& [number, row] : open.rows) {
    if (experiment.empty() || open.study.experiments[number].name == experiment) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace rnnalf::cli
