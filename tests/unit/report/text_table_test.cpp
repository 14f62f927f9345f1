#include "rnnalf/report/text_table.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(text_table)

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_widest_entry_and_two_spaces_apart) {
  TextTable table({Align::Left, Align::Right, Align::Left});
  table.row({"network", "states", "verdict"});
  table.row({"a", "12345678", "x"});
  BOOST_TEST(table.text() ==
             "network    states  verdict\n"
             "a        12345678  x\n");
}

BOOST_AUTO_TEST_CASE(widths_are_those_of_a_terminal) {
  TextTable table({Align::Left, Align::Left});
  table.row({"日本", "1"});
  table.row({"ε", "2"});
  BOOST_TEST(table.text() == "日本  1\nε     2\n");
}

BOOST_AUTO_TEST_CASE(no_line_ends_with_a_space) {
  TextTable table({Align::Left, Align::Left});
  table.row({"a", ""});
  table.row({"", "b"});
  table.row({"long"});
  BOOST_TEST(table.text() == "a\n      b\nlong\n");
}

BOOST_AUTO_TEST_CASE(the_last_column_is_wrapped_below_itself) {
  TextTable table({Align::Left, Align::Left}, {.indent = 2, .width = 30});
  table.row({"--a", "one two three four five six"});
  table.row({"--bcd", "seven"});
  BOOST_TEST(table.text() ==
             "  --a    one two three four\n"
             "         five six\n"
             "  --bcd  seven\n");
}

BOOST_AUTO_TEST_CASE(columns_can_be_wider_than_their_entries) {
  TextTable table({Align::Left, Align::Right, Align::Left}, {.indent = 1, .least = {3, 4}});
  table.row({"a", "1", "b"});
  table.row({"cdef", "2", "g"});
  BOOST_TEST(table.text() == " a        1  b\n cdef     2  g\n");
  BOOST_TEST(table.width() == 1U + 4 + 2 + 4 + 2 + 1);
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_is_empty) {
  BOOST_TEST(TextTable({Align::Left}).text() == "");
}

BOOST_AUTO_TEST_CASE(a_row_with_more_entries_than_columns_is_a_bug) {
  TextTable table({Align::Left});
  BOOST_CHECK_THROW(table.row({"a", "b"}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
