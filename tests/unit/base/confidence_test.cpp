#include "rnnalf/base/confidence.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace rnnalf {

BOOST_AUTO_TEST_SUITE(confidence)

BOOST_AUTO_TEST_CASE(the_interval_is_clopper_and_pearsons) {
  // Their tables (1934) for ten trials at 95 %: 5 of 10.
  const Interval five = clopper_pearson(5, 10, 0.05);
  BOOST_TEST(five.low == 0.187, boost::test_tools::tolerance(0.003));
  BOOST_TEST(five.high == 0.813, boost::test_tools::tolerance(0.001));
  // Without hits the upper bound p solves (1-p)^n = alpha/2.
  const Interval none = clopper_pearson(0, 100, 0.01);
  BOOST_TEST(none.low == 0.0);
  BOOST_TEST(none.high == 1 - std::pow(0.005, 0.01), boost::test_tools::tolerance(1e-9));
  const Interval all = clopper_pearson(100, 100, 0.01);
  BOOST_TEST(all.low == std::pow(0.005, 0.01), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(all.high == 1.0);
}

BOOST_AUTO_TEST_CASE(without_trials_nothing_is_known) {
  BOOST_TEST(clopper_pearson(0, 0, 0.05).low == 0.0);
  BOOST_TEST(clopper_pearson(0, 0, 0.05).high == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
