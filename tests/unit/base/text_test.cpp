#include "rnnalf/base/text.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(a_character_is_told_with_its_bytes) {
  BOOST_TEST(first_character("a!").code_point == 0x61U);
  BOOST_TEST(first_character("ä!").code_point == 0xe4U);
  BOOST_TEST(first_character("ä!").bytes == 2U);
  BOOST_TEST(first_character("漢!").bytes == 3U);
  BOOST_TEST(first_character("🙂!").code_point == 0x1f642U);
  BOOST_TEST(first_character("🙂!").bytes == 4U);
  BOOST_TEST(first_character(std::string_view("\0", 1)).bytes == 1U);
}

BOOST_AUTO_TEST_CASE(what_unicode_calls_ill_formed_is_no_character) {
  // Cut short, a lone continuation, overlong, a surrogate, above U+10FFFF, never a byte of UTF-8.
  for (const std::string_view bytes : {"\xe2\x82", "\x80", "\xc0\x80", "\xe0\x9f\xbf",
                                       "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    BOOST_TEST(first_character(bytes).bytes == 0U);
  }
}

BOOST_AUTO_TEST_CASE(width_counts_columns) {
  BOOST_TEST(display_width("") == 0U);
  BOOST_TEST(display_width("aä") == 2U);
  BOOST_TEST(display_width("漢🙂") == 4U);
  BOOST_TEST(display_width("e\u0301") == 1U);       // with a combining accent
  BOOST_TEST(display_width("\u0e01\u0e34") == 1U);  // Thai vowel above its consonant
  BOOST_TEST(display_width("a\xff") == 2U);
}

BOOST_AUTO_TEST_CASE(a_quoted_name_is_one_line_that_steers_nothing) {
  BOOST_TEST(in_quotes("weight_ih") == "'weight_ih'");
  BOOST_TEST(in_quotes("größe") == "'größe'");
  BOOST_TEST(in_quotes("a\nb\033[2J\x7f") == "'a?b?[2J?'");
  BOOST_TEST(in_quotes("a\u202e\xff") ==
             "'a?"
             "?'");
}

BOOST_AUTO_TEST_CASE(a_long_name_is_cut_between_characters) {
  std::string eighty;
  for (int i = 0; i < 80; ++i) eighty += "ä";
  BOOST_TEST(in_quotes(eighty) == "'" + eighty + "'");
  BOOST_TEST(in_quotes(eighty + "b") == "'" + eighty + "...'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
