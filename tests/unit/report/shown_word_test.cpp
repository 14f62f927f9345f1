#include "rnnalf/report/shown_word.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/report/printable.hpp"

namespace rnnalf {
namespace {

std::string shown(const Alphabet& alphabet, const std::string& word, std::size_t width,
                  bool utf8 = true) {
  return shown_word(alphabet, alphabet.parse_word(word), width, utf8);
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

const Alphabet binary({"0", "1"});

BOOST_AUTO_TEST_SUITE(shown_words)

BOOST_AUTO_TEST_CASE(a_word_that_fits_is_written_out) {
  BOOST_TEST(shown(binary, "0101010101", 20) == "0101010101");
  BOOST_TEST(shown(Alphabet({"ab", "c"}), "ab c ab", 20) == "ab c ab");
}

BOOST_AUTO_TEST_CASE(the_empty_word_is_visible) {
  BOOST_TEST(shown(binary, "", 20) == "ε");
  BOOST_TEST(shown(binary, "", 20, false) == "\"\"");
  BOOST_TEST(shown(Alphabet({"ε", "1"}), "", 20) == "\"\"");
}

BOOST_AUTO_TEST_CASE(repetitions_of_a_long_word_become_powers) {
  BOOST_TEST(shown(binary, "0" + repeated("01", 50), 20) == "0 (01)^50");
  BOOST_TEST(shown(binary, repeated("1", 40) + "0", 20) == "1^40 0");
}

BOOST_AUTO_TEST_CASE(powers_are_not_taken_for_the_symbols_that_follow) {
  BOOST_TEST(shown(binary, repeated("01", 50) + "1", 20) == "(01)^50 1");
  BOOST_TEST(shown(Alphabet({"0", "^"}), repeated("0", 50), 20) == "0**50");
}

BOOST_AUTO_TEST_CASE(the_words_of_a_family_are_a_pattern_with_the_range_of_k) {
  Family family{
      .prefix = {Symbol{1}}, .loop = {Symbol{0}, Symbol{1}}, .suffix = {Symbol{0}}, .from = 7};
  BOOST_TEST(family_pattern(binary, family) == "1 (01)^k 0, k >= 7");
  family.to = 12;
  BOOST_TEST(family_pattern(binary, family) == "1 (01)^k 0, 7 <= k <= 12");
  family.to = 7;
  BOOST_TEST(family_pattern(binary, family) == "1 (01)^7 0");
  BOOST_TEST(family_pattern(Alphabet({"(", "b"}), family) == "b [(b]^7 (");
  BOOST_TEST(family_pattern(Alphabet({"get", "put"}), family) == "put (get put)^7 get");
}

BOOST_AUTO_TEST_CASE(brackets_of_powers_are_no_symbols_of_the_alphabet) {
  BOOST_TEST(shown(Alphabet({"(", ")"}), repeated("()", 50), 20) == "[()]^50");
}

BOOST_AUTO_TEST_CASE(other_long_words_show_their_ends_and_length) {
  const std::string word = "0010110111011110111110111111011111110111111110";
  const std::string text = shown(binary, word, 20);
  BOOST_TEST(text == "0010110…1111110 [46]");
  BOOST_TEST(display_width(text) <= 20U);
}

BOOST_AUTO_TEST_CASE(no_word_is_wider_than_asked) {
  const Alphabet spaced({"alpha", "beta", "漢"});
  Word word;
  for (unsigned i = 0; i < 200; ++i) {
    word.push_back(static_cast<Symbol>(i * i % 3));
    for (const std::size_t width : {12U, 17U, 40U, 80U}) {
      for (const bool utf8 : {true, false}) {
        BOOST_TEST(display_width(shown_word(spaced, word, width, utf8)) <= width);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
