#include "rnnalf/evaluate/families.hpp"

#include <boost/test/unit_test.hpp>

#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

/// Accepts words with a run of exactly `from` to `to` symbols 1 at the end.
Dfa ends_with_ones(std::uint32_t from, std::uint32_t to) {
  Dfa dfa(2, to + 2);
  for (std::uint32_t q = 0; q < to + 2; ++q) {
    dfa.set_accepting(LState{q}, q >= from && q <= to);
    dfa.set_next(LState{q}, Symbol{0}, LState{0});
    dfa.set_next(LState{q}, Symbol{1}, LState{std::min(q + 1, to + 1)});
  }
  return minimise(dfa);
}

Counterexample word_of(std::initializer_list<unsigned> symbols) {
  Counterexample result;
  for (const unsigned symbol : symbols) result.word.push_back(static_cast<Symbol>(symbol));
  result.answer = Answer::Accept;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rules_behind_exceptions)

BOOST_AUTO_TEST_CASE(similar_words_become_one_rule_with_its_range) {
  // The network accepts after 4 to 6 symbols 1, the DFA never.
  const support::CodedDfa acceptor(ends_with_ones(4, 6), 4, 0.1, 1);
  StateTree tree(acceptor, {});
  const std::vector<Counterexample> words = {word_of({1, 1, 1, 1}), word_of({0, 1, 1, 1, 1, 1}),
                                             word_of({0, 0, 1, 1, 1, 1, 1, 1})};
  const std::vector<Family> found = families(words, Dfa(2), tree, {}, kNoLimit);
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST((found[0].loop == Word{Symbol{1}}));
  BOOST_TEST(found[0].from == 4U);
  BOOST_TEST((found[0].to == std::optional<std::size_t>(6)));
  BOOST_TEST((found[0].answer == Answer::Accept));
  BOOST_TEST(found[0].words == 3U);
  BOOST_TEST((found[0].shortest() == Word(4, Symbol{1})));
}

BOOST_AUTO_TEST_CASE(a_rule_without_end_says_so) {
  // Accepts when a run of five ones was ever seen.
  Dfa seen(2, 6);
  for (std::uint32_t q = 0; q < 5; ++q) {
    seen.set_next(LState{q}, Symbol{0}, LState{0});
    seen.set_next(LState{q}, Symbol{1}, LState{q + 1});
  }
  seen.set_accepting(LState{5}, true);
  const support::CodedDfa acceptor(seen, 4, 0.1, 1);
  StateTree tree(acceptor, {});
  const std::vector<Counterexample> words = {word_of({1, 1, 1, 1, 1, 1, 1})};
  const std::vector<Family> found = families(words, Dfa(2), tree, {}, kNoLimit);
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].from == 5U);
  BOOST_TEST(!found[0].to.has_value());
  BOOST_TEST(found[0].share == 1.0);  // whatever stands around the five ones
}

BOOST_AUTO_TEST_CASE(words_without_a_repeated_part_belong_to_no_rule) {
  const support::CodedDfa acceptor(support::tomita(4), 4, 0.1, 1);
  StateTree tree(acceptor, {});
  const std::vector<Counterexample> words = {word_of({0, 1}), word_of({1, 1, 0})};
  BOOST_TEST(families(words, Dfa(2), tree, {}, kNoLimit).empty());
}

BOOST_AUTO_TEST_CASE(every_word_of_a_rule_separates) {
  Random random(7);
  for (std::uint64_t world = 0; world < 40; ++world) {
    const Dfa language = support::random_minimal_dfa(8, 2, random);
    const Dfa dfa = support::random_minimal_dfa(3, 2, random);
    const support::CodedDfa acceptor(language, 4, 0.1, world);
    StateTree tree(acceptor, {});
    std::vector<Counterexample> words;
    for (const Symbol symbol : {Symbol{0}, Symbol{1}}) {
      for (std::size_t length = 3; length < 12; ++length) {
        const Word word(length, symbol);
        if (language.accepts(word) == dfa.accepts(word)) continue;
        words.push_back({.word = word, .answer = language.answer(word)});
      }
    }
    for (const Family& family : families(words, dfa, tree, {}, kNoLimit)) {
      for (std::size_t k = family.from; k <= family.to.value_or(family.tried); ++k) {
        const Word word = PumpedWord{family.prefix, family.loop, k, family.suffix}.word();
        BOOST_TEST(language.accepts(word) != dfa.accepts(word), "world " << world);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
