#include "rnnalf/automaton/regex.hpp"
#include "rnnalf/automaton/product.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <string>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"

namespace {

using namespace rnnalf;

const Alphabet kSymbols = Alphabet::parse("abc/");

bool matches(const std::string& pattern, const std::string& word,
             const Alphabet& alphabet = kSymbols) {
  return parse_regex(pattern, alphabet).accepts(alphabet.parse_word(word));
}

/// A random expression that also std::regex reads.
std::string random_pattern(Random& random, int depth) {
  const auto inner = [&] { return random_pattern(random, depth - 1); };
  switch (random.below(depth == 0 ? 3 : 9)) {
    case 0:
    case 1:
      return std::string(1, "abc/"[random.below(4)]);
    case 2:
      return random.below(2) == 0 ? "." : random.below(2) == 0 ? "[a-b/]" : "[^ac]";
    case 3:
      return inner() + inner();
    case 4:
      return "(" + inner() + "|" + inner() + ")";
    case 5:
      return "(" + inner() + ")*";
    case 6:
      return "(" + inner() + ")?";
    case 7:
      return "(" + inner() + ")+";
    default:
      return "(" + inner() + "){1,2}";
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(regex)

BOOST_AUTO_TEST_CASE(the_same_words_match_as_for_the_standard_library) {
  Random random(5);
  for (int round = 0; round < 150; ++round) {
    const std::string pattern = random_pattern(random, 3);
    const Dfa dfa = parse_regex(pattern, kSymbols);
    const std::regex other(pattern);
    for (int i = 0; i < 60; ++i) {
      std::string word;
      for (std::size_t t = random.below(7); t > 0; --t) word += "abc/"[random.below(4)];
      BOOST_TEST(dfa.accepts(kSymbols.parse_word(word)) == std::regex_match(word, other),
                 pattern << " on '" << word << "'");
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_words_match_and_the_automaton_is_minimal) {
  BOOST_TEST(!matches("//", "a//"));
  BOOST_TEST(matches(".*//.*", "ab//c"));
  BOOST_TEST(parse_regex(".*//.*", kSymbols).size() == 3U);
  BOOST_TEST(parse_regex("(a|b|c|/)*|a", kSymbols).size() == 1U);
  BOOST_TEST(parse_regex("a{3,5}", kSymbols).size() == 7U);
  BOOST_TEST(matches("()", ""));
  BOOST_TEST(matches("a b | c", "ab"));
}

BOOST_AUTO_TEST_CASE(symbols_with_long_names_and_names_that_mean_something_can_be_written) {
  const Alphabet named({"a", "*", "open", "]"});
  BOOST_TEST(matches("<open> \\* \\]", "open * ]", named));
  BOOST_TEST(matches("[<open>\\]]+", "open ]", named));
  BOOST_TEST(!matches("[^<open>]", "open", named));
}

BOOST_AUTO_TEST_CASE(a_difference_has_the_words_of_the_first_automaton_alone) {
  const Dfa words = difference(parse_regex("a.*", kSymbols), parse_regex(".*b", kSymbols));
  BOOST_TEST((words == parse_regex("a|a.*[^b]", kSymbols)));
  BOOST_CHECK_THROW((void)difference(words, Dfa(3)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_refined_automaton_has_the_same_language_and_finer_states) {
  const Dfa words = parse_regex("a.*", kSymbols), last = parse_regex(".*b", kSymbols);
  const Dfa finer = refined(words, last);
  BOOST_TEST(equivalent(finer, words));
  BOOST_TEST(finer.size() == 5U);  // the empty word; begins with a or not, ends with b or not
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_with_their_position) {
  const struct {
    const char *pattern, *message;
  } cases[] = {
      {"(ab", "regex: character 4: expected ')', found the end"},
      {"ab)", "regex: character 3: expected an expression, found ')'"},
      {"a|*", "regex: character 3: expected a symbol, found '*'"},
      {"ax", "regex: character 2: expected a symbol of the alphabet abc/, found 'x'"},
      {"[b-a]", "regex: character 4: expected a range from a character to a later one, found 'a'"},
      {"[ab", "regex: character 4: expected a symbol, found the end"},
      {"a{2,1}", "regex: character 6: expected 2 or more, found 1"},
      {"a{,2}", "regex: character 3: expected a number, found ','"},
      {"a\\b",
       "regex: character 3: expected a character that is no letter and no digit after \\, "
       "found 'b'"},
  };
  for (const auto& one : cases) {
    BOOST_CHECK_EXCEPTION((void)parse_regex(one.pattern, kSymbols), OptionError,
                          [&](const OptionError& error) {
                            BOOST_TEST(error.what() == std::string(one.message));
                            return true;
                          });
  }
}

BOOST_AUTO_TEST_CASE(what_would_take_too_much_memory_is_refused) {
  for (const std::string pattern :
       {".*a.{40}", "((a{1000}){1000}){1000}", "((a?b?c?){900}){900}"}) {
    BOOST_CHECK_THROW((void)parse_regex(pattern, kSymbols), OptionError);
  }
  BOOST_CHECK_THROW((void)parse_regex(std::string(100'000, '('), kSymbols), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
