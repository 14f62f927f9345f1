#include "rnnalf/base/budget.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

using Seconds = std::chrono::duration<double>;

BOOST_AUTO_TEST_SUITE(budget)

BOOST_AUTO_TEST_CASE(without_limits_it_is_never_spent) {
  const Budget budget;
  BOOST_TEST(!budget.spent());
  BOOST_TEST((budget.limit() == Limit::None));
}

BOOST_AUTO_TEST_CASE(no_time_is_spent_at_once) {
  BOOST_TEST((Budget(Seconds(0)).limit() == Limit::Time));
  BOOST_TEST((Budget(Seconds(-1)).limit() == Limit::Time));
}

BOOST_AUTO_TEST_CASE(a_time_that_no_clock_can_hold_is_no_limit) {
  const Budget budget(Seconds(1e300));
  BOOST_TEST(!budget.spent());
  BOOST_TEST((budget.deadline() == Budget::Clock::time_point::max()));
}

BOOST_AUTO_TEST_CASE(the_earlier_deadline_holds) {
  Budget budget(Seconds(1000));
  budget.restrict_time(Seconds(0));
  BOOST_TEST((budget.limit() == Limit::Time));
  Budget other(Seconds(0));
  other.restrict_time(Seconds(1000));
  BOOST_TEST((other.limit() == Limit::Time));
}

BOOST_AUTO_TEST_CASE(the_first_limit_reached_stays) {
  Budget budget(Seconds(0));
  BOOST_TEST((budget.limit() == Limit::Time));
  budget.interrupt();
  BOOST_TEST((budget.limit() == Limit::Time));
}

BOOST_AUTO_TEST_CASE(an_interrupt_spends_it) {
  Budget budget;
  budget.interrupt();
  BOOST_TEST((budget.limit() == Limit::Interrupt));
}

BOOST_AUTO_TEST_CASE(a_part_is_spent_when_the_whole_is_and_not_the_other_way_round) {
  Budget whole;
  Budget part, other;
  part.part_of(whole);
  other.part_of(whole);
  part.restrict_time(Seconds(0));
  BOOST_TEST((part.limit() == Limit::Time));
  BOOST_TEST(!whole.spent());
  BOOST_TEST(!other.spent());
  whole.interrupt();
  BOOST_TEST((other.limit() == Limit::Interrupt));
  BOOST_TEST((part.limit() == Limit::Time));
}

BOOST_AUTO_TEST_CASE(steps_that_are_counted_end_it_and_its_parts) {
  Budget whole;
  Budget part;
  part.part_of(whole);
  whole.add_steps(1000);
  BOOST_TEST(!whole.spent());  // nobody asked for a limit
  whole.restrict_steps(1002);
  whole.add_steps(1);
  BOOST_TEST(!part.spent());
  whole.add_steps(1);
  BOOST_TEST((whole.limit() == Limit::Steps));
  BOOST_TEST((part.limit() == Limit::Steps));
}

BOOST_AUTO_TEST_CASE(limits_have_the_names_of_the_verdicts) {
  BOOST_TEST(name(Limit::Time) == "time-limit");
  BOOST_TEST(name(Limit::States) == "max-states");
  BOOST_TEST(name(Limit::Queries) == "max-queries");
  BOOST_TEST(name(Limit::Rounds) == "max-rounds");
  BOOST_TEST(name(Limit::Steps) == "max-steps");
  BOOST_TEST(name(Limit::Memory) == "memory-limit");
  BOOST_TEST(name(Limit::Interrupt) == "interrupted");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
