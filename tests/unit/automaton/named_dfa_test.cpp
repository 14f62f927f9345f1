#include "rnnalf/automaton/named_dfa.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::all_words;
using support::random_dfa;

BOOST_AUTO_TEST_SUITE(named_dfa)

BOOST_AUTO_TEST_CASE(reordering_renumbers_symbols_and_keeps_the_language) {
  Random random(7);
  const Alphabet ours = Alphabet::parse("abc");
  const Alphabet theirs = Alphabet::parse("cab");
  const NamedDfa automaton{ours, random_dfa(5, 3, random)};
  const Dfa reordered = reorder(automaton, theirs);
  for (const Word& word : all_words(3, 5)) {
    BOOST_TEST(automaton.dfa.accepts(word) ==
               reordered.accepts(theirs.parse_word(ours.format(word))));
  }
}

BOOST_AUTO_TEST_CASE(a_symbol_that_only_one_side_has_is_named) {
  const NamedDfa automaton{Alphabet::parse("ab"), Dfa(2)};
  const auto names = [](const std::string& symbol) {
    return [symbol](const OptionError& error) {
      return std::string(error.what()).find("'" + symbol + "'") != std::string::npos;
    };
  };
  BOOST_CHECK_EXCEPTION((void)reorder(automaton, Alphabet::parse("abc")), OptionError, names("c"));
  BOOST_CHECK_EXCEPTION((void)reorder(automaton, Alphabet::parse("a")), OptionError, names("b"));
  BOOST_CHECK_EXCEPTION((void)reorder(automaton, Alphabet::parse("ac")), OptionError, names("c"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
