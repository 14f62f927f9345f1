#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/study/results.hpp"

namespace rnnalf {

struct StudyRunOptions {
  std::string program = {};   ///< the file of this program: jobs are `PROGRAM study job ...`
  std::size_t processes = 1;  ///< at once, on this machine
  bool slurm = false;         ///< jobs are submitted instead
  bool again = false;         ///< rows without a result are run again
  /// Commands of a study that came in a bundle may be run: those of [train], and sbatch with the
  /// options of [slurm].
  bool allow_commands = false;
  std::chrono::duration<double> poll{2};  ///< between two questions to Slurm
};

/// How far a run has come, to be shown.
struct StudyProgress {
  StudyJob::Kind kind = StudyJob::Kind::Extract;  ///< all networks are trained before extractions
  std::size_t total = 0;
  std::size_t done = 0;            ///< rows, those without a result included
  std::size_t without_result = 0;  ///< of those that ended in this run
  std::size_t running = 0;         ///< or waiting in Slurm's queue
  double seconds = 0;              ///< since this run began
  std::optional<double> seconds_left = {};
};

class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  virtual void planned(const StudyProgress& /*before*/) {}
  virtual void progress(const StudyProgress& /*progress*/) {}
  /// Something that users should know, once; a line.
  virtual void note(const std::string& /*text*/) {}
};

struct StudyRunEnd {
  StudyJob::Kind kind = StudyJob::Kind::Extract;  ///< of what is counted: it may end in training
  std::size_t total = 0;
  std::size_t done = 0;
  std::size_t without_result = 0;

  [[nodiscard]] bool complete() const { return done == total; }
};

/// The use case: trains the networks that are missing, then runs every extraction that has no row
/// yet, one process each. Continues where an earlier run ended, however that ended. What is done is
/// on the disk; when the budget ends, jobs under way are ended and begun again by the next run.
/// (Those that were submitted to Slurm stay there, and their rows are found by the next run.)
///
/// One at a time for each folder of results: throws FileError when another one is at work, when a
/// row cannot be written (nothing that was done is lost), when the study came in a bundle and has
/// commands that were not allowed, and for what plan_study finds. Notes name every command of
/// [train] before the first one is started.
[[nodiscard]] StudyRunEnd run_study(const Study& study, const StudyResults& results,
                                    const StudyRunOptions& options, const Budget& budget,
                                    StudyObserver& observer);

// ---------------------------------------------------------------- the two ways to run jobs

/// Jobs of a plan that have to be run.
struct PendingJobs {
  const Study& study;  // all outlive this
  const StudyResults& results;
  std::string plan;
  const std::vector<StudyJob>& jobs;  ///< all of the plan
  std::vector<std::size_t> pending;   ///< positions among them
};

/// Counts what is done and tells the observer.
class StudyCounter {
 public:
  StudyCounter(const StudyProgress& before, StudyObserver& observer);
  void ended(bool has_result);
  void show(std::size_t running);

 private:
  StudyProgress progress_;
  std::size_t done_before_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  StudyObserver& observer_;  // outlives this
};

/// Each returns when all have ended or the budget has.
void run_on_this_machine(const PendingJobs& jobs, const StudyRunOptions& options,
                         const Budget& budget, StudyCounter& counter);
void run_with_slurm(const PendingJobs& jobs, const StudyRunOptions& options, const Budget& budget,
                    StudyCounter& counter, StudyObserver& observer);

/// How often a job is begun that ends without a row and without a reason of its own, such as with
/// its node. After that its row says so.
inline constexpr std::size_t kMostAttempts = 5;

}  // namespace rnnalf
