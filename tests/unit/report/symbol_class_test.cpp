#include "rnnalf/report/symbol_class.hpp"

#include <boost/test/unit_test.hpp>

#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Alphabet letters = Alphabet::parse("()abcdefghijklmnopqrstuvwxyz");
const Alphabet digits = Alphabet::parse("0123456789");

std::string label(const Alphabet& alphabet, const std::string& symbols) {
  const Word word = alphabet.parse_word(symbols);
  return class_label(alphabet, word);
}

BOOST_AUTO_TEST_SUITE(symbol_class)

BOOST_AUTO_TEST_CASE(symbols_in_a_row_are_a_range) {
  BOOST_TEST(label(letters, "abcdefghijklmnopqrstuvwxyz") == "a-z");
  BOOST_TEST(label(letters, "(abcx") == "( a-c x");
  BOOST_TEST(label(letters, "ab") == "a b");
}

BOOST_AUTO_TEST_CASE(all_but_a_few_are_a_complement_when_that_is_shorter) {
  BOOST_TEST(label(letters, "()abdefhijklnoprstuvxyz") == "[^cgmqw]");
  BOOST_TEST(label(digits, "012346789") == "[^5]");
}

BOOST_AUTO_TEST_CASE(all_symbols_are_any_but_a_pair_is_written_out) {
  BOOST_TEST(label(digits, "0123456789") == "any");
  BOOST_TEST(label(Alphabet({"0", "1"}), "01") == "0 1");
}

BOOST_AUTO_TEST_CASE(long_symbols_keep_their_spaces) {
  const Alphabet words({"if", "then", "else"});
  BOOST_TEST(label(words, "if else") == "if else");
}

BOOST_AUTO_TEST_CASE(a_short_label_has_the_first_symbols_and_their_number) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("w" + std::to_string(i));
  const Alphabet words(names);
  std::vector<Symbol> every_third, all;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    if (i % 3 == 0) every_third.push_back(Symbol{i});
    all.push_back(Symbol{i});
  }
  BOOST_TEST(short_class_label(words, every_third, 20) == "w0 w3 w6 ... (334)");
  BOOST_TEST(short_class_label(words, all, 20) == "any");
  BOOST_TEST(short_class_label(words, std::vector<Symbol>{Symbol{5}, Symbol{7}}, 20) == "w5 w7");
  BOOST_TEST(short_class_label(letters, letters.parse_word("(abcx"), 20) == "( a-c x");
}

BOOST_AUTO_TEST_CASE(symbols_that_act_alike_in_every_state_are_one_class) {
  Dfa dfa(3, 2);  // symbols 0 and 2 swap the states, 1 stays
  for (const Symbol symbol : {Symbol{0}, Symbol{2}}) {
    dfa.set_next(LState{0}, symbol, LState{1});
    dfa.set_next(LState{1}, symbol, LState{0});
  }
  const auto classes = symbol_classes(dfa);
  BOOST_TEST_REQUIRE(classes.size() == 2U);
  BOOST_TEST((classes[0] == std::vector<Symbol>{Symbol{0}, Symbol{2}}));
  BOOST_TEST((classes[1] == std::vector<Symbol>{Symbol{1}}));
}

BOOST_AUTO_TEST_CASE(merged_transitions_are_the_transitions_each_once) {
  Random random(7);
  const Dfa dfa = support::random_minimal_dfa(20, 5, random);
  Dfa rebuilt(dfa.symbol_count(), dfa.size());
  std::size_t count = 0;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    rebuilt.set_accepting(static_cast<LState>(q), dfa.accepts(static_cast<LState>(q)));
  }
  for (const auto& [from, to, symbols] : merged_transitions(dfa)) {
    for (const Symbol symbol : symbols) {
      rebuilt.set_next(from, symbol, to);
      ++count;
    }
  }
  BOOST_TEST((rebuilt == dfa));
  BOOST_TEST(count == dfa.size() * dfa.symbol_count());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
