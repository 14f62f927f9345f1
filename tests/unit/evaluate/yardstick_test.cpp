#include "rnnalf/evaluate/yardstick.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

struct YardstickWorld {
  explicit YardstickWorld(const Dfa& language, const YardstickOptions& options = {})
      : acceptor(language, 4, 0.2, 1),
        tree(acceptor, {}),
        words(*Yardstick::make(tree, options, kNoLimit)) {}

  [[nodiscard]] std::vector<AnswerAgreement> answers(const Dfa& dfa) const {
    Tally tally;
    words.count(dfa, tally);
    return tally.answers(Tally::Part::All);
  }
  /// Of the words of a kind with this answer.
  [[nodiscard]] AnswerAgreement cell(const Dfa& dfa, WordKind kind, Answer answer) const {
    for (const AnswerAgreement& one : answers(dfa)) {
      if (one.kind == kind && one.answer == answer) return one;
    }
    return {};
  }

  support::CodedDfa acceptor;
  StateTree tree;
  Yardstick words;
};

/// The word 0123 and no other, over ten digits.
Dfa one_word_of_four() {
  Dfa dfa(10, 6);
  for (std::uint32_t q = 0; q < 6; ++q) {
    for (std::uint32_t a = 0; a < 10; ++a) {
      dfa.set_next(LState{q}, Symbol{a}, LState{q < 4 && a == q ? q + 1 : 5});
    }
  }
  dfa.set_accepting(LState{4}, true);
  return dfa;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(yardstick)

BOOST_AUTO_TEST_CASE(the_language_itself_agrees_on_every_word_of_every_length) {
  YardstickWorld world(support::tomita(5));
  BOOST_TEST(world.words.draw_along(support::tomita(4), world.tree, kNoLimit));
  const Agreement agreement = world.words.measure(support::tomita(5));
  BOOST_TEST_REQUIRE(agreement.uniform.size() == 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    BOOST_TEST(agreement.uniform[i].length == i + 1);
    BOOST_TEST(agreement.uniform[i].words == (i < 28 ? 1000U : 300U));
    BOOST_TEST(agreement.uniform[i].agreed == agreement.uniform[i].words);
  }
  BOOST_TEST(agreement.pumped.share() == 1.0);
  BOOST_TEST(!agreement.given.has_value());
  for (const AnswerAgreement& cell : world.answers(support::tomita(5))) {
    BOOST_TEST(cell.agreed == cell.words);
  }
}

BOOST_AUTO_TEST_CASE(every_exception_is_one_and_they_come_shortest_first) {
  const YardstickWorld world(support::tomita(5));
  const std::vector<Word> exceptions = world.words.exceptions(support::tomita(4), 20);
  BOOST_TEST(exceptions.size() == 20U);
  BOOST_TEST(std::is_sorted(exceptions.begin(), exceptions.end(), ShortlexLess{}));
  for (const Word& word : exceptions) {
    BOOST_TEST(support::tomita(4).accepts(word) != support::tomita(5).accepts(word));
  }
}

BOOST_AUTO_TEST_CASE(words_along_an_automaton_have_the_answer_that_uniform_words_never_get) {
  YardstickWorld world(one_word_of_four());
  const Dfa rejects_all(10);
  BOOST_TEST(world.cell(rejects_all, WordKind::Uniform, Answer::Accept).words == 0U);
  BOOST_TEST(world.words.draw_along(one_word_of_four(), world.tree, kNoLimit));
  const AnswerAgreement accepted = world.cell(rejects_all, WordKind::Automata, Answer::Accept);
  BOOST_TEST(accepted.words > 0U);
  BOOST_TEST(accepted.error() == 1.0);
  // Its complement and its edits: near misses.
  const AnswerAgreement rejected = world.cell(rejects_all, WordKind::Automata, Answer::Reject);
  BOOST_TEST(rejected.words > 20U);
  BOOST_TEST(rejected.error() == 0.0);
}

BOOST_AUTO_TEST_CASE(words_that_are_drawn_later_are_counted_in_addition) {
  YardstickWorld world(support::tomita(5));
  Tally early;
  world.words.count(support::tomita(4), early);
  BOOST_TEST(world.words.draw_along(support::tomita(5), world.tree, kNoLimit));
  world.words.count(support::tomita(4), early);
  Tally late;
  world.words.count(support::tomita(4), late);
  for (const Tally::Part part : {Tally::Part::First, Tally::Part::Second, Tally::Part::All}) {
    const auto a = early.answers(part), b = late.answers(part);
    BOOST_TEST_REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      BOOST_TEST((a[i].kind == b[i].kind && a[i].answer == b[i].answer));
      BOOST_TEST(a[i].words == b[i].words);
      BOOST_TEST(a[i].agreed == b[i].agreed);
    }
  }
}

BOOST_AUTO_TEST_CASE(words_of_each_answer_are_counted_with_their_lengths) {
  const YardstickWorld world(support::tomita(1));  // 1*
  const std::vector<AnswerMet> met = world.words.met();
  BOOST_TEST_REQUIRE(met.size() == 2U);
  BOOST_TEST(met[0].words + met[1].words == world.words.words());
  BOOST_TEST(met[1].shortest == 1U);
  BOOST_TEST(met[1].words < met[0].words);
  BOOST_TEST(met[0].longest >= 100U);
}

BOOST_AUTO_TEST_CASE(given_words_are_measured_apart_and_so_are_their_edits) {
  const YardstickWorld world(support::tomita(1),
                             {.given = {{Symbol{0}}, {Symbol{1}}, {Symbol{1}, Symbol{1}}}});
  const auto given = world.words.measure(Dfa(2)).given;
  BOOST_TEST_REQUIRE(given.has_value());
  BOOST_TEST(given->words == 3U);
  BOOST_TEST(given->agreed == 1U);  // 0 is rejected, 1 and 11 are not
  BOOST_TEST(world.cell(Dfa(2), WordKind::Near, Answer::Accept).words > 20U);
  BOOST_TEST(world.cell(Dfa(2), WordKind::Near, Answer::Reject).words > 20U);
}

BOOST_AUTO_TEST_CASE(a_spent_budget_gives_none_and_bad_options_are_refused) {
  YardstickWorld world(support::tomita(1));
  Budget spent;
  spent.interrupt();
  BOOST_TEST(!Yardstick::make(world.tree, {}, spent).has_value());
  BOOST_TEST(!world.words.draw_along(support::tomita(1), world.tree, spent));
  BOOST_CHECK_THROW(validate(YardstickOptions{.walks = 0}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
