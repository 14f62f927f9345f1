#include "rnnalf/evaluate/evaluate.hpp"

#include <boost/test/unit_test.hpp>

#include "support/coded_dfa.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;
using support::word;

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluating)

BOOST_AUTO_TEST_CASE(exhaustive_agreement_is_that_of_brute_force) {
  const Dfa network = support::tomita(3), dfa = support::tomita(4), target = support::tomita(7);
  const support::CodedDfa acceptor(network, 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const Evaluation result = evaluate(
      tree, dfa, &target, {.lengths = {}, .words = {}, .pumped = 0, .exhaustive = 9}, kNoLimit);
  PairAgreement expected;
  for (const Word& w : support::all_words(2, 9)) {
    ++expected.words;
    expected.network_dfa += network.accepts(w) == dfa.accepts(w) ? 1 : 0;
    expected.network_target += network.accepts(w) == target.accepts(w) ? 1 : 0;
    expected.dfa_target += dfa.accepts(w) == target.accepts(w) ? 1 : 0;
    expected.accepted += network.accepts(w) ? 1 : 0;
  }
  BOOST_TEST_REQUIRE(result.exhaustive.has_value());
  BOOST_TEST(result.exhaustive_length.value() == 9U);
  BOOST_TEST(result.exhaustive->words == expected.words);
  BOOST_TEST(result.exhaustive->network_dfa == expected.network_dfa);
  BOOST_TEST(result.exhaustive->network_target == expected.network_target);
  BOOST_TEST(result.exhaustive->dfa_target == expected.dfa_target);
  BOOST_TEST(result.exhaustive->accepted == expected.accepted);
  BOOST_TEST((result.disagreements.front().word == separating_word(network, dfa)));
  BOOST_TEST((result.separating_word == separating_word(dfa, target)));
  BOOST_TEST(!result.equal_to_target.value());
}

BOOST_AUTO_TEST_CASE(every_part_has_its_words_and_a_right_dfa_agrees_on_all) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const Evaluation result = evaluate(
      tree, support::tomita(5), nullptr,
      {.lengths = {0, 3, 20}, .per_length = 50, .words = {word("01"), word("")}, .pumped = 300},
      kNoLimit);
  BOOST_TEST(result.complete);
  BOOST_TEST(result.by_length.size() == 3U);
  for (const LengthEvaluation& level : result.by_length) {
    BOOST_TEST(level.agreement.words == 50U);
    BOOST_TEST(level.agreement.network_dfa == 50U);
  }
  BOOST_TEST(result.given->words == 2U);
  BOOST_TEST(result.given->accepted == 1U);
  BOOST_TEST(result.pumped->words == 300U);
  BOOST_TEST(result.pumped->network_dfa == 300U);
  BOOST_TEST(!result.exhaustive.has_value());
  BOOST_TEST(result.disagreements.empty());
  BOOST_TEST(!result.equal_to_target.has_value());
}

BOOST_AUTO_TEST_CASE(disagreements_are_the_shortest_found_with_the_networks_answer) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 1);  // 1*
  StateTree tree(acceptor, {});
  const Dfa target = support::tomita(1);
  const Evaluation result = evaluate(tree, Dfa(2), &target,
                                     {.lengths = {},
                                      .words = {word("111"), word("1"), word("0"), word("11")},
                                      .pumped = 0,
                                      .most_disagreements = 2},
                                     kNoLimit);
  BOOST_TEST_REQUIRE(result.disagreements.size() == 2U);
  BOOST_TEST((result.disagreements[0].word == word("1")));
  BOOST_TEST((result.disagreements[1].word == word("11")));
  BOOST_TEST((result.disagreements[0].answer == Answer::Accept));
  BOOST_TEST(result.disagreements[0].probability.value() > 0.5);
  BOOST_TEST((result.disagreements[0].target == Answer::Accept));
}

BOOST_AUTO_TEST_CASE(a_spent_budget_leaves_parts_out_and_says_so) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  Budget spent;
  spent.interrupt();
  const Evaluation result = evaluate(tree, Dfa(2), nullptr, {.exhaustive = 3}, spent);
  BOOST_TEST(!result.complete);
  BOOST_TEST(result.by_length.empty());
  BOOST_TEST(!result.pumped.has_value());
  BOOST_TEST(!result.exhaustive.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
