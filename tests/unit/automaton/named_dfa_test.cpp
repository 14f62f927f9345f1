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

/// Counts its letter modulo the number of states, and says the state's own class.
NamedDfa counter(const std::vector<std::uint16_t>& classes, const ClassNames& names) {
  NamedDfa result{Alphabet::parse("a"), Dfa(1, classes.size(), names.size()), names};
  for (std::uint32_t q = 0; q < classes.size(); ++q) {
    result.dfa.set_answer(LState{q}, static_cast<Answer>(classes[q]));
    result.dfa.set_next(LState{q}, Symbol{0},
                        LState{static_cast<std::uint32_t>((q + 1) % classes.size())});
  }
  return result;
}

BOOST_AUTO_TEST_CASE(classes_are_renumbered_by_name) {
  const ClassNames theirs({"high", "low", "middle"});
  const ClassNames ours({"low", "middle", "high", "none"});
  const Dfa dfa = renumber_answers(counter({1, 2, 0}, theirs), 4, ours);
  BOOST_TEST((dfa == counter({0, 1, 2}, ours).dfa));
}

BOOST_AUTO_TEST_CASE(classes_without_names_are_those_of_the_same_numbers) {
  const ClassNames ours({"low", "middle", "high"});
  NamedDfa numbers = counter({2, 0, 1}, ours);
  numbers.classes = {};
  BOOST_TEST((renumber_answers(numbers, 3, ours) == numbers.dfa));
  BOOST_TEST((renumber_answers(numbers, 3, {}) == numbers.dfa));
}

BOOST_AUTO_TEST_CASE(a_class_that_the_network_does_not_have_is_named) {
  const NamedDfa automaton = counter({0, 1, 2}, ClassNames({"low", "middle", "high"}));
  const auto message = [&](std::size_t answers, const ClassNames& classes) {
    try {
      (void)renumber_answers(automaton, answers, classes);
    } catch (const OptionError& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  BOOST_TEST(message(3, ClassNames({"low", "mean", "high"})) ==
             "expected the classes low mean high, found 'middle'");
  BOOST_TEST(message(3, {}) ==
             "expected classes by number, as those of the network have no names, found 'low'");
  BOOST_TEST(message(2, {}) ==
             "expected a DFA, as the network has two answers, found a Moore machine");
  // One that no state gives need not be there.
  const NamedDfa low = counter({0}, automaton.classes);
  BOOST_TEST((renumber_answers(low, 3, ClassNames({"a", "b", "low"})).answer(Word{}) == Answer{2}));
}

BOOST_AUTO_TEST_CASE(automata_are_compared_by_the_names_that_both_have) {
  const NamedDfa one = counter({0, 1, 2}, ClassNames({"low", "middle", "high"}));
  BOOST_TEST(!separating_word(one, counter({2, 0, 1}, ClassNames({"middle", "high", "low"}))));
  const auto other = separating_word(one, counter({0, 1, 2}, ClassNames({"low", "mean", "high"})));
  BOOST_TEST((other == Word{Symbol{0}}));
  // Where one has none, by number.
  NamedDfa numbers = one;
  numbers.classes = {};
  BOOST_TEST(!separating_word(one, numbers));
  BOOST_TEST(!separating_word(numbers, one));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
