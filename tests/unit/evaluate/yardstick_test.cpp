#include "rnnalf/evaluate/yardstick.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

Yardstick yardstick_of(const Dfa& language, const YardstickOptions& options = {}) {
  const support::CodedDfa acceptor(language, 4, 0.2, 1);
  StateTree tree(acceptor, {});
  auto yardstick = Yardstick::make(tree, options, kNoLimit);
  BOOST_TEST_REQUIRE(yardstick.has_value());
  return *std::move(yardstick);
}

/// (^n )^n and everything nested properly up to a depth, over ( and ) and ten letters.
Dfa parentheses(std::uint32_t depth) {
  const std::uint32_t sink = depth + 1;
  Dfa dfa(12, sink + 1);
  dfa.set_accepting(LState{0}, true);
  for (std::uint32_t q = 0; q < sink; ++q) {
    dfa.set_next(LState{q}, Symbol{0}, LState{q + 1});
    dfa.set_next(LState{q}, Symbol{1}, LState{q == 0 ? sink : q - 1});
  }
  return dfa;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(yardstick)

BOOST_AUTO_TEST_CASE(the_language_itself_agrees_on_every_word_of_every_length) {
  const Agreement agreement = yardstick_of(support::tomita(5)).measure(support::tomita(5));
  BOOST_TEST_REQUIRE(agreement.uniform.size() == 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    BOOST_TEST(agreement.uniform[i].length == i + 1);
    BOOST_TEST(agreement.uniform[i].words == (i < 28 ? 1000U : 300U));
    BOOST_TEST(agreement.uniform[i].agreed == agreement.uniform[i].words);
  }
  BOOST_TEST(agreement.pumped.share() == 1.0);
  BOOST_TEST(!agreement.given.has_value());
}

BOOST_AUTO_TEST_CASE(every_exception_is_one_and_they_come_shortest_first) {
  const Yardstick words = yardstick_of(support::tomita(5));
  const std::vector<Word> exceptions = words.exceptions(support::tomita(4), 20);
  BOOST_TEST(exceptions.size() == 20U);
  BOOST_TEST(std::is_sorted(exceptions.begin(), exceptions.end(), ShortlexLess{}));
  for (const Word& word : exceptions) {
    BOOST_TEST(support::tomita(4).accepts(word) != support::tomita(5).accepts(word));
  }
}

BOOST_AUTO_TEST_CASE(where_an_answer_is_rare_the_edit_walk_finds_words_of_the_language) {
  // Of uniform words almost none is balanced, so rejecting everything looks right on them.
  const Yardstick words = yardstick_of(parentheses(6));
  const Agreement rejecting = words.measure(Dfa(12));
  std::size_t accepted = 0;
  for (const LengthAgreement& at : rejecting.language) accepted += at.words - at.agreed;
  BOOST_TEST(accepted > 300U);
  // Deep nesting is met: an automaton that counts to two errs on the walk's words.
  const Agreement shallow = words.measure(parentheses(2));
  BOOST_TEST(overall_share(shallow.language) < 1.0);
}

BOOST_AUTO_TEST_CASE(words_of_each_answer_are_counted_with_their_lengths) {
  // 1*: of the uniform words almost none, so most accepted ones are of the edit walk.
  const Yardstick words = yardstick_of(support::tomita(1), {});
  BOOST_TEST_REQUIRE(words.met().size() == 2U);
  const AnswerMet& rejected = words.met()[0];
  const AnswerMet& accepted = words.met()[1];
  BOOST_TEST(accepted.words + rejected.words == words.words());
  BOOST_TEST(accepted.shortest == 1U);
  BOOST_TEST(accepted.words < rejected.words);
  BOOST_TEST(rejected.longest >= 100U);
}

BOOST_AUTO_TEST_CASE(given_words_begin_the_walk_in_the_language) {
  // Two parentheses of twelve symbols: without them nothing of length 5 would be met so soon.
  const Word nested{Symbol{0}, Symbol{0}, Symbol{0}, Symbol{1}, Symbol{1}, Symbol{1}};
  const YardstickOptions few{.edits = 16, .given = {nested}};
  const Agreement shallow = yardstick_of(parentheses(6), few).measure(parentheses(2));
  std::size_t wrong = 0;
  for (const LengthAgreement& at : shallow.language) wrong += at.words - at.agreed;
  BOOST_TEST(wrong > 0U);
}

BOOST_AUTO_TEST_CASE(given_words_are_measured_apart) {
  const Yardstick words = yardstick_of(
      support::tomita(1), {.given = {{Symbol{0}}, {Symbol{1}}, {Symbol{1}, Symbol{1}}}});
  const auto given = words.measure(Dfa(2)).given;
  BOOST_TEST_REQUIRE(given.has_value());
  BOOST_TEST(given->words == 3U);
  BOOST_TEST(given->agreed == 1U);  // 0 is rejected, 1 and 11 are not
}

BOOST_AUTO_TEST_CASE(a_spent_budget_gives_none_and_bad_options_are_refused) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  Budget spent;
  spent.interrupt();
  BOOST_TEST(!Yardstick::make(tree, {}, spent).has_value());
  BOOST_CHECK_THROW(validate(YardstickOptions{.walks = 0}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
