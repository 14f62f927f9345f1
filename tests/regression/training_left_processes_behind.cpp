// A study ended the process of its [train] command and not what that had started: after Ctrl-C, and
// when the time was over, the script was gone and its programs went on.
#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

/// Whether a process with this argument is there.
bool runs(const std::string& argument) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    if (line == std::string("sleep") + '\0' + argument + '\0') return true;
  }
  return false;
}

/// Looks for a minute, which is only taken when something is wrong.
bool becomes(bool wanted, const std::string& argument) {
  for (int look = 0; look < 600; ++look) {
    if (runs(argument) == wanted) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// A study whose training sleeps for so many seconds in a program of its own.
struct Place {
  support::TemporaryFolder folder;
  std::string seconds = "31" + std::to_string(::getpid() % 100'000) + ".5";

  [[nodiscard]] std::string command(const std::string& more) const {
    const fs::path study = folder.file(
        "s.toml",
        "networks = 'new/*.onnx'\n[train]\nfolder = 'new'\nnames = ['n']\ncommand = ['sh', '-c', "
        "'sleep " +
            seconds + "; true']\n" + more);
    return std::string(RNNALF_PROGRAM) + " study run " + study.string() + " >" +
           (folder / "out").string() + " 2>&1";
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_training_started_ends_when_its_time_is_over) {
  const Place place;
  BOOST_TEST(std::system(place.command("time = '1s'\n").c_str()) != 0);
  BOOST_TEST(becomes(false, place.seconds));
}

BOOST_AUTO_TEST_CASE(what_training_started_ends_with_an_interrupted_study) {
  for (const std::string signal : {"INT", "KILL"}) {
    BOOST_TEST_CONTEXT("SIG" + signal) {
      const Place place;
      const std::string process = (place.folder / "pid").string();
      // The shell becomes the program, so that its number is the program's.
      const std::string shell = "env --default-signal=INT sh -c 'echo $$ >" + process + "; exec " +
                                place.command("") + "' &";
      BOOST_TEST_REQUIRE(std::system(shell.c_str()) == 0);
      BOOST_TEST(becomes(true, place.seconds));
      BOOST_TEST(std::system(("kill -" + signal + " $(cat " + process + ")").c_str()) == 0);
      BOOST_TEST(becomes(false, place.seconds));
    }
  }
}

}  // namespace rnnalf
