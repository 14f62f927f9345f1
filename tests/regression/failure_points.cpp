// Every failure point of a small run: the n-th allocation fails, for all n, then the n-th call of
// the system that writes. The program never crashes, ends with a documented exit code, and leaves
// every output whole, as it was before, or absent.

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/file.hpp"
#include "support/sanitizer.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// Counts calls, and lets one of them fail, or that one and all that follow.
struct Fault {
  long calls = 0;
  long fails_at = 0;  // 0: none
  bool and_all_after = false;

  bool strikes() {
    ++calls;
    return fails_at > 0 && (calls == fails_at || (and_all_after && calls > fails_at));
  }
};

// Of this process alone: the program is run in a child.
Fault allocation;
Fault writing;
int error_of_writing = EIO;
std::string sequence;  // of calls that write, a letter each

bool cannot_write(char letter) {
  sequence += letter;
  if (!writing.strikes()) return false;
  errno = error_of_writing;
  return true;
}

}  // namespace

#if !defined(RNNALF_UNDER_ASAN)

void* operator new(std::size_t size) {
  void* const memory = allocation.strikes() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocation.strikes() ? nullptr : std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

// In the place of the C library's: what this program is linked from calls these.
extern "C" {
ssize_t write(int descriptor, const void* data, std::size_t size) {
  return cannot_write('w') ? -1 : ::syscall(SYS_write, descriptor, data, size);
}
int fsync(int descriptor) {
  return cannot_write('s') ? -1 : static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int rename(const char* from, const char* to) noexcept {
  return cannot_write('r') ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}
}

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int code = 0;
  bool crashed = false;
  long allocations = 0;
  long writes = 0;
  std::string sequence = {};
};

/// The program in a child, in which `arm` lets something fail.
Ended run(const std::vector<std::string>& arguments, const std::function<void()>& arm) {
  int report[2];
  BOOST_TEST_REQUIRE(::pipe(report) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    allocation = {};
    writing = {};
    sequence.clear();
    sequence.reserve(1000);
    arm();
    const int code = cli::run_program(arguments);
    const long counts[2] = {allocation.calls, writing.calls};
    allocation = {};
    (void)::syscall(SYS_write, report[1], counts, sizeof counts);
    (void)::syscall(SYS_write, report[1], sequence.data(), sequence.size());
    ::_exit(code);
  }
  ::close(report[1]);
  Ended ended;
  long counts[2] = {};
  if (::read(report[0], counts, sizeof counts) == sizeof counts) {
    ended.allocations = counts[0];
    ended.writes = counts[1];
  }
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(report[0], buffer, sizeof buffer)) > 0;) {
    ended.sequence.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(report[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  ended.crashed = !WIFEXITED(status);
  ended.code = ended.crashed ? WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
}

/// A small extraction with outputs of which one exists before.
class SmallRun {
 public:
  /// Without JSON, neither the network file nor an output has any: nlohmann's destructor allocates
  /// memory, and ends the program where it gets none.
  explicit SmallRun(bool with_json) : with_json_(with_json) {
    put_old();
    good_ = run(arguments(), [] {});
    BOOST_TEST_REQUIRE(!good_.crashed);
    BOOST_TEST_REQUIRE(good_.code == 3);  // --max-rounds
    for (const auto& [name, text] : files()) BOOST_TEST_REQUIRE(is_whole(name, text), name);
    BOOST_TEST_REQUIRE(files().size() == (with_json_ ? 3U : 2U));
  }

  [[nodiscard]] const Ended& good() const { return good_; }

  /// Runs it, checks what must hold whatever failed, and returns how it ended.
  Ended with(const std::function<void()>& arm, const std::string& what) {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry);
    put_old();
    const Ended ended = run(arguments(), arm);
    BOOST_TEST_REQUIRE(!ended.crashed, what << ": ended by signal " << ended.code);
    BOOST_TEST_REQUIRE((ended.code == 0 || ended.code == 1 || ended.code == 3),
                       what << ": exit code " << ended.code);
    for (const auto& [name, text] : files()) {
      BOOST_TEST_REQUIRE(!name.starts_with(".rnnalf-"), what << ": left " << name << " behind");
      BOOST_TEST_REQUIRE((is_whole(name, text) || (name == "dfa.dot" && text == "old")),
                         what << ": torn " << name);
    }
    return ended;
  }

  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      all[entry.path().filename().string()] = read_file(entry.path(), 1U << 24U);
    }
    return all;
  }

 private:
  [[nodiscard]] std::vector<std::string> arguments() const {
    const auto file = [&](const char* name) { return (folder_ / name).string(); };
    std::vector<std::string> all = {"extract",
                                    with_json_ ? RNNALF_EXAMPLE_NETWORKS "/tomita5_rnn30.onnx"
                                               : RNNALF_EXAMPLE_NETWORKS
                                        "/../../tests/data/ways/gru.pt",
                                    "--exact",
                                    "--oracle",
                                    "exhaustive:max-length=4",
                                    "--max-rounds",
                                    with_json_ ? "2" : "1",
                                    "--threads",
                                    "1",
                                    "--progress",
                                    "none"};
    const std::vector<std::string> outputs =
        with_json_ ? std::vector<std::string>{"--json",        file("run.json"), "--dot",
                                              file("dfa.dot"), "--trace",        file("trace.txt")}
                   : std::vector<std::string>{"--dot", file("dfa.dot"), "--alf", file("dfa.alf")};
    all.insert(all.end(), outputs.begin(), outputs.end());
    return all;
  }

  void put_old() { (void)folder_.file("dfa.dot", "old"); }

  static bool is_whole(const std::string& name, const std::string& text) {
    if (name == "run.json") return nlohmann::json::accept(text);
    if (name == "trace.txt") return text.ends_with("}\n");
    if (name == "dfa.alf") return text.starts_with("[general]") && text.ends_with("\n");
    return text.starts_with("digraph") && text.ends_with("}\n");
  }

  bool with_json_;
  support::TemporaryFolder folder_;
  Ended good_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(failure_points)

BOOST_AUTO_TEST_CASE(whichever_allocation_fails_the_run_ends_with_an_exit_code_and_whole_files) {
  SmallRun small(false);
  const long all = small.good().allocations;
  BOOST_TEST_MESSAGE(all << " allocations");
  BOOST_TEST_REQUIRE(all > 1000);
  // RNNALF_FAILURE_FROM=N begins with the N-th allocation, for a debugger.
  const char* const from = std::getenv("RNNALF_FAILURE_FROM");
  std::map<int, int> codes;
  for (const bool and_all_after : {false, true}) {
    // Every one of them takes minutes: RNNALF_EVERY_FAILURE=1 asks for it. If nothing is to be had
    // any more, the exit code is all that can be told.
    const long stride = (and_all_after ? 7 : 1) * (std::getenv("RNNALF_EVERY_FAILURE") ? 1 : 11);
    for (long n = from ? std::atol(from) : 1; n <= all; n += stride) {
      const Ended ended = small.with(
          [&] {
            allocation = {0, n, and_all_after};
          },
          "allocation " + std::to_string(n));
      ++codes[ended.code];
    }
  }
  // Some fail in the run, which then ends with what it has; some before it.
  BOOST_TEST(codes[1] > 0);
  BOOST_TEST(codes[3] > 0);
}

BOOST_AUTO_TEST_CASE(whichever_write_fails_the_other_outputs_are_written) {
  SmallRun small(true);
  BOOST_TEST_REQUIRE(small.good().writes >= 7);
  for (const int error : {ENOSPC, EIO, EDQUOT}) {
    for (long n = 1; n <= small.good().writes; ++n) {
      const std::string what = "write " + std::to_string(n);
      const Ended ended = small.with(
          [&] {
            error_of_writing = error;
            writing = {0, n, false};
          },
          what);
      BOOST_TEST(ended.code == 1, what);
      // At most one output is missing; nothing else failed.
      const auto files = small.files();
      const std::size_t written = files.size() - (files.at("dfa.dot") == "old" ? 1 : 0);
      BOOST_TEST(written >= 2U, what);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_is_on_the_disk_before_it_has_its_name) {
  SmallRun small(true);
  // Each of the three files is written, synchronised and renamed; then the summary.
  BOOST_TEST(small.good().sequence == "wsrwsrwsrw");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
#endif
