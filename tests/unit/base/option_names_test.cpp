#include "rnnalf/base/option_names.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(option_names)

BOOST_AUTO_TEST_CASE(a_name_is_written_as_its_readers_write_it) {
  const std::string text = "a larger `max-states`, or none";
  BOOST_TEST(with_option_names(text, Spelling::CommandLine) == "a larger --max-states, or none");
  BOOST_TEST(with_option_names(text, Spelling::Python) == "a larger max_states, or none");
  BOOST_TEST(with_option_names(text, Spelling::Study) == "a larger max-states, or none");
}

BOOST_AUTO_TEST_CASE(a_name_with_a_value_too) {
  const std::string text = "say `cell=elman-tanh` or `head-from=mean`";
  BOOST_TEST(with_option_names(text, Spelling::CommandLine) ==
             "say --cell elman-tanh or --head-from mean");
  BOOST_TEST(with_option_names(text, Spelling::Python) ==
             "say cell='elman-tanh' or head_from='mean'");
  BOOST_TEST(with_option_names(text, Spelling::Study) ==
             "say cell = \"elman-tanh\" or head-from = \"mean\"");
}

BOOST_AUTO_TEST_CASE(a_number_needs_no_quotes) {
  BOOST_TEST(with_option_names("`max-states=20`", Spelling::CommandLine) == "--max-states 20");
  BOOST_TEST(with_option_names("`over=a b`", Spelling::CommandLine) == "--over 'a b'");
  BOOST_TEST(with_option_names("`max-states=20`", Spelling::Python) == "max_states=20");
  BOOST_TEST(with_option_names("`max-states=20`", Spelling::Study) == "max-states = 20");
}

BOOST_AUTO_TEST_CASE(what_is_no_option_stays) {
  for (const std::string text :
       {"", "no name", "`", "a ` b", "``", "`A`", "`-x`", "`two words`", "`ends"}) {
    BOOST_TEST(with_option_names(text, Spelling::CommandLine) == text);
  }
  BOOST_TEST(with_option_names("`A `cell`", Spelling::CommandLine) == "`A --cell");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
