#include "rnnalf/report/printable.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(printable_text)

BOOST_AUTO_TEST_CASE(ordinary_text_stays_as_it_is) {
  BOOST_TEST(printable("a b", true) == "a b");
  BOOST_TEST(printable("äλ漢🙂", true) == "äλ漢🙂");
}

BOOST_AUTO_TEST_CASE(what_could_steer_a_terminal_becomes_visible) {
  BOOST_TEST(printable("\033[2J", true) == "\\u001b[2J");
  BOOST_TEST(printable("a\xc2\x9b", true) == "a\\u009b");     // C1: another way to write ESC [
  BOOST_TEST(printable("a\u202eb", true) == "a\\u202eb");     // right-to-left override
  BOOST_TEST(printable("a\u200bb", true) == "a\\u200bb");     // zero width space
  BOOST_TEST(printable("\U000e0041", true) == "\\u{e0041}");  // tag character
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_become_visible_and_the_rest_stays) {
  BOOST_TEST(printable("a\xff"
                       "b",
                       true) == "a\\xffb");
  BOOST_TEST(printable("\xc0\x80", true) == "\\xc0\\x80");           // overlong
  BOOST_TEST(printable("\xed\xa0\x80", true) == "\\xed\\xa0\\x80");  // surrogate
  BOOST_TEST(printable("\xe2\x82", true) == "\\xe2\\x82");           // cut short
}

BOOST_AUTO_TEST_CASE(without_utf8_the_result_is_ascii) {
  BOOST_TEST(printable("xä🙂", false) == "x\\u00e4\\u{1f642}");
}

BOOST_AUTO_TEST_CASE(width_counts_columns_not_bytes) {
  BOOST_TEST(display_width("abc") == 3U);
  BOOST_TEST(display_width("äλ") == 2U);
  BOOST_TEST(display_width("漢🙂") == 4U);
  BOOST_TEST(display_width("e\u0301") == 1U);
}

BOOST_AUTO_TEST_CASE(lines_break_at_spaces_but_not_between_a_number_and_its_per_cent) {
  using Lines = std::vector<std::string>;
  BOOST_TEST(wrapped("one two", 5) == (Lines{"one", "two"}), boost::test_tools::per_element());
  BOOST_TEST(wrapped("agrees on 98.4 % of them", 14) == (Lines{"agrees on", "98.4 % of them"}),
             boost::test_tools::per_element());
  BOOST_TEST(wrapped("100 %", 5) == Lines{"100 %"}, boost::test_tools::per_element());
  BOOST_TEST(wrapped("100 %", 4) == (Lines{"100 ", "%"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
