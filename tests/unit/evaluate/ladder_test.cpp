#include "rnnalf/evaluate/ladder.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"
#include "support/forgetful.hpp"

namespace rnnalf {
namespace {

using support::forgetful;

struct LadderWorld {
  explicit LadderWorld(const Dfa& language, const YardstickOptions& options = {})
      : acceptor(language, 6, 0.2, 1),
        tree(acceptor, {}),
        yardstick(*Yardstick::make(tree, options, Budget())) {}

  /// All automata of a run in order, each asked about, with words drawn along each.
  [[nodiscard]] Ladder ladder(const std::vector<Dfa>& run, const LadderOptions& options = {}) {
    Ladder ladder(yardstick, options);
    for (std::size_t i = 0; i < run.size(); ++i) {
      ladder.add(i, run[i]);
      BOOST_TEST(ladder.draw_along(run[i], tree, Budget()));
      ladder.confirm(i);
    }
    return ladder;
  }

  support::CodedDfa acceptor;
  StateTree tree;
  Yardstick yardstick;
};

/// Exactly the words that have one of these lengths and are all zeros, over four symbols.
Dfa zeros(const std::vector<std::uint32_t>& lengths) {
  const std::uint32_t longest = *std::max_element(lengths.begin(), lengths.end());
  Dfa dfa(4, longest + 2);
  for (std::uint32_t q = 0; q < longest + 2; ++q) {
    for (std::uint32_t a = 0; a < 4; ++a) {
      dfa.set_next(LState{q}, Symbol{a}, LState{a == 0 && q < longest ? q + 1 : longest + 1});
    }
  }
  for (const std::uint32_t length : lengths) dfa.set_accepting(LState{length}, true);
  return minimise(dfa);
}

/// The word that is the number's digits to the base 4, of six symbols.
Word of_six(std::uint32_t number) {
  Word word;
  for (int i = 0; i < 6; ++i, number /= 4) word.push_back(Symbol{number % 4});
  return word;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ladder)

BOOST_AUTO_TEST_CASE(what_a_horizon_is_worth_holds_at_all_lengths_at_once) {
  LadderWorld world(support::tomita(5));
  // 300 words of each of the greatest of 100 lengths, all right: (0.01 / 100)^(1/300) = 0.96977.
  BOOST_TEST(std::abs(world.ladder({support::tomita(5)}).result().assured - 0.96977) < 1e-5);
}

BOOST_AUTO_TEST_CASE(the_horizon_is_the_length_up_to_which_an_automaton_agrees) {
  LadderWorld world(forgetful(19));
  BOOST_TEST(world.ladder({support::tomita(5)}).result().horizon == 19U);
  BOOST_TEST(world.ladder({forgetful(19)}).result().horizon == 100U);
}

BOOST_AUTO_TEST_CASE(an_automaton_that_gets_the_rare_answer_wrong_explains_nothing) {
  // Of uniform words nearly all are rejected: the constant is right on more than 99 %.
  LadderWorld world(zeros({4, 6, 8}));
  const Ladder ladder = world.ladder({Dfa(4), zeros({4}), zeros({4, 6, 8})});
  BOOST_TEST(ladder.result().hypothesis == 2U);
  BOOST_TEST(ladder.front().front().error >= 0.5);  // of few words, so not 1
  BOOST_TEST(ladder.result().error == 0.0);
}

BOOST_AUTO_TEST_CASE(what_the_network_does_on_long_words_alone_is_not_worth_states) {
  LadderWorld world(forgetful(25));
  BOOST_TEST(world.ladder({support::tomita(5), forgetful(25)}).result().hypothesis == 0U);
}

BOOST_AUTO_TEST_CASE(twice_the_states_must_be_refuted_only_by_words_twice_as_long) {
  const auto chosen = [](std::size_t shorter, std::size_t longer) {
    const LadderWorld world(support::tomita(5));
    Ladder ladder(world.yardstick, {});  // no word near the language: all are right on all
    // 0 and an odd number of ones: rejected by the first automaton, accepted by the second.
    const auto word = [](std::size_t length) {
      Word some(length, Symbol{1});
      some.front() = Symbol{0};
      return some;
    };
    ladder.add(0, support::tomita(5));  // 4 states
    ladder.refute(0, word(shorter), Answer::Accept);
    ladder.add(1, forgetful(3));
    BOOST_TEST(forgetful(3).size() == 6U);
    ladder.refute(1, word(longer), Answer::Reject);
    return ladder.result().hypothesis;
  };
  BOOST_TEST(chosen(12, 14) == 0U);
  BOOST_TEST(chosen(12, 40) == 1U);
  BOOST_TEST(chosen(2, 10) == 0U);  // short refutations are found by chance
}

BOOST_AUTO_TEST_CASE(a_hypothesis_nobody_was_asked_about_is_not_the_result) {
  LadderWorld world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, Dfa(2));
  ladder.refute(0, {}, Answer::Accept);
  ladder.add(1, support::tomita(5));
  BOOST_TEST(ladder.draw_along(support::tomita(5), world.tree, Budget()));
  BOOST_TEST(ladder.result().hypothesis == 0U);
  ladder.confirm(1);
  BOOST_TEST(ladder.result().hypothesis == 1U);
}

BOOST_AUTO_TEST_CASE(of_two_automata_with_as_many_states_the_better_one_stays) {
  LadderWorld world(support::tomita(5));
  const Ladder ladder = world.ladder({support::tomita(4), support::tomita(5), support::tomita(4)});
  BOOST_TEST(ladder.front().size() == 1U);
  BOOST_TEST(ladder.front()[0].hypothesis == 1U);
}

BOOST_AUTO_TEST_CASE(given_words_decide_and_no_smaller_rung_is_better_on_them) {
  // The network accepts words of zeros; the user has words of six symbols alone, most of them near
  // the only one that is accepted.
  std::vector<Word> given(40, of_six(0));
  for (std::uint32_t i = 1; i <= 60; ++i) given.push_back(of_six(i));
  LadderWorld world(zeros({6, 9}), {.given = given});
  const Ladder ladder = world.ladder({Dfa(4), zeros({6}), zeros({6, 9}), zeros({2, 5})});
  BOOST_TEST(ladder.result().hypothesis == 1U);  // right on all of them, and smallest
  BOOST_TEST(ladder.best_constant() == 0.6);
  BOOST_TEST(ladder.explains_given());
  const Ladder poor = world.ladder({Dfa(4), zeros({2})});
  BOOST_TEST(poor.result().hypothesis == 0U);
  BOOST_TEST(!poor.explains_given());
}

BOOST_AUTO_TEST_CASE(a_choice_that_both_halves_of_the_words_make_is_stable) {
  LadderWorld world(support::tomita(5));
  BOOST_TEST(world.ladder({Dfa(2), support::tomita(4), support::tomita(5)}).unstable().empty());
}

BOOST_AUTO_TEST_CASE(a_choice_that_only_one_half_of_the_words_makes_is_unstable) {
  // Pairs of words belong to the halves in turn; one half has 0000 alone, the other 000000.
  AnsweredWords found;
  for (std::uint32_t pair = 0; pair < 60; ++pair) {
    found.words.emplace_back(pair % 2 == 0 ? 4 : 6, Symbol{0});
    found.words.push_back(of_six(1 + pair));
  }
  for (const Word& word : found.words) {
    found.answers.push_back(accept_if(zeros({4, 6}).accepts(word)));
  }
  LadderWorld world(zeros({4, 6}), {.found = {.words = found}});
  Ladder ladder(world.yardstick, {});
  ladder.add(0, zeros({4}));  // 6 states
  ladder.confirm(0);
  ladder.add(1, zeros({4, 6}));  // 8 states
  ladder.confirm(1);
  const std::vector<std::size_t> sizes = ladder.unstable();
  BOOST_TEST(sizes == (std::vector<std::size_t>{6, 8}), boost::test_tools::per_element());
  BOOST_TEST(ladder.result().hypothesis == 1U);
}

BOOST_AUTO_TEST_CASE(twice_the_states_must_be_right_on_a_word_in_a_hundred_more) {
  // So many of 200 accepted words are 00000000, the others are 0000.
  const auto words = [](std::uint32_t odd) {
    std::vector<Word> list;
    for (std::uint32_t i = 0; i < 200; ++i) {
      list.emplace_back(i < odd ? 8 : 4, Symbol{0});
      list.push_back(of_six(1 + i));
    }
    return list;
  };
  const auto found = [&](std::uint32_t odd) {
    AnsweredWords answered{.words = words(odd)};
    for (const Word& word : answered.words) {
      answered.answers.push_back(accept_if(zeros({4, 8}).accepts(word)));
    }
    return YardstickOptions{.found = {.words = answered}};
  };
  const auto chosen = [](const YardstickOptions& options, double price) {
    LadderWorld world(zeros({4, 8}), options);
    Ladder ladder(world.yardstick, {.price = price});
    ladder.add(0, zeros({4}));  // 6 states
    ladder.confirm(0);
    ladder.add(1, zeros({4, 8}));  // 10 states
    ladder.confirm(1);
    return ladder.result().states;
  };
  BOOST_TEST(chosen(found(1), 1) == 6U);
  BOOST_TEST(chosen(found(2), 1) == 10U);
  BOOST_TEST(chosen(found(2), 4) == 6U);
  BOOST_TEST(chosen(found(1), 0) == 10U);
  // Of given words it is enough to halve the errors.
  BOOST_TEST(chosen({.given = words(1)}, 1) == 10U);
}

BOOST_AUTO_TEST_CASE(a_run_settles_when_no_larger_hypothesis_could_be_the_result) {
  LadderWorld world(support::tomita(5));
  const Ladder ladder = world.ladder({support::tomita(5)});  // 4 states, no error
  BOOST_TEST(!ladder.settled(15));
  BOOST_TEST(ladder.settled(16));
  const Ladder poor = world.ladder({Dfa(2)});  // has all accepted words wrong
  BOOST_TEST(!poor.settled(415));
  BOOST_TEST(poor.settled(416));
}

BOOST_AUTO_TEST_CASE(a_run_does_not_settle_before_it_has_words_of_both_answers) {
  LadderWorld world(Dfa(2));
  const Ladder ladder = world.ladder({Dfa(2)});
  BOOST_TEST(!ladder.settled(100));
}

BOOST_AUTO_TEST_CASE(a_word_longer_than_all_that_is_measured_is_not_learned_from) {
  LadderWorld world(support::tomita(5));
  const Ladder ladder = world.ladder({support::tomita(5)});
  BOOST_TEST(!ladder.settled_by(0, 100));
  BOOST_TEST(ladder.settled_by(0, 101));
  BOOST_TEST(!ladder.settled_by(1, 101));  // of another hypothesis
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  BOOST_CHECK_THROW(validate(LadderOptions{.tolerance = 2}), OptionError);
  BOOST_CHECK_THROW(validate(LadderOptions{.price = -1}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
