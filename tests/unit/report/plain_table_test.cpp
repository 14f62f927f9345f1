#include "rnnalf/report/plain_table.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(plain_table)

BOOST_AUTO_TEST_CASE(notes_stand_below_the_table_and_are_wrapped) {
  const PlainTable table{{Align::Left, Align::Right},
                         {"name", "n"},
                         {{"a", "7"}, {"bcdef", "10"}},
                         {"one two three four five six seven eight nine ten eleven"}};
  BOOST_TEST(plain_text(table, 40) ==
             "name    n\n"
             "a       7\n"
             "bcdef  10\n"
             "\n"
             "one two three four five six seven eight\n"
             "nine ten eleven\n");
}

BOOST_AUTO_TEST_CASE(letters_go_on_after_z_as_those_of_spreadsheets) {
  BOOST_TEST(column_letters(0) == "A");
  BOOST_TEST(column_letters(25) == "Z");
  BOOST_TEST(column_letters(26) == "AA");
  BOOST_TEST(column_letters(26 + 26 * 26) == "AAA");
}

BOOST_AUTO_TEST_CASE(latex_has_dashes_for_ranges_of_numbers_and_for_nothing_else) {
  const PlainTable table{{Align::Left, Align::Right},
                         {"w-method", "A-states"},
                         {{"wp-method", "5 (4-6)"}, {"-", "-"}},
                         {"a % in a note"}};
  BOOST_TEST(plain_latex(table) ==
             "% needs \\usepackage{booktabs}\n"
             "% a % in a note\n"
             "\\begin{tabular}{lr}\n"
             "\\toprule\n"
             "w-method & A-states \\\\\n"
             "\\midrule\n"
             "wp-method & 5 (4--6) \\\\\n"
             "-- & -- \\\\\n"
             "\\bottomrule\n"
             "\\end{tabular}\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
