#include "graphviz.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"

extern "C" char** environ;  // NOLINT: POSIX has it in no header

namespace rnnalf::cli {
namespace {

constexpr std::size_t kAlwaysDrawn =
    12;  // states: `dot` takes 50 ms even with all arrows there are

[[noreturn]] void fail(const std::string& what, int error) {
  throw GraphvizError(fmt::format("graphviz: {}: {}", what, std::strerror(error)));
}

/// A file without a name, which is gone when its descriptor is closed. Graphviz reads from and
/// writes to such files, so that neither side ever waits for the other.
class ScratchFile {
 public:
  explicit ScratchFile(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("cannot make a scratch file", errno);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { ::close(descriptor_); }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR) fail("cannot write a scratch file", errno);
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }

  [[nodiscard]] std::string read_all() const {
    ::lseek(descriptor_, 0, SEEK_SET);
    std::string text;
    std::array<char, 65536> buffer{};
    while (true) {
      const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count == 0) return text;
      if (count < 0 && errno != EINTR) fail("cannot read a scratch file", errno);
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

pid_t start(const std::string& program, const ScratchFile& input, const ScratchFile& output,
            const ScratchFile& errors) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  std::string name = program;
  std::string format = "-Tsvg";
  const std::array<char*, 3> arguments = {name.data(), format.data(), nullptr};
  pid_t process = -1;
  const int error =
      ::posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw GraphvizError(fmt::format(
        "graphviz: expected the program '{}' (Debian package graphviz), found none", program));
  }
  if (error != 0) fail("cannot start '" + program + "'", error);
  return process;
}

/// The status of the ended process; it is killed when the time is over.
int wait_for(pid_t process, const std::string& program, std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::chrono::milliseconds pause{1};
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) fail("lost '" + program + "'", errno);
    if (Clock::now() - began > time) {
      ::kill(process, SIGKILL);
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
      }
      throw GraphvizError(fmt::format("graphviz: '{}' did not finish within {}", program,
                                      format_seconds(time.count())));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds{20});
  }
}

}  // namespace

std::string run_graphviz(const std::string& program, const std::string& dot,
                         std::chrono::duration<double> time) {
  const ScratchFile input("dot");
  const ScratchFile output("svg");
  const ScratchFile errors("errors");
  input.write(dot);
  const int status = wait_for(start(program, input, output, errors), program, time);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string said = errors.read_all();
    said = printable(said.substr(0, said.find('\n')), true);
    throw GraphvizError(
        fmt::format("graphviz: '{}' failed{}{}", program, said.empty() ? "" : ": ", said));
  }
  return output.read_all();
}

std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                        std::chrono::duration<double> time) {
  return run_graphviz("dot", picture_dot(automaton, options), time);
}

std::string svg_picture_of_any(const NamedDfa& automaton, const PictureOptions& options,
                               std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  PictureOptions fewer = options;
  fewer.most_states = fewer.core_states = std::min<std::size_t>(kAlwaysDrawn, options.core_states);
  for (const auto& [tried, part] : {std::pair(options, 0.7), std::pair(fewer, 1.0)}) {
    try {
      return svg_picture(automaton, tried, part * (end - Clock::now()));
    } catch (const GraphvizError&) {
      // What is drawn next takes less.
    }
  }
  return transitions_svg(automaton, options);
}

}  // namespace rnnalf::cli
