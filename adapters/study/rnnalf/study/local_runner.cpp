#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/job.hpp"
#include "rnnalf/study/run_study.hpp"

// Jobs as processes of this machine, some at once. Each has a parent of its own (run_job) that
// outlives it and writes down what it died of.

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

constexpr int kBetweenLooks = 200;  // milliseconds: at the budget

struct RunningJob {
  std::size_t job = 0;  // position in the plan
  pid_t process = -1;
  int descriptor = -1;  // of the process: readable when it has ended
};

class LocalRunner {
 public:
  LocalRunner(const PendingJobs& work, const StudyRunOptions& options, const Budget& budget,
              StudyCounter& counter)
      : work_(work),
        options_(options),
        budget_(budget),
        counter_(counter),
        waiting_(work.pending.begin(), work.pending.end()),
        attempts_(work.jobs.size(), 0) {}
  LocalRunner(const LocalRunner&) = delete;
  LocalRunner& operator=(const LocalRunner&) = delete;
  ~LocalRunner() { stop(); }

  void run() {
    fs::create_directories(work_.results.folder() / "logs");
    while (!budget_.spent() && (!waiting_.empty() || !running_.empty())) {
      while (!waiting_.empty() && running_.size() < std::max<std::size_t>(1, options_.processes)) {
        start(waiting_.front());
        waiting_.pop_front();
      }
      wait();
      counter_.show(running_.size());
    }
    stop();
  }

 private:
  void start(std::size_t job) {
    ++attempts_[job];
    const std::string index = std::to_string(job);
    const std::string folder = work_.results.folder().string();
    const std::string log = runner_log().string();
    const char* const arguments[] = {
        options_.program.c_str(), "study",       "job",  folder.c_str(),
        work_.plan.c_str(),       index.c_str(), nullptr};
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (process == 0) {
      // Only what is allowed between fork and exec.
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // so that it can end what it started itself
      if (::getppid() != parent) ::_exit(1);
      ::setpgid(0, 0);  // Ctrl-C is for us; we tell the jobs
      const int descriptor = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
      if (descriptor >= 0) {
        ::dup2(descriptor, STDOUT_FILENO);
        ::dup2(descriptor, STDERR_FILENO);
      }
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      ::execv(arguments[0], const_cast<char* const*>(arguments));
      ::_exit(127);
    }
    // Not by its function: the header of glibc 2.36 declares that for C alone.
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    running_.push_back({job, process, descriptor});
    if (descriptor < 0)
      throw Error(fmt::format("cannot watch a process: {}", std::strerror(errno)));
  }

  void wait() {
    std::vector<pollfd> ended;
    for (const RunningJob& one : running_) ended.push_back({one.descriptor, POLLIN, 0});
    if (::poll(ended.data(), ended.size(), kBetweenLooks) <= 0) return;
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (ended[i].revents == 0) continue;
      const RunningJob one = running_[i];
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      int status = 0;
      ::waitpid(one.process, &status, 0);
      ::close(one.descriptor);
      end(one.job, status);
    }
  }

  void end(std::size_t index, int status) {
    const StudyJob& job = work_.jobs[index];
    const bool row = fs::exists(work_.results.row_file(job.key));
    if (row || is_done(work_.study, work_.results, job)) {
      const auto found = row ? work_.results.row(job.key) : std::nullopt;
      counter_.ended(!found || found->cell.has_result());
      return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 130) {
      // It uses our disk, so others would fail too; on a full disk it cannot even say so.
      try_to_write();
      throw Error(message(index, WEXITSTATUS(status)));
    }
    if (attempts_[index] < kMostAttempts) {
      waiting_.push_back(index);
      return;
    }
    work_.results.add(job.key, row_without_result(job, job.cell, RunVerdict::Lost,
                                                  fmt::format("it was ended from outside {} times",
                                                              kMostAttempts)));
    counter_.ended(false);
  }

  [[nodiscard]] fs::path runner_log() const {
    return work_.results.folder() / "logs" / "runner.log";
  }

  /// Throws FileError when there is no room for a row.
  void try_to_write() const {
    const fs::path file = work_.results.row_file(fmt::format(".room-{}", ::getpid()));
    write_once(file, std::string(std::size_t{1} << 14U, ' '));
    std::error_code ignored;
    fs::remove(file, ignored);
  }

  [[nodiscard]] std::string message(std::size_t index, int code) const {
    return fmt::format("{}: job {} wrote no row (exit code {}): {}",
                       work_.results.folder().string(), index, code, last_line(runner_log()));
  }

  void stop() {
    for (const RunningJob& one : running_) ::kill(one.process, SIGTERM);
    for (const RunningJob& one : running_) {
      int status = 0;
      while (::waitpid(one.process, &status, 0) < 0 && errno == EINTR) {
      }
      if (one.descriptor >= 0) ::close(one.descriptor);
    }
    running_.clear();
  }

  const PendingJobs& work_;
  const StudyRunOptions& options_;
  const Budget& budget_;
  StudyCounter& counter_;
  std::deque<std::size_t> waiting_;
  std::vector<std::size_t> attempts_;
  std::vector<RunningJob> running_;
};

}  // namespace

void run_on_this_machine(const PendingJobs& jobs, const StudyRunOptions& options,
                         const Budget& budget, StudyCounter& counter) {
  LocalRunner(jobs, options, budget, counter).run();
}

}  // namespace rnnalf
