#include "rnnalf/oracle/rare_words.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"
#include "support/graded_pattern.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

/// 0 at every position but the last, which is 1; over eight symbols.
support::GradedPattern zeros_and_one(std::size_t length) {
  support::GradedPattern::Pattern pattern(length, {Symbol{0}});
  pattern.back() = {Symbol{1}};
  return {pattern, 8};
}

RareWords found_in(const RnnAcceptor& acceptor, const RareWordOptions& options = {},
                   const Budget& budget = kNoLimit) {
  StateTree tree(acceptor, {});
  return find_rare_words(tree, options, budget);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rare_words)

BOOST_AUTO_TEST_CASE(the_only_accepted_word_is_found_among_as_many_as_there_are_of_its_length) {
  const RareWords found = found_in(zeros_and_one(10));
  BOOST_TEST((found.rare == std::vector{Answer::Accept}));
  BOOST_TEST_REQUIRE(found.words.size() == 1U);
  BOOST_TEST(zeros_and_one(10).matches(found.words.words[0]));
  BOOST_TEST((found.words.answers[0] == Answer::Accept));
}

BOOST_AUTO_TEST_CASE(where_no_answer_is_rare_the_search_takes_no_more_than_seeing_that) {
  Random random(3);
  const support::CodedDfa acceptor(support::random_minimal_dfa(4, 4, random), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const RareWords found = find_rare_words(tree, {}, kNoLimit);
  BOOST_TEST(found.rare.empty());
  BOOST_TEST(found.words.size() == 0U);
  BOOST_TEST(tree.stats().steps <= 1536U);
}

BOOST_AUTO_TEST_CASE(over_few_symbols_there_is_no_search) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 1);  // 1*
  StateTree tree(acceptor, {});
  BOOST_TEST(find_rare_words(tree, {}, kNoLimit).rare.empty());
  BOOST_TEST(tree.stats().steps == 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_no_word_has_is_rare_and_not_found) {
  const support::CodedDfa acceptor(Dfa(5), 4, 0.2, 1);
  const RareWords found = found_in(acceptor, {.generations = 3});
  BOOST_TEST((found.rare == std::vector{Answer::Accept}));
  BOOST_TEST(found.words.size() == 0U);
}

BOOST_AUTO_TEST_CASE(the_seed_decides_and_a_spent_budget_finds_nothing) {
  const support::GradedPattern acceptor({{Symbol{0}, Symbol{1}, Symbol{2}},
                                         {Symbol{3}},
                                         {Symbol{0}, Symbol{1}, Symbol{2}},
                                         {Symbol{3}},
                                         {Symbol{0}, Symbol{1}, Symbol{2}},
                                         {Symbol{3}}},
                                        12);
  const RareWords one = found_in(acceptor, {.seed = 7});
  const RareWords again = found_in(acceptor, {.seed = 7});
  const RareWords other = found_in(acceptor, {.seed = 8});
  BOOST_TEST((one.words.words == again.words.words));
  BOOST_TEST((one.words.words != other.words.words));
  Budget spent;
  spent.interrupt();
  BOOST_TEST(found_in(acceptor, {}, spent).words.size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_search_without_a_population_is_refused) {
  BOOST_CHECK_THROW(validate(RareWordOptions{.population = 0}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
