#include "rnnalf/study/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

/// Both ends of a pipe, closed at the end.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

}  // namespace

ProgramOutput run_program(const std::vector<std::string>& arguments,
                          std::chrono::duration<double> most) {
  std::vector<char*> values;
  for (const std::string& argument : arguments)
    values.push_back(const_cast<char*>(argument.c_str()));
  values.push_back(nullptr);
  Pipe out;
  Pipe error;
  const pid_t process = ::fork();
  if (process < 0) return {-1, "", std::strerror(errno)};
  if (process == 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(out.ends[1], STDOUT_FILENO);
    ::dup2(error.ends[1], STDERR_FILENO);
    ::execvp(values[0], values.data());
    const char* const reason = std::strerror(errno);
    if (::write(STDERR_FILENO, reason, std::strlen(reason)) < 0) ::_exit(126);
    ::_exit(127);
  }
  out.close(1);
  error.close(1);
  ProgramOutput result;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
  bool late = false;
  while (out.ends[0] >= 0 || error.ends[0] >= 0) {
    std::array<pollfd, 2> ready{pollfd{out.ends[0], POLLIN, 0}, pollfd{error.ends[0], POLLIN, 0}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (!late && left <= 0) {
      ::kill(process, SIGKILL);
      late = true;
    }
    ::poll(ready.data(), ready.size(), late ? 100 : static_cast<int>(left));
    std::array<char, 4096> part{};
    for (std::size_t i = 0; i < ready.size(); ++i) {
      Pipe& pipe = i == 0 ? out : error;
      if (ready[i].revents == 0 || pipe.ends[0] < 0) {
        if (late) pipe.close(0);  // a grandchild may hold the other end
        continue;
      }
      const ssize_t count = ::read(pipe.ends[0], part.data(), part.size());
      if (count > 0)
        (i == 0 ? result.out : result.error).append(part.data(), static_cast<std::size_t>(count));
      if (count == 0) pipe.close(0);
    }
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = !late && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (late) result.error = "no answer";
  result.error = result.error.substr(0, result.error.find('\n'));
  return result;
}

}  // namespace rnnalf
