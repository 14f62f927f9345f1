#include "rnnalf/report/quantities.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(quantities)

BOOST_AUTO_TEST_CASE(seconds_have_the_unit_that_people_would_use) {
  BOOST_TEST(format_seconds(0.0008) == "0.8 ms");
  BOOST_TEST(format_seconds(0.25) == "250 ms");
  BOOST_TEST(format_seconds(0.9999) == "1.0 s");
  BOOST_TEST(format_seconds(1.5) == "1.5 s");
  BOOST_TEST(format_seconds(12.3) == "12 s");
  BOOST_TEST(format_seconds(99.7) == "1 min 40 s");
  BOOST_TEST(format_seconds(250) == "4 min 10 s");
  BOOST_TEST(format_seconds(11100) == "3 h 5 min");
}

BOOST_AUTO_TEST_CASE(long_numbers_are_grouped) {
  BOOST_TEST(format_count(0) == "0");
  BOOST_TEST(format_count(999) == "999");
  BOOST_TEST(format_count(12904) == "12,904");
  BOOST_TEST(format_count(1'000'000) == "1,000,000");
}

BOOST_AUTO_TEST_CASE(a_hundred_percent_are_all_of_them) {
  BOOST_TEST(format_percent_down(1, 1) == "100.0");
  BOOST_TEST(format_percent_down(0.99999, 1) == "99.9");
  BOOST_TEST(format_percent_down(0.99999, 3) == "99.999");
  BOOST_TEST(format_percent_down(0.57, 1) == "57.0");  // though 0.57 is a little less
  BOOST_TEST(format_percent_down(0, 3) == "0.000");
}

BOOST_AUTO_TEST_CASE(one_thing_is_not_plural) {
  BOOST_TEST(counted(1, "query", "queries") == "1 query");
  BOOST_TEST(counted(0, "query", "queries") == "0 queries");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
