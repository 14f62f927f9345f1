#include "rnnalf/study/run_study.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/study/bundle.hpp"
#include "rnnalf/study/job.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

/// One run at a time in a folder of results. The system gives the lock back when the process ends,
/// however it ends.
class RunLock {
 public:
  explicit RunLock(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path file = folder / "lock";
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw FileError(file.string(), fmt::format("cannot write: {}", std::strerror(errno)));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    const int reason = errno;
    ::close(descriptor_);
    throw FileError(folder.string(),
                    reason == EWOULDBLOCK
                        ? "expected no other run of this study at work, found one"
                        : fmt::format("cannot be locked: {}", std::strerror(reason)));
  }
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock() { ::close(descriptor_); }

 private:
  int descriptor_;
};

/// Whether the process can still write; one that ended but that nobody has asked about cannot.
bool is_alive(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  if (!std::getline(file, line)) return false;  // it ended meanwhile
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || line.substr(name_end + 1, 2) != " Z";
}

/// Files that processes of this machine were writing when they were killed: `.NAME-HOST-PID-N`.
void remove_leftovers(const fs::path& folder) {
  const std::string host = fmt::format("-{}-", this_host());
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::size_t at = name.rfind(host);
    if (!name.starts_with('.') || at == std::string::npos) continue;
    const auto process = static_cast<pid_t>(std::atol(name.c_str() + at + host.size()));
    if (process <= 0 || !is_alive(process)) fs::remove_all(entry.path(), error);
  }
}

/// Cleans up before a run and after it: a process that was killed just before may end late, held up
/// by the disk.
class Leftovers {
 public:
  explicit Leftovers(fs::path folder) : folder_(std::move(folder)) { remove(); }
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;
  ~Leftovers() { remove(); }

 private:
  void remove() const {
    for (const char* const part : {"rows", "slurm"}) remove_leftovers(folder_ / part);
  }

  fs::path folder_;
};

/// Positions of the jobs that are to be run, each key once. Damaged rows are removed.
std::vector<std::size_t> pending_jobs(const Study& study, const StudyResults& results,
                                      const std::vector<StudyJob>& jobs, bool again,
                                      StudyObserver& observer) {
  std::vector<std::size_t> pending;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const StudyJob& job = jobs[i];
    if (!seen.insert(job.key).second) continue;
    if (job.kind == StudyJob::Kind::Train) {
      results.remove(job.key);  // of an attempt that failed: there is no network
    } else if (fs::exists(results.row_file(job.key))) {
      try {
        const auto row = results.row(job.key);
        if (again && !row->cell.has_result()) results.remove(job.key);
      } catch (const DamagedRow&) {
        observer.note(fmt::format("{}: a damaged row is not used; its job is run again",
                                  results.row_file(job.key).string()));
        results.remove(job.key);
      }
    }
    if (!is_done(study, results, job)) pending.push_back(i);
  }
  return pending;
}

/// `before`: how many of the same kind are done and are not among these jobs.
void run_jobs(const Study& study, const StudyResults& results, const std::vector<StudyJob>& jobs,
              std::size_t before, const StudyRunOptions& options, const Budget& budget,
              StudyObserver& observer) {
  PendingJobs work{study, results, "", jobs,
                   pending_jobs(study, results, jobs, options.again, observer)};
  std::set<std::string> distinct;
  for (const StudyJob& job : jobs) distinct.insert(job.key);
  StudyProgress progress;
  if (!jobs.empty()) progress.kind = jobs.front().kind;
  progress.total = before + distinct.size();
  progress.done = progress.total - work.pending.size();
  observer.planned(progress);
  if (work.pending.empty()) return;
  work.plan = results.add_plan(study, jobs);
  StudyCounter counter(progress, observer);
  if (options.slurm) {
    run_with_slurm(work, options, budget, counter, observer);
  } else {
    run_on_this_machine(work, options, budget, counter);
  }
}

void train(const Study& study, const StudyResults& results, const std::vector<StudyJob>& trainings,
           const StudyRunOptions& options, const Budget& budget, StudyObserver& observer) {
  const fs::path folder = trained_network(study, "x").parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  remove_leftovers(folder);
  for (const StudyJob& job : trainings) {
    observer.note(fmt::format("[train] runs: {}", shown_training(study, job.name)));
  }
  run_jobs(study, results, trainings, study.training->names.size() - trainings.size(), options,
           budget, observer);
  if (budget.spent()) return;
  for (const StudyJob& job : trainings) {
    if (is_done(study, results, job)) continue;
    const auto row = results.row(job.key);
    throw FileError(results.log_file(job.key).string(),
                    fmt::format("{} was not trained: {}", job.name,
                                row ? row->message : "there is no network"));
  }
}

/// Commands of a bundle are somebody else's: they need a yes.
void refuse_commands_of_bundle(const Study& study, const StudyPlan& plan,
                               const StudyRunOptions& options) {
  const bool trains = !plan.trainings.empty();
  if (!trains && (!options.slurm || study.slurm.options.empty())) return;
  const auto manifest = bundle_manifest(study);
  if (!manifest) return;
  throw FileError(
      study.file,
      fmt::format("the study came in a bundle ({}) and would run {}. If you trust its author, add "
                  "--allow-commands",
                  manifest->string(),
                  trains ? shown_training(study, plan.trainings.front().name)
                         : fmt::format("sbatch {}", fmt::join(study.slurm.options, " "))));
}

}  // namespace

StudyCounter::StudyCounter(const StudyProgress& before, StudyObserver& observer)
    : progress_(before), done_before_(before.done), observer_(observer) {}

void StudyCounter::ended(bool has_result) {
  ++progress_.done;
  progress_.without_result += has_result ? 0 : 1;
}

void StudyCounter::show(std::size_t running) {
  progress_.running = running;
  progress_.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const std::size_t ended = progress_.done - done_before_;
  if (ended > 0) {
    progress_.seconds_left = progress_.seconds / static_cast<double>(ended) *
                             static_cast<double>(progress_.total - progress_.done);
  }
  observer_.progress(progress_);
}

StudyRunEnd run_study(const Study& study, const StudyResults& results,
                      const StudyRunOptions& options, const Budget& budget,
                      StudyObserver& observer) {
  const RunLock lock(results.folder());
  const Leftovers leftovers(results.folder());
  StudyPlan plan = plan_study(study);
  if (!options.allow_commands) refuse_commands_of_bundle(study, plan, options);
  if (!plan.trainings.empty()) {
    train(study, results, plan.trainings, options, budget, observer);
    plan = plan_study(study);
    if (budget.spent()) {
      const std::size_t all = study.training->names.size();
      return {StudyJob::Kind::Train, all, all - plan.trainings.size(), 0};
    }
  }
  for (const std::string& note : plan.notes) observer.note(note);
  // A user who expects it to go on should know why everything is run again.
  const std::size_t others = other_rows(plan, results);
  if (others > 0 && others == results.keys().size()) {
    observer.note(
        fmt::format("{}: {} of other options, files or programs stay there and are not used",
                    results.folder().string(), counted(others, "row", "rows")));
  }
  run_jobs(study, results, plan.jobs, 0, options, budget, observer);

  StudyRunEnd end;
  std::set<std::string> seen;
  for (const StudyJob& job : plan.jobs) {
    if (!seen.insert(job.key).second) continue;
    ++end.total;
    const auto row = results.row(job.key);
    if (!row) continue;
    ++end.done;
    end.without_result += row->cell.has_result() ? 0 : 1;
  }
  return end;
}

}  // namespace rnnalf
