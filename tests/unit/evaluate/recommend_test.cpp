#include "rnnalf/evaluate/recommend.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

/// Tomita 4 but for one word, which it answers wrongly: a network with an exception.
Dfa with_exception(const Word& exception) {
  const Dfa plain = support::tomita(4);
  // A path of states for the exception's prefixes; whoever leaves it is in the plain part.
  Dfa dfa(2, plain.size() + exception.size() + 1);
  const auto path = [&](std::size_t i) { return static_cast<LState>(plain.size() + i); };
  for (std::size_t q = 0; q < plain.size(); ++q) {
    const auto state = static_cast<LState>(q);
    dfa.set_accepting(state, plain.accepts(state));
    for (std::uint32_t a = 0; a < 2; ++a)
      dfa.set_next(state, Symbol{a}, plain.next(state, Symbol{a}));
  }
  for (std::size_t i = 0; i <= exception.size(); ++i) {
    const LState here = plain.run(WordView(exception).first(i));
    dfa.set_accepting(path(i), plain.accepts(here) != (i == exception.size()));
    for (std::uint32_t a = 0; a < 2; ++a) {
      const bool on = i < exception.size() && exception[i] == Symbol{a};
      dfa.set_next(path(i), Symbol{a}, on ? path(i + 1) : plain.next(here, Symbol{a}));
    }
  }
  dfa.set_initial(path(0));
  return minimise(dfa);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recommending)

BOOST_AUTO_TEST_CASE(a_small_model_is_preferred_and_its_exception_listed) {
  Random random(1);
  const Word odd = uniform_word(2, 16, random);
  const Dfa network = with_exception(odd);
  const support::CodedDfa acceptor(network, 6, 0.2, 1);
  StateTree tree(acceptor, {});
  const std::vector<Dfa> hypotheses = {Dfa(2), support::tomita(4), network};
  const std::vector<Word> known = {{Symbol{1}}, odd};
  const Recommendation result = recommend(hypotheses, known, tree, {}, kNoLimit);
  BOOST_TEST(result.complete);
  BOOST_TEST(result.index == 1U);
  BOOST_TEST_REQUIRE(result.exceptions.size() == 1U);  // 1 refutes the first hypothesis alone
  BOOST_TEST((result.exceptions[0].word == odd));
  BOOST_TEST(result.exceptions[0].accepted == network.accepts(odd));
  BOOST_TEST((result.exceptions[0].probability.value() > 0.5) == network.accepts(odd));
  BOOST_TEST(result.agreement.size() == 3U);
  BOOST_TEST(overall_share(result.agreement[2]) == 1.0);
  BOOST_TEST(overall_share(result.agreement[0]) < 0.7);

  // Without tolerance, and with the exception among the words, the last one stays.
  const Recommendation exact = recommend(
      hypotheses, known, tree, {.tolerance = 0, .lengths = {16}, .per_length = 200000}, kNoLimit);
  BOOST_TEST(exact.index == 2U);
  BOOST_TEST(exact.exceptions.empty());
}

BOOST_AUTO_TEST_CASE(a_rare_language_is_not_mistaken_for_the_empty_one) {
  const support::CodedDfa acceptor(support::tomita(2), 4, 0.2, 1);  // one word of each even length
  StateTree tree(acceptor, {});
  const std::vector<Dfa> hypotheses = {Dfa(2), support::tomita(2)};
  BOOST_TEST(recommend(hypotheses, {}, tree, {}, kNoLimit).index == 1U);
}

BOOST_AUTO_TEST_CASE(exceptions_are_listed_shortest_first_up_to_the_limit) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const std::vector<Dfa> hypotheses = {Dfa(2)};
  const Recommendation result = recommend(hypotheses, {}, tree, {.most_exceptions = 10}, kNoLimit);
  BOOST_TEST(result.exceptions.size() == 10U);
  for (std::size_t i = 1; i < result.exceptions.size(); ++i) {
    BOOST_TEST(result.exceptions[i - 1].word.size() <= result.exceptions[i].word.size());
  }
  for (const Counterexample& exception : result.exceptions) BOOST_TEST(exception.accepted);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_recommends_the_last_hypothesis) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  Budget spent;
  spent.interrupt();
  const std::vector<Dfa> hypotheses = {Dfa(2), support::tomita(4)};
  const Recommendation result = recommend(hypotheses, {}, tree, {}, spent);
  BOOST_TEST(!result.complete);
  BOOST_TEST(result.index == 1U);
  BOOST_TEST(result.agreement[1].empty());
}

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused) {
  BOOST_CHECK_THROW(validate(RecommendOptions{.tolerance = -0.1}), OptionError);
  BOOST_CHECK_THROW(validate(RecommendOptions{.tolerance = NAN}), OptionError);
  BOOST_CHECK_THROW(validate(RecommendOptions{.per_length = 0}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
