#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/comparison.hpp"
#include "rnnalf/study/plan.hpp"

namespace rnnalf {

/// A counterexample of a run, as its row keeps it.
struct FoundWord {
  std::string word = {};
  std::string answer = {};                 ///< the network's: accept, reject, or a class
  std::optional<std::string> target = {};  ///< that of the language it was meant to learn
  std::string oracle = {};
  double at_seconds = 0;  ///< since the run began
  double seconds = 0;     ///< that the search for it took

  [[nodiscard]] bool is_error() const { return target && *target != answer; }
};

/// What came out of a job, and where.
struct StudyRow {
  ComparisonCell cell = {};
  std::string commit = {};   ///< of the program; empty: not known
  std::string machine = {};  ///< processor, cores and system
  std::string host = {};
  std::string message = {};  ///< of a job that died: what is known about it
  std::vector<std::pair<double, std::uint64_t>> sizes = {};  ///< hypotheses: seconds, states
  std::vector<FoundWord> counterexamples = {};               ///< the first of them
  std::string dfa = {};  ///< the result as JSON on one line; empty: there is none
};

/// As one line with a checksum in front, and back; none when a byte is not as it was written.
[[nodiscard]] std::string row_line(const StudyRow& row);
[[nodiscard]] std::optional<StudyRow> parse_row(std::string_view line);

/// A row file whose bytes are not those that were written.
class DamagedRow : public FileError {
 public:
  explicit DamagedRow(const std::string& file)
      : FileError(file, "the row is damaged. rnnalf study run computes it again") {}
};

/// The machine this is, for rows.
[[nodiscard]] std::string this_machine();
[[nodiscard]] std::string this_host();

/// The last line of a log; empty when there is none.
[[nodiscard]] std::string last_line(const std::filesystem::path& log);

/// A text as a whole file: written under another name, brought to the disk, then linked to its
/// place. Never half a file there, and the first one stays: false when there was one already.
/// Throws FileError; nothing is left behind then.
bool write_once(const std::filesystem::path& file, std::string_view text);

/// The folder of a study's results. Many processes on many machines may use it at once: what is
/// written appears whole or not at all, and is never changed.
///
/// - rows/KEY.row: one for each finished job
/// - plans/ID/study.toml: a study file as it was planned, so that jobs do not read a changed one
/// - plans/ID/jobs: a line for each job
/// - logs/KEY.log: what jobs wrote to stderr
/// - slurm: what was submitted
class StudyResults {
 public:
  /// Nothing is created before something is written.
  explicit StudyResults(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path row_file(const std::string& key) const;
  [[nodiscard]] std::filesystem::path log_file(const std::string& key) const;

  /// Keys of all rows, finished and died.
  [[nodiscard]] std::set<std::string> keys() const;
  /// None: there is no such row. Throws DamagedRow.
  [[nodiscard]] std::optional<StudyRow> row(const std::string& key) const;
  /// False when there was one already, which stays.
  bool add(const std::string& key, const StudyRow& row) const;
  void remove(const std::string& key) const;

  /// Keeps the jobs and the study file; returns the plan's name, which depends on nothing else.
  [[nodiscard]] std::string add_plan(const Study& study, const std::vector<StudyJob>& jobs) const;
  /// The study as it was planned, and one of its jobs.
  [[nodiscard]] std::pair<Study, StudyJob> planned_job(const std::string& plan,
                                                       std::size_t index) const;

 private:
  std::filesystem::path folder_;
};

/// The folder beside a study file: NAME.toml has NAME.results.
[[nodiscard]] std::filesystem::path results_folder(const std::filesystem::path& study_file);

/// Rows of all jobs that have one, in the order of the plan, each key once for every experiment.
[[nodiscard]] std::vector<std::pair<std::size_t, StudyRow>> rows_of(
    const StudyPlan& plan, const StudyResults& results);  // with the experiment's position

/// Rows in the folder that are not of the plan: of other options, files or programs.
[[nodiscard]] std::size_t other_rows(const StudyPlan& plan, const StudyResults& results);

}  // namespace rnnalf
