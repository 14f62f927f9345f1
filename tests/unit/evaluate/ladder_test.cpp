#include "rnnalf/evaluate/ladder.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"
#include "support/forgetful.hpp"

namespace rnnalf {
namespace {

using support::forgetful;

struct World {
  explicit World(const Dfa& language)
      : acceptor(language, 6, 0.2, 1),
        tree(acceptor, {}),
        yardstick(*Yardstick::make(tree, {}, Budget())) {}

  support::CodedDfa acceptor;
  StateTree tree;
  Yardstick yardstick;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(ladder)

BOOST_AUTO_TEST_CASE(what_a_horizon_is_worth_holds_at_all_lengths_at_once) {
  const World world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, support::tomita(5));
  // 300 words of each of the greatest of 100 lengths, all right: (0.01 / 100)^(1/300) = 0.96977.
  BOOST_TEST(std::abs(ladder.result().assured - 0.96977) < 1e-5);
}

BOOST_AUTO_TEST_CASE(the_horizon_is_the_length_up_to_which_an_automaton_agrees) {
  const World world(forgetful(19));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, support::tomita(5));
  BOOST_TEST(ladder.result().horizon == 19U);
  Ladder whole(world.yardstick, {});
  whole.add(0, forgetful(19));
  BOOST_TEST(whole.result().horizon == 100U);
}

BOOST_AUTO_TEST_CASE(more_states_must_pay_for_themselves_in_length) {
  const World world(forgetful(30));
  const Word odd(31, Symbol{0});
  const auto chosen = [&](double price) {
    Ladder ladder(world.yardstick, {.price = price});
    ladder.add(0, support::tomita(5));
    ladder.refute(0, odd, accept_if(!support::tomita(5).accepts(odd)));
    ladder.add(1, forgetful(30));
    ladder.refute(1, Word(120, Symbol{0}), accept_if(!forgetful(30).accepts(Word(120, Symbol{0}))));
    return ladder.result().hypothesis;
  };
  BOOST_TEST(chosen(1) == 0U);  // 16 times the states for 3.3 times the length
  BOOST_TEST(chosen(0) == 1U);
}

BOOST_AUTO_TEST_CASE(a_hypothesis_nobody_was_asked_about_is_not_the_result) {
  const World world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, Dfa(2));
  ladder.refute(0, {}, Answer::Accept);
  ladder.add(1, support::tomita(5));
  BOOST_TEST(ladder.result().hypothesis == 0U);
  ladder.prefer(1);  // no oracle refutes it
  BOOST_TEST(ladder.result().hypothesis == 1U);
}

BOOST_AUTO_TEST_CASE(of_two_automata_with_as_many_states_the_better_one_stays) {
  const World world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, support::tomita(4));
  ladder.add(1, support::tomita(5));
  ladder.add(2, support::tomita(4));
  BOOST_TEST(ladder.front().size() == 1U);
  BOOST_TEST(ladder.front()[0].hypothesis == 1U);
}

BOOST_AUTO_TEST_CASE(a_run_settles_when_hypotheses_grow_far_beyond_what_explains_the_network) {
  const World world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  BOOST_TEST(!ladder.settled(1000));
  ladder.add(0, support::tomita(5));  // 4 states
  BOOST_TEST(!ladder.settled(31));
  BOOST_TEST(ladder.settled(32));
  Ladder poor(world.yardstick, {});
  poor.add(0, Dfa(2));  // 1 state that explains nothing
  BOOST_TEST(!poor.settled(415));
  BOOST_TEST(poor.settled(416));
}

BOOST_AUTO_TEST_CASE(a_word_longer_than_all_that_is_measured_is_not_learned_from) {
  const World world(support::tomita(5));
  Ladder ladder(world.yardstick, {});
  ladder.add(0, support::tomita(5));
  BOOST_TEST(!ladder.settled_by(0, 100));
  BOOST_TEST(ladder.settled_by(0, 101));
  BOOST_TEST(!ladder.settled_by(1, 101));  // of another hypothesis
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  BOOST_CHECK_THROW(validate(LadderOptions{.tolerance = 2}), OptionError);
  BOOST_CHECK_THROW(validate(LadderOptions{.price = -1}), OptionError);
  BOOST_CHECK_THROW(validate(LadderOptions{.lawful = -0.5}), OptionError);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
