// A job is run by a child process, which this one waits for: a crash, a lack of memory or a job
// without end becomes a row that says so, and never ends the study. The child has limits for its
// memory, dies with its parent, and leads a process group, so that whatever it starts is ended with
// it.

#include "rnnalf/study/job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <new>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/measure.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/report/sentences.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Exit codes of the child, seen by its parent alone.
constexpr int kDone = 0;
constexpr int kNoRow = 74;
constexpr int kOutOfMemory = 75;
constexpr int kFailed = 76;

constexpr std::size_t kMostWords = 1000;
constexpr std::size_t kMostSizes = 20'000;

StudyRow made_here() {
  StudyRow row;
  row.commit = program_identity().commit;
  row.machine = this_machine();
  row.host = this_host();
  return row;
}

StudyRow extract(const PlannedJob& job) {
  const ComparedNetwork& network = job.plan.networks.front();
  const Budget no_limit;
  const auto words =
      make_comparison_words(network, job.plan.lengths, job.plan.per_length, 1, no_limit);
  const Run run =
      Extraction(network.network, libalf_learners(), job.extraction.options, network.target)
          .run(no_limit, nullptr);
  StudyRow row = made_here();
  row.cell = measured_cell(job.extraction.cell, run, network, *words);
  for (const HypothesisRecord& hypothesis : run.hypotheses) {
    if (row.sizes.size() == kMostSizes) break;
    row.sizes.emplace_back(hypothesis.at_seconds, hypothesis.dfa.size());
  }
  const NetworkSummary& summary = network.network.summary;
  for (const Counterexample& found : run.counterexamples) {
    if (row.counterexamples.size() == kMostWords) break;
    FoundWord word{summary.alphabet.format(found.word),
                   answer_name(found.answer, summary),
                   {},
                   found.oracle,
                   found.at_seconds,
                   found.seconds};
    if (found.target) word.target = answer_name(*found.target, summary);
    row.counterexamples.push_back(std::move(word));
  }
  row.dfa = format_dfa(named(summary, run.dfa()), DfaFormat::Json);
  return row;
}

void say(const std::string& message) {
  const std::string line = with_option_names(message, Spelling::Study) + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nobody can be told
}

/// Runs the extraction and writes its row.
int extraction_process(const Study& study, const StudyResults& results, const StudyJob& job) {
  try {
    results.add(job.key, extract(open_job(study, job)));
    return kDone;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const FileError& error) {
    say(error.what());
    return kNoRow;
  } catch (const std::exception& error) {
    say(error.what());
    return kFailed;
  }
}

/// A folder for what the command writes, beside the place of the network.
fs::path training_folder(const Study& study, const StudyJob& job) {
  return trained_network(study, job.name).parent_path() /
         fmt::format(".{}-{}-{}", job.name, this_host(), ::getpid());
}

[[noreturn]] void training_process(const Study& study, const StudyJob& job,
                                   const fs::path& folder) {
  std::vector<std::string> texts = training_command(study, job.name, folder.string());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  if (::chdir(study.folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  say(fmt::format("cannot run {}: {}", texts[0], std::strerror(errno)));
  ::_exit(kFailed);
}

/// What the command left, moved to its place; the network last, because it says that all is there.
void keep_training(const Study& study, const StudyJob& job, const fs::path& folder) {
  const fs::path network = trained_network(study, job.name);
  const fs::path made = folder / network.filename();
  if (!fs::exists(made)) {
    throw FileError(made.string(),
                    "expected the command of [train] to write this file, found none");
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path() != made) {
      fs::rename(entry.path(), network.parent_path() / entry.path().filename());
    }
  }
  fs::rename(made, network);
}

/// Signals that are waited for, not handled, while it exists.
class WaitedSignals {
 public:
  WaitedSignals() {
    ::sigemptyset(&signals_);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals_, signal);
    ::sigprocmask(SIG_BLOCK, &signals_, &before_);
  }
  WaitedSignals(const WaitedSignals&) = delete;
  WaitedSignals& operator=(const WaitedSignals&) = delete;
  ~WaitedSignals() { restore(); }

  void restore() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  /// The next of them; 0 when the time is over.
  [[nodiscard]] int next(std::chrono::duration<double> time) const {
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::clamp(time, std::chrono::duration<double>(0), std::chrono::duration<double>(3600)));
    const timespec wait{static_cast<time_t>(nanoseconds.count() / 1'000'000'000),
                        static_cast<long>(nanoseconds.count() % 1'000'000'000)};
    const int found = ::sigtimedwait(&signals_, nullptr, &wait);
    return found < 0 ? 0 : found;
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

/// What the system does to the child when its time is over, or when this process dies.
void prepare_child(const StudyJob& job, const fs::path& log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNoRow);  // it died before that
  ::setpgid(0, 0);  // with whatever it starts: a command for training is often a script
  const int descriptor =
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor >= 0) {
    ::dup2(descriptor, STDOUT_FILENO);
    ::dup2(descriptor, STDERR_FILENO);
  }
  // Memory of its own, not of mapped files; what asks for more gets bad_alloc.
  const rlimit memory{job.memory, job.memory};
  ::setrlimit(RLIMIT_DATA, &memory);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

struct ChildEnd {
  int status = 0;
  bool timed_out = false;
  bool interrupted = false;
};

/// Runs the function in a process of its own, which does not outlive this one. What it started
/// itself ends with it when its time is over or when somebody asks this process to end.
ChildEnd run_child(const StudyJob& job, const fs::path& log, const std::function<int()>& work) {
  const WaitedSignals signals;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    prepare_child(job, log, parent);
    signals.restore();
    ::_exit(work());
  }
  ::setpgid(child, child);  // here too: whoever is first
  ChildEnd end;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::min(job.time, std::chrono::duration<double>(1e8)));
  while (::waitpid(child, &end.status, WNOHANG) != child) {
    const int signal = signals.next(deadline - Clock::now());
    if (signal == SIGCHLD) continue;
    end.interrupted = end.interrupted || signal != 0;
    end.timed_out = !end.interrupted && Clock::now() >= deadline;
    if (!end.interrupted && !end.timed_out) continue;
    ::kill(-child, SIGKILL);
    while (::waitpid(child, &end.status, 0) < 0 && errno == EINTR) {
    }
    break;
  }
  // A job is ended by ending all its processes, in any order. So a child that was asked to end
  // did not fail by itself.
  if (WIFSIGNALED(end.status) && !end.timed_out) {
    const int signal = WTERMSIG(end.status);
    end.interrupted = end.interrupted || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
  }
  return end;
}

struct Death {
  RunVerdict verdict;
  std::string message;
};

Death death_of(const ChildEnd& end, const StudyJob& job, const fs::path& log) {
  if (end.timed_out) {
    return {RunVerdict::TimedOut, fmt::format("it was ended after {:.0f} s", job.time.count())};
  }
  if (WIFSIGNALED(end.status)) {
    const int signal = WTERMSIG(end.status);
    return {RunVerdict::Died,
            fmt::format("it was ended by signal {} ({}){}", signal, ::strsignal(signal),
                        signal == SIGKILL ? ", as the system does when memory runs out" : "")};
  }
  if (WEXITSTATUS(end.status) == kOutOfMemory) {
    return {RunVerdict::OutOfMemory, fmt::format("it wanted more than {} bytes", job.memory)};
  }
  return {RunVerdict::Failed,
          fmt::format("exit code {}: {}", WEXITSTATUS(end.status), last_line(log))};
}

}  // namespace

std::vector<std::string> training_command(const Study& study, const std::string& name,
                                          const std::string& folder) {
  std::vector<std::string> command;
  for (const std::string& part : study.training->command) {
    command.push_back(replaced(replaced(part, "{name}", name), "{folder}", folder));
  }
  return command;
}

std::string shown_training(const Study& study, const std::string& name) {
  std::vector<std::string> quoted;
  for (const std::string& part : training_command(study, name, "{folder}")) {
    quoted.push_back(shell_quoted(part));
  }
  return fmt::format("{}", fmt::join(quoted, " "));
}

bool is_done(const Study& study, const StudyResults& results, const StudyJob& job) {
  if (job.kind == StudyJob::Kind::Train) return fs::exists(trained_network(study, job.name));
  return fs::exists(results.row_file(job.key));
}

StudyRow row_without_result(const StudyJob& job, const ComparisonCell& cell, RunVerdict verdict,
                            const std::string& message) {
  StudyRow row = made_here();
  row.cell = cell;
  if (job.kind == StudyJob::Kind::Train) row.cell.network = job.name;
  row.cell.verdict = verdict;
  row.message = message;
  return row;
}

JobEnd run_job(const StudyResults& results, const std::string& plan, std::size_t index) {
  const auto [study, job] = results.planned_job(plan, index);
  if (is_done(study, results, job)) return JobEnd::Row;
  const fs::path log = results.log_file(job.key);
  fs::create_directories(log.parent_path());
  const bool trains = job.kind == StudyJob::Kind::Train;
  const fs::path made = trains ? training_folder(study, job) : fs::path();
  if (trains) fs::create_directories(made);
  ChildEnd end = run_child(job, log, [&, &study = study, &job = job]() -> int {
    if (trains) training_process(study, job, made);
    return extraction_process(study, results, job);
  });
  if (trains) {
    if (!end.interrupted && end.status == 0) keep_training(study, job, made);
    std::error_code ignored;
    fs::remove_all(made, ignored);
  }
  // A row that was written before the end came counts.
  if (is_done(study, results, job)) return JobEnd::Row;
  if (end.interrupted) return JobEnd::Interrupted;
  if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == kNoRow) {
    say(last_line(log));
    return JobEnd::NoRow;
  }
  const Death death = death_of(end, job, log);
  const ComparisonCell cell = trains ? ComparisonCell{} : open_job(study, job).extraction.cell;
  results.add(job.key, row_without_result(job, cell, death.verdict, death.message));
  return JobEnd::Row;
}

}  // namespace rnnalf
