#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/study/job.hpp"
#include "rnnalf/study/run_study.hpp"
#include "study_files.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

/// The file of this program, as jobs on this and on other machines call it.
std::string own_file() {
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Error("/proc/self/exe: expected the file of this program: " + error.message());
  return file.string();
}

// ---------------------------------------------------------------- run

struct RunArguments {
  StudyArguments study;
  StudyRunOptions options;
  std::uint64_t jobs = 0;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
};

void declare_run(CommandLine& line, RunArguments& arguments) {
  line.describe(
      "Runs every extraction of a study that has no row yet, one process each. What is done is on "
      "the disk: after Ctrl-C, a crash or a power failure the same command continues. A job that "
      "dies or runs out of memory becomes a row that says so. Results of programs that compute "
      "other bits are not mixed. Exit code 0: every job has a row; 130: interrupted.",
      "  rnnalf study run examples/studies/tomita.toml\n"
      "  rnnalf study run big.toml --slurm --results /shared/big.results\n");
  declare_study(line, arguments.study);
  line.option("jobs", "N", "processes at once; 0: one per core", Count{.most = 4096},
              arguments.jobs);
  line.flag("slurm", "submit the jobs to Slurm (sbatch), collect their rows as they come",
            arguments.options.slurm);
  line.option("poll", "D", "time between two questions to Slurm", Seconds{},
              arguments.options.poll);
  line.flag("again", "run jobs without a result (died, out of memory) again",
            arguments.options.again);
  line.flag("allow-commands",
            "run the commands of a study that came in a bundle: [train], and sbatch with the "
            "options of [slurm]",
            arguments.options.allow_commands);
  add_progress_options(
      line,
      {"auto: a live line on a terminal; plain: a line from time to time; none", "no progress"},
      arguments.progress, arguments.quiet);
}

/// Progress on stderr: a live line on a terminal, else lines at longer and longer intervals.
class StudyWatcher : public StudyObserver {
 public:
  explicit StudyWatcher(ProgressMode mode)
      : silent_(mode == ProgressMode::None), live_(mode == ProgressMode::Auto && is_terminal(2)) {}
  StudyWatcher(const StudyWatcher&) = delete;
  StudyWatcher& operator=(const StudyWatcher&) = delete;
  ~StudyWatcher() override { clear(); }

  void planned(const StudyProgress& before) override {
    if (silent_) return;
    clear();
    next_ = kFirst;
    const bool trains = before.kind == StudyJob::Kind::Train;
    say(fmt::format("rnnalf: {} of {} {}, {} to {}\n", before.done, before.total,
                    trains ? "networks are trained" : "jobs are done", before.total - before.done,
                    trains ? "train" : "run"));
  }

  void progress(const StudyProgress& now) override {
    if (silent_ || (now.seconds < next_ && now.done < now.total)) return;
    if (!live_ && now.done == now.total && now.seconds < kFirst) return;  // the summary is enough
    std::string text =
        fmt::format("{} of {} {}, {} under way", now.done, now.total,
                    now.kind == StudyJob::Kind::Train ? "trained" : "done", now.running);
    if (now.without_result > 0) text += fmt::format(", {} without a result", now.without_result);
    if (now.seconds_left && now.done < now.total) {
      text += fmt::format(", about {} left", format_seconds(*now.seconds_left));
    }
    if (live_) {
      say_live(text);
      shown_ = true;
      next_ = now.seconds + 0.1;
    } else {
      say("rnnalf: " + text + "\n");
      next_ = std::max(kFirst, now.seconds) * 2;
      next_ = std::min(next_, now.seconds + 300);
    }
  }

  void note(const std::string& text) override {
    clear();
    say("rnnalf: " + text + "\n");
  }

 private:
  static constexpr double kFirst = 2;

  void clear() {
    if (shown_) say_live("");
    shown_ = false;
  }

  bool silent_;
  bool live_;
  bool shown_ = false;
  double next_ = kFirst;
};

Exit run_run(const RunArguments& arguments) {
  const Study study = read_study(arguments.study.file);
  StudyRunOptions options = arguments.options;
  options.program = own_file();
  options.processes =
      arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  Budget budget;
  const InterruptOnSignal on_signal(budget);
  StudyRunEnd end;
  {
    StudyWatcher watcher(arguments.progress);
    end = run_study(study, results_of(arguments.study), options, budget, watcher);
  }
  if (!end.complete()) {
    say(fmt::format("rnnalf study run: interrupted; {} of {} {}; the same command continues\n",
                    end.done, end.total,
                    end.kind == StudyJob::Kind::Train ? "networks are trained" : "jobs are done"));
    return Exit::Interrupted;
  }
  print(fmt::format("{} done{}\n", counted(end.total, "job", "jobs"),
                    end.without_result > 0
                        ? fmt::format(", {} of them without a result (rnnalf study "
                                      "status says why)",
                                      end.without_result)
                        : ""));
  return Exit::Done;
}

// ---------------------------------------------------------------- job

struct JobArguments {
  std::string folder, plan, number;
  std::optional<std::string> tasks;
};

void declare_job(CommandLine& line, JobArguments& arguments) {
  line.describe(
      "Runs one job of a planned study and waits for it; rnnalf study run starts these. FOLDER has "
      "the results, PLAN is the name of a folder in FOLDER/plans, and N a position in that plan; "
      "with --tasks a line of that file, whose jobs are run one by one.",
      "  rnnalf study job tomita.results \"$(ls tomita.results/plans)\" 3\n");
  line.operand("FOLDER", arguments.folder);
  line.operand("PLAN", arguments.plan);
  line.operand("N", arguments.number);
  line.option("tasks", "FILE", "lines of positions in the plan, each with its key",
              arguments.tasks);
}

/// Line `number` of the file: a position in the plan and its key, for each job.
std::vector<std::uint64_t> positions_in(const std::string& file, std::uint64_t number) {
  std::ifstream lines(file);
  std::string line;
  for (std::uint64_t i = 0; i <= number; ++i) {
    if (!std::getline(lines, line)) {
      throw FileError(file, fmt::format("expected a line {}, found the end", number + 1));
    }
  }
  std::istringstream jobs(line);
  std::vector<std::uint64_t> positions;
  std::uint64_t position = 0;
  for (std::string key; jobs >> position >> key;) positions.push_back(position);
  return positions;
}

Exit run_job_command(const JobArguments& arguments) {
  std::uint64_t number = 0;
  option_value::read(Count{}, arguments.number, number);
  const std::vector<std::uint64_t> positions =
      arguments.tasks ? positions_in(*arguments.tasks, number) : std::vector{number};
  for (const std::uint64_t position : positions) {
    switch (run_job(StudyResults(arguments.folder), arguments.plan, position)) {
      case JobEnd::Row:
        break;
      case JobEnd::Interrupted:
        return Exit::Interrupted;
      case JobEnd::NoRow:
        return Exit::Failure;
    }
  }
  return Exit::Done;
}

}  // namespace

Command study_run_command() {
  return make_command("study run", "run what has no result yet, here or with Slurm", declare_run,
                      run_run);
}

Command study_job_command() {
  Command command = make_command("study job", "one job of a study", declare_job, run_job_command);
  command.hidden = true;
  return command;
}

}  // namespace rnnalf::cli
