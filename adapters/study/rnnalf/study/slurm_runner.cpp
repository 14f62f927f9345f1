#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/study/job.hpp"
#include "rnnalf/study/process.hpp"
#include "rnnalf/study/run_study.hpp"

// Jobs as tasks of Slurm's job arrays.
//
// What was submitted is known from files that are written before sbatch is called: an array's name
// is in the queue or it is not, so that a driver that was killed at any point neither forgets an
// array nor submits its tasks again. A task is over when its row is there. One that is neither in
// the queue nor has a row was lost (preempted, cancelled, its node failed) and is submitted again.
// While the controller does not answer, nothing is concluded.

namespace rnnalf {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kPatience{60};         // for one answer of the controller
constexpr Seconds kLongestPause{30};     // between two attempts when it does not answer
constexpr std::size_t kMissedLooks = 2;  // that a task is not in the queue before it is lost
constexpr std::size_t kMostRefusals = 3;
constexpr std::size_t kUsualArraySize = 1001;

ProgramOutput slurm(const std::vector<std::string>& arguments) {
  return run_program(arguments, kPatience);
}

/// The largest array that the cluster takes.
std::size_t largest_array() {
  const ProgramOutput config = slurm({"scontrol", "show", "config"});
  std::istringstream lines(config.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("MaxArraySize")) continue;
    const std::size_t at = line.find("= ");
    std::size_t size = 0;
    if (at != std::string::npos) {
      std::from_chars(line.data() + at + 2, line.data() + line.size(), size);
    }
    if (size > 1) return size;
  }
  return kUsualArraySize;
}

using Keys = std::vector<std::string>;

/// An array of tasks: task t runs the jobs with the keys tasks[t], one after the other.
struct Submission {
  std::string name;
  std::vector<Keys> tasks;

  [[nodiscard]] Keys keys() const {
    Keys all;
    for (const Keys& task : tasks) all.insert(all.end(), task.begin(), task.end());
    return all;
  }
};

class SlurmRunner {
 public:
  SlurmRunner(const PendingJobs& work, const StudyRunOptions& options, const Budget& budget,
              StudyCounter& counter, StudyObserver& observer)
      : work_(work),
        options_(options),
        budget_(budget),
        counter_(counter),
        observer_(observer),
        folder_(work.results.folder() / "slurm"),
        place_(sha256(folder_.string()).substr(0, 8)) {
    for (const std::size_t job : work.pending) open_[work.jobs[job].key].job = job;
    load();
  }

  void run() {
    if (const ProgramOutput version = slurm({"sbatch", "--version"}); !version.succeeded()) {
      throw Error("sbatch: expected Slurm's commands, found: " + version.error);
    }
    Seconds pause = options_.poll;
    while (!open_.empty() && !budget_.spent()) {
      collect();
      const bool answered = look_at_queue() && submit_missing();
      pause = answered ? options_.poll : std::min(2 * pause, kLongestPause);
      counter_.show(queued_);
      if (!open_.empty()) rest(pause);
    }
    if (!open_.empty()) {
      observer_.note(
          "jobs in Slurm's queue go on, and the next run finds their rows; to end them: " +
          cancel_command());
    }
  }

 private:
  /// A job without a row.
  struct Open {
    std::size_t job = 0;       ///< position in the plan
    std::size_t attempts = 0;  ///< submissions that it was in
    std::size_t missed = 0;    ///< looks in a row that did not find it
    bool in_queue = false;     ///< at the last look that was answered, or since then submitted
  };

  // ------------------------------------------------------------ what was submitted

  /// Earlier runs, of an older study file too: their arrays may be in the queue still.
  void load() {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_, none)) {
      if (entry.path().extension() != ".tasks") continue;
      Submission one;
      one.name = entry.path().stem().string();
      const bool arrived = fs::exists(folder_ / (one.name + ".submitted"));
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::istringstream jobs(line);
        Keys& keys = one.tasks.emplace_back();
        std::size_t index = 0;
        for (std::string key; jobs >> index >> key;) keys.push_back(key);
      }
      for (const std::string& key : one.keys()) {
        const auto found = open_.find(key);
        if (found != open_.end() && arrived) ++found->second.attempts;
      }
      submissions_.push_back(std::move(one));
    }
  }

  // ------------------------------------------------------------ what has ended

  void collect() {
    const std::set<std::string> rows = work_.results.keys();
    for (auto it = open_.begin(); it != open_.end();) {
      const StudyJob& job = work_.jobs[it->second.job];
      const bool row = rows.contains(job.key);
      if (!row &&
          !(job.kind == StudyJob::Kind::Train && is_done(work_.study, work_.results, job))) {
        ++it;
        continue;
      }
      const auto found = row ? work_.results.row(job.key) : std::nullopt;
      counter_.ended(!row || (found && found->cell.has_result()));
      it = open_.erase(it);
    }
  }

  // ------------------------------------------------------------ the queue

  /// False: the controller did not answer.
  bool look_at_queue() {
    std::vector<std::string> names;
    for (const Submission& one : submissions_) {
      const Keys keys = one.keys();
      const bool has_open = std::any_of(keys.begin(), keys.end(),
                                        [&](const auto& key) { return open_.contains(key); });
      if (has_open) names.push_back(one.name);
    }
    if (names.empty()) names.emplace_back("rnnalf");  // of none: asked whether somebody answers
    const ProgramOutput queue = slurm({"squeue", "--noheader", "--array", "--format=%j %K",
                                       fmt::format("--name={}", fmt::join(names, ","))});
    if (!queue.succeeded()) {
      complain("squeue", queue);
      return false;
    }
    std::set<std::string> alive;
    std::istringstream lines(queue.out);
    std::string name;
    std::string task;
    while (lines >> name >> task) add_alive(name, task, alive);
    silent_ = false;
    queued_ = 0;
    for (auto& [key, open] : open_) {
      open.in_queue = alive.contains(key);
      open.missed = open.in_queue ? 0 : open.missed + 1;
      queued_ += open.in_queue ? 1 : 0;
    }
    return true;
  }

  void add_alive(const std::string& name, const std::string& task, std::set<std::string>& alive) {
    const auto one = std::find_if(submissions_.begin(), submissions_.end(),
                                  [&](const Submission& s) { return s.name == name; });
    std::size_t number = 0;
    const auto parsed = std::from_chars(task.data(), task.data() + task.size(), number);
    if (one == submissions_.end() || parsed.ec != std::errc()) return;
    if (number < one->tasks.size())
      alive.insert(one->tasks[number].begin(), one->tasks[number].end());
  }

  void complain(const std::string& program, const ProgramOutput& output) {
    if (silent_) return;
    silent_ = true;
    observer_.note(fmt::format("{}: {}; asking again", program, output.error));
  }

  // ------------------------------------------------------------ submitting

  /// Submits what was never submitted and what was lost. False: the controller did not take it.
  bool submit_missing() {
    std::vector<std::size_t> missing;
    std::vector<std::size_t> lost;
    for (const auto& [key, open] : open_) {
      if (open.in_queue) continue;
      // Its row may be on the way from another machine.
      if (open.attempts > 0 && open.missed < kMissedLooks) continue;
      (open.attempts < kMostAttempts ? missing : lost).push_back(open.job);
    }
    std::sort(missing.begin(), missing.end());  // in the order of the plan
    for (const std::size_t job : lost) give_up(job);
    if (missing.empty() || queued_ >= work_.study.slurm.queued) return true;
    missing.resize(std::min<std::size_t>(missing.size(), work_.study.slurm.queued - queued_));
    if (largest_array_ == 0) largest_array_ = largest_array();
    // Tasks of an array have the same limits.
    std::map<std::pair<double, std::uint64_t>, std::vector<std::size_t>> by_limits;
    for (const std::size_t job : missing) {
      by_limits[{work_.jobs[job].time.count(), work_.jobs[job].memory}].push_back(job);
    }
    const std::size_t per_task = work_.study.slurm.per_task;
    const std::size_t most = (largest_array_ - 1) * per_task;
    for (const auto& [limits, jobs] : by_limits) {
      for (std::size_t first = 0; first < jobs.size(); first += most) {
        const auto begin = jobs.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end =
            jobs.begin() + static_cast<std::ptrdiff_t>(std::min(jobs.size(), first + most));
        if (!submit({begin, end}, Seconds(limits.first), limits.second)) return false;
      }
    }
    return true;
  }

  bool submit(const std::vector<std::size_t>& jobs, Seconds time, std::uint64_t memory) {
    const std::size_t per_task = work_.study.slurm.per_task;
    Submission one;
    std::string lines;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const bool first = i % per_task == 0;
      if (first) one.tasks.emplace_back();
      one.tasks.back().push_back(work_.jobs[jobs[i]].key);
      lines += fmt::format("{}{} {}",
                           i == 0  ? ""
                           : first ? "\n"
                                   : " ",
                           jobs[i], one.tasks.back().back());
    }
    lines += "\n";
    time *= static_cast<double>(std::min(per_task, jobs.size()));
    do {  // the first name that no earlier array has
      one.name = fmt::format("rnnalf-{}-{}-{}", work_.plan, place_, next_number_++);
    } while (!write_once(folder_ / (one.name + ".tasks"), lines));
    write_once(folder_ / (one.name + ".sh"), script(one.name));
    std::vector<std::string> arguments = {
        "sbatch", "--parsable", "--job-name=" + one.name, "--requeue", "--open-mode=append",
        fmt::format("--array=0-{}", one.tasks.size() - 1),
        // The job ends itself in its time; this is for when it cannot.
        fmt::format("--time={}", static_cast<std::uint64_t>(std::ceil(time.count() / 60)) + 1),
        fmt::format("--mem={}M", (memory >> 20U) + 64), "--ntasks=1", "--cpus-per-task=1",
        "--chdir=" + work_.results.folder().string(),
        "--output=" + (folder_ / (one.name + ".log")).string()};
    arguments.insert(arguments.end(), work_.study.slurm.options.begin(),
                     work_.study.slurm.options.end());
    arguments.push_back((folder_ / (one.name + ".sh")).string());
    const ProgramOutput output = slurm(arguments);
    // Without an answer it may have arrived or not: the queue will say.
    for (const std::string& key : one.keys()) {
      Open& open = open_[key];
      open.missed = 0;
      open.in_queue = output.succeeded();
      open.attempts += output.succeeded() ? 1 : 0;
    }
    if (output.succeeded()) {
      write_once(folder_ / (one.name + ".submitted"), output.out);
      queued_ += jobs.size();
      refused_ = 0;
    } else {
      // The controller answered a moment ago. While something is in the queue there may be a limit
      // on how much; else it will not take this.
      refused_ = queued_ == 0 ? refused_ + 1 : 0;
      if (refused_ == kMostRefusals) throw Error("sbatch: " + output.error);
      complain("sbatch", output);
    }
    submissions_.push_back(std::move(one));
    return output.succeeded();
  }

  [[nodiscard]] std::string script(const std::string& name) const {
    return fmt::format(
        "#!/bin/sh\n"
        "exec {} study job {} {} --tasks {} \"$SLURM_ARRAY_TASK_ID\"\n",
        shell_quoted(options_.program), shell_quoted(work_.results.folder().string()), work_.plan,
        shell_quoted((folder_ / (name + ".tasks")).string()));
  }

  void give_up(std::size_t index) {
    const StudyJob& job = work_.jobs[index];
    work_.results.add(job.key,
                      row_without_result(job, job.cell, RunVerdict::Lost,
                                         fmt::format("Slurm lost it {} times", kMostAttempts)));
  }

  void rest(Seconds pause) const {
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
    while (Clock::now() < until && !budget_.spent()) {
      std::this_thread::sleep_for(
          std::min<Clock::duration>(until - Clock::now(), std::chrono::milliseconds(100)));
    }
  }

  [[nodiscard]] std::string cancel_command() const {
    std::vector<std::string> names;
    for (const Submission& one : submissions_) names.push_back(one.name);
    return fmt::format("scancel --name={}", fmt::join(names, ","));
  }

  const PendingJobs& work_;
  const StudyRunOptions& options_;
  const Budget& budget_;
  StudyCounter& counter_;
  StudyObserver& observer_;
  const fs::path folder_;
  const std::string place_;           // tells the arrays of one study in two folders apart
  std::map<std::string, Open> open_;  // by key
  std::vector<Submission> submissions_;
  std::size_t next_number_ = 0;
  std::size_t queued_ = 0;
  std::size_t largest_array_ = 0;  // 0: not asked yet
  std::size_t refused_ = 0;        // by sbatch, one after the other
  bool silent_ = false;            // users were told that nobody answers
};

}  // namespace

void run_with_slurm(const PendingJobs& jobs, const StudyRunOptions& options, const Budget& budget,
                    StudyCounter& counter, StudyObserver& observer) {
  SlurmRunner(jobs, options, budget, counter, observer).run();
}

}  // namespace rnnalf
