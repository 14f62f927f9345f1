#include "rnnalf/base/alphabet.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::word;
namespace data = boost::unit_test::data;

bool mentions(const std::exception& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(alphabet)

BOOST_AUTO_TEST_CASE(a_text_with_spaces_is_split_at_them) {
  const Alphabet json = Alphabet::parse("[ ] S 0 N T F ,");
  BOOST_TEST(json.names() == (std::vector<std::string>{"[", "]", "S", "0", "N", "T", "F", ","}),
             boost::test_tools::per_element());
  BOOST_TEST(json.is_compact());
}

BOOST_AUTO_TEST_CASE(a_text_without_spaces_is_one_symbol_per_unicode_character) {
  const Alphabet greek = Alphabet::parse("aβ😀");
  BOOST_TEST(greek.names() == (std::vector<std::string>{"a", "β", "😀"}),
             boost::test_tools::per_element());
  BOOST_TEST(greek.is_compact());
}

BOOST_AUTO_TEST_CASE(words_are_written_without_separators_iff_every_symbol_is_one_character) {
  const Alphabet compact = Alphabet::parse("aβ");
  BOOST_TEST(compact.format(word("011")) == "aββ");
  BOOST_TEST((compact.parse_word("aββ") == word("011")));
  const Alphabet spaced = Alphabet::parse("push pop");
  BOOST_TEST(spaced.format(word("011")) == "push pop pop");
  BOOST_TEST((spaced.parse_word("push pop pop") == word("011")));
}

BOOST_AUTO_TEST_CASE(eleven_numbered_symbols_need_separators_and_ten_do_not) {
  BOOST_TEST(Alphabet::numbered(10).is_compact());
  BOOST_TEST(!Alphabet::numbered(11).is_compact());
  BOOST_TEST(Alphabet::numbered(11).format(Word{Symbol{1}, Symbol{10}}) == "1 10");
}

BOOST_AUTO_TEST_CASE(the_empty_text_is_the_empty_word) {
  BOOST_TEST(Alphabet::parse("ab").parse_word("").empty());
  BOOST_TEST(Alphabet::parse("push pop").parse_word("").empty());
}

BOOST_AUTO_TEST_CASE(an_unknown_symbol_is_named_with_its_position) {
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(Alphabet::parse("01").parse_word("01x0")), WordError,
      [](const auto& error) { return mentions(error, "symbol 3") && mentions(error, "'x'"); });
}

BOOST_AUTO_TEST_CASE(find_gives_the_position_or_nothing) {
  const Alphabet alphabet = Alphabet::parse("ab");
  BOOST_TEST((alphabet.find("b") == Symbol{1}));
  BOOST_TEST(!alphabet.find("c").has_value());
  BOOST_TEST(!alphabet.find("").has_value());
}

const std::vector<std::string> refused = {"",     "   ",  "aa",   "a b a",
                                          "a\tb", "\x7f", "\xff", "ab c\xff"};
BOOST_DATA_TEST_CASE(symbols_must_be_distinct_printable_utf8, data::make(refused), text) {
  BOOST_CHECK_THROW((void)Alphabet::parse(text), OptionError);
}

BOOST_AUTO_TEST_CASE(a_symbol_is_refused_for_bad_utf8_also_after_a_long_symbol) {
  BOOST_CHECK_THROW(Alphabet({"push", "\xc3"}), OptionError);
}

const std::vector<std::string> malformed = {"\x80",
                                            "\xc0\x80",
                                            "\xc1\xbf",
                                            "\xc3",
                                            "\xe0\x80\x80",
                                            "\xed\xa0\x80",
                                            "\xe2\x82",
                                            "\xf0\x80\x80\x80",
                                            "\xf4\x90\x80\x80",
                                            "\xf5\x80\x80\x80",
                                            "a\xff"};
BOOST_DATA_TEST_CASE(malformed_utf8_is_refused, data::make(malformed), text) {
  BOOST_CHECK_THROW((void)utf8_characters(text), OptionError);
}

BOOST_AUTO_TEST_CASE(the_smallest_and_largest_character_of_every_length_are_accepted) {
  const std::vector<std::string> edges = {
      "\x01",         "\x7f",         "\xc2\x80",     "\xdf\xbf",         "\xe0\xa0\x80",
      "\xef\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
  std::string all;
  for (const std::string& edge : edges) all += edge;
  BOOST_TEST(utf8_characters(all) == edges, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
