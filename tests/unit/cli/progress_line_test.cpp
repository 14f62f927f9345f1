#include "progress_line.hpp"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <thread>

#include "rnnalf/report/printable.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

using namespace std::chrono_literals;

const ProgressSnapshot snapshot{.seconds = 12.2,
                                .rounds = 7,
                                .states = 34,
                                .a_states = 120,
                                .queries = 5310,
                                .steps_per_second = 1.24e6,
                                .activity = "abstraction",
                                .seconds_left = 47.8};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two ends of a pipe or terminal: what is written to `in` can be read at `out`.
struct Ends {
  int in = -1;
  int out = -1;
  ~Ends() {
    ::close(in);
    ::close(out);
  }

  /// All that has been written so far.
  [[nodiscard]] std::string read_all() const {
    ::fcntl(out, F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 4096> buffer{};
    ssize_t count = 0;
    while ((count = ::read(out, buffer.data(), buffer.size())) > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
};

/// A minimal container may have no pseudo-terminals; what needs one is then reported as skipped.
boost::test_tools::assertion_result terminals_exist(boost::unit_test::test_unit_id) {
  Ends ends;
  boost::test_tools::assertion_result result =
      ::openpty(&ends.out, &ends.in, nullptr, nullptr, nullptr) == 0;
  result.message() << "there are no pseudo-terminals here";
  return result;
}
const boost::unit_test::precondition needs_terminals(terminals_exist);

std::string shown_on_terminal(std::chrono::milliseconds run_time, unsigned short columns) {
  ::setenv("TERM", "xterm", 1);
  Ends terminal;
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  BOOST_TEST_REQUIRE(::openpty(&terminal.out, &terminal.in, nullptr, nullptr, &size) == 0);
  Progress progress;
  progress.states = 34;
  progress.activity = "abstraction";
  {
    const ProgressLine line(progress, std::chrono::seconds(60), ProgressMode::Auto, terminal.in);
    std::this_thread::sleep_for(run_time);
  }
  return terminal.read_all();
}

std::string shown_in_pipe(std::chrono::milliseconds run_time, ProgressMode mode) {
  std::array<int, 2> ends{};
  BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
  const Ends pipe{ends[1], ends[0]};
  const Progress progress;
  {
    const ProgressLine line(progress, std::chrono::seconds(60), mode, pipe.in);
    std::this_thread::sleep_for(run_time);
  }
  return pipe.read_all();
}

BOOST_AUTO_TEST_SUITE(progress_line)

BOOST_AUTO_TEST_CASE(a_wide_line_says_everything) {
  BOOST_TEST(progress_text(snapshot, {.width = 120, .utf8 = false}) ==
             "12 s, round 7, 34 states, 120 A-states, 5,310 queries, 1.2M steps/s, abstraction, "
             "48 s left");
  BOOST_TEST(
      contains(progress_text(snapshot, {.width = 120, .utf8 = true}), "round 7 · 34 states"));
}

BOOST_AUTO_TEST_CASE(a_narrow_line_keeps_what_matters) {
  BOOST_TEST(progress_text(snapshot, {.width = 32, .utf8 = false}) ==
             "round 7, 34 states, abstraction");
  for (std::size_t width = 12; width < 120; ++width) {
    BOOST_TEST(display_width(progress_text(snapshot, {.width = width})) <= width);
  }
}

BOOST_AUTO_TEST_CASE(on_a_terminal_the_line_appears_soon_and_erases_itself, *needs_terminals) {
  const std::string shown = shown_on_terminal(700ms, 80);
  BOOST_TEST(contains(shown, "34 states"));
  BOOST_TEST(contains(shown, "s left"));
  BOOST_TEST(shown.substr(shown.size() - 4) == "\r\033[K");
  BOOST_TEST(!contains(shown, "\n"));
}

BOOST_AUTO_TEST_CASE(a_short_run_shows_nothing, *needs_terminals) {
  BOOST_TEST(shown_on_terminal(20ms, 80).empty());
  BOOST_TEST(shown_in_pipe(400ms, ProgressMode::Auto).empty());
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_one_plain_line_within_two_seconds) {
  const std::string shown = shown_in_pipe(2000ms, ProgressMode::Auto);
  BOOST_TEST(shown.substr(0, 10) == "rnnalf: 2 ");
  BOOST_TEST(shown.find('\n') == shown.size() - 1);
  BOOST_TEST(!contains(shown, "\033"));
}

BOOST_AUTO_TEST_CASE(none_shows_nothing_at_all) {
  BOOST_TEST(shown_in_pipe(2000ms, ProgressMode::None).empty());
}

/// The mode that these arguments ask for.
ProgressMode mode_of(const std::vector<std::string>& arguments) {
  ProgressMode mode = ProgressMode::Auto;
  bool quiet = false;
  CommandLine line("demo");
  add_progress_options(line, {"how", "not at all"}, mode, quiet);
  (void)line.parse(arguments);
  return mode;
}

BOOST_AUTO_TEST_CASE(the_mode_is_chosen_by_name_and_quiet_is_none) {
  BOOST_TEST((mode_of({}) == ProgressMode::Auto));
  BOOST_TEST((mode_of({"--progress", "plain"}) == ProgressMode::Plain));
  BOOST_TEST((mode_of({"--quiet", "--progress", "plain"}) == ProgressMode::None));
  BOOST_CHECK_THROW((void)mode_of({"--progress", "loud"}), UsageError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(terminal)

TextStyle style_of_terminal(unsigned short columns) {
  Ends ends;
  winsize size{.ws_row = 33, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  BOOST_TEST_REQUIRE(::openpty(&ends.out, &ends.in, nullptr, nullptr, &size) == 0);
  return text_style(ends.in);
}

BOOST_AUTO_TEST_CASE(colours_are_for_terminals_whose_owner_wants_them, *needs_terminals) {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  BOOST_TEST(style_of_terminal(80).colour);
  ::setenv("NO_COLOR", "1", 1);
  BOOST_TEST(!style_of_terminal(80).colour);
  ::setenv("NO_COLOR", "", 1);  // set but empty: not asked for
  BOOST_TEST(style_of_terminal(80).colour);
  ::setenv("TERM", "dumb", 1);
  BOOST_TEST(!style_of_terminal(80).colour);
  ::setenv("TERM", "xterm", 1);
}

BOOST_AUTO_TEST_CASE(the_width_is_the_terminals, *needs_terminals) {
  BOOST_TEST(style_of_terminal(57).width == 57U);
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_no_colours) {
  std::array<int, 2> ends{};
  BOOST_TEST_REQUIRE(::pipe(ends.data()) == 0);
  const Ends pipe{ends[1], ends[0]};
  BOOST_TEST(!text_style(pipe.in).colour);
}

BOOST_AUTO_TEST_CASE(the_locale_says_whether_utf8_may_be_used, *needs_terminals) {
  ::setenv("LC_ALL", "C.UTF-8", 1);
  BOOST_TEST(style_of_terminal(80).utf8);
  ::setenv("LC_ALL", "C", 1);
  BOOST_TEST(!style_of_terminal(80).utf8);
  ::setenv("LC_ALL", "xx_YY.UTF-8", 1);  // not installed anywhere
  BOOST_TEST(style_of_terminal(80).utf8);
  ::unsetenv("LC_ALL");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
