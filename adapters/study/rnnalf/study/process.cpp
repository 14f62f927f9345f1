#include "rnnalf/study/process.hpp"

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

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kTooLate = "no answer";

/// A file without a name, which is gone when its descriptor is closed. Programs read from and write
/// to such files, so that neither side ever waits for the other.
class ScratchFile {
 public:
  ScratchFile() : descriptor_(::memfd_create("rnnalf", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { ::close(descriptor_); }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR) fail();
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
      if (count < 0 && errno != EINTR) fail();
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw ProgramError(std::string("cannot use a scratch file: ") + std::strerror(errno));
  }

  int descriptor_;
};

/// Whether the process ended in time; it is killed when it did not.
bool wait_for(pid_t process, std::chrono::duration<double> most, int& status) {
  const auto began = Clock::now();
  std::chrono::milliseconds pause{1};
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() - began > most) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds{20});
  }
  ::kill(process, SIGKILL);
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

}  // namespace

ProgramOutput run_program(const std::vector<std::string>& arguments,
                          std::chrono::duration<double> most, std::string_view input) {
  const std::array<ScratchFile, 3> files;  // in, out, errors
  files[0].write(input);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    ::posix_spawn_file_actions_adddup2(&actions, files[static_cast<std::size_t>(i)].descriptor(),
                                       i);
  }
  std::vector<char*> values;
  for (const std::string& argument : arguments) {
    values.push_back(const_cast<char*>(argument.c_str()));
  }
  values.push_back(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawnp(&process, values[0], &actions, nullptr, values.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return {error == ENOENT ? ProgramOutput::kNotFound : -1, "", std::strerror(error)};
  }
  int status = 0;
  if (!wait_for(process, most, status)) return {-1, "", kTooLate};
  const std::string errors = files[2].read_all();
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, files[1].read_all(),
          errors.substr(0, errors.find('\n'))};
}

std::string output_of(const std::vector<std::string>& arguments, const std::string& package,
                      std::string_view input, std::chrono::duration<double> most) {
  const std::string& program = arguments.front();
  ProgramOutput output = run_program(arguments, most, input);
  if (output.succeeded()) return std::move(output.out);
  if (output.code == ProgramOutput::kNotFound) {
    throw ProgramError(
        fmt::format("expected the program '{}' (Debian package {}), found none", program, package));
  }
  if (output.error == kTooLate) {
    throw ProgramError(
        fmt::format("'{}' did not finish within {}", program, format_seconds(most.count())));
  }
  const std::string said = printable(output.error, true);
  throw ProgramError(fmt::format("'{}' failed{}{}", program, said.empty() ? "" : ": ", said));
}

}  // namespace rnnalf
