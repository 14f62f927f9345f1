#include "rnnalf/base/terminal_text.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(nothing_from_a_file_steers_a_terminal) {
  BOOST_TEST(terminal_text("a\tb\nc", Colours::None) == "a\tb\nc");
  BOOST_TEST(terminal_text("größe 漢🙂", Colours::Ours) == "größe 漢🙂");
  for (const Colours colours : {Colours::None, Colours::Ours}) {
    BOOST_TEST(terminal_text("\033[2J\x7f\r\b", colours) == R"(\u001b[2J\u007f\u000d\u0008)");
    BOOST_TEST(terminal_text("\u009b\u202e\u2066\u200b", colours) == R"(\u009b\u202e\u2066\u200b)");
    BOOST_TEST(terminal_text("\033]0;title\a", colours) == R"(\u001b]0;title\u0007)");
    BOOST_TEST(terminal_text("a\xff\x9b", colours) == R"(a\xff\x9b)");
  }
}

BOOST_AUTO_TEST_CASE(the_colours_of_our_reports_stay_where_they_are_wanted) {
  BOOST_TEST(terminal_text("\033[1;32mgood\033[0m", Colours::Ours) == "\033[1;32mgood\033[0m");
  BOOST_TEST(terminal_text("\033[8mhidden", Colours::Ours) == R"(\u001b[8mhidden)");
  BOOST_TEST(terminal_text("\033[1mbold", Colours::None) == R"(\u001b[1mbold)");
}

BOOST_AUTO_TEST_CASE(every_place_is_replaced) {
  BOOST_TEST(replaced("{a}{a}b", "{a}", "{a}c") == "{a}c{a}cb");
  BOOST_TEST(replaced("x", "y", "z") == "x");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
