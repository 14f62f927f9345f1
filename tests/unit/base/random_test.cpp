#include "rnnalf/base/random.hpp"

#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(random)

BOOST_AUTO_TEST_CASE(it_is_xoshiro256starstar_on_a_state_made_by_splitmix64) {
  // splitmix64's published first outputs for the seed 1234567.
  std::array<std::uint64_t, 4> s = {6457827717110365317U, 3203168211198807973U,
                                    9817491932198370423U, 4593380528125082431U};
  Random random(1234567);
  for (int i = 0; i < 100; ++i) {
    // xoshiro256** as its authors define it.
    const std::uint64_t expected = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17U;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    BOOST_TEST_REQUIRE(random.bits() == expected);
  }
}

BOOST_AUTO_TEST_CASE(below_stays_below_and_reaches_every_value_about_equally_often) {
  Random random(1);
  std::array<int, 7> count{};
  for (int i = 0; i < 70000; ++i) ++count.at(random.below(7));
  // 10000 expected each, standard deviation 93: five of them.
  for (const int found : count) BOOST_TEST(std::abs(found - 10000) < 470);
  BOOST_TEST(random.below(1) == 0U);
}

BOOST_AUTO_TEST_CASE(below_has_no_bias_for_bounds_near_the_largest_number) {
  // Modulo alone would give values below 2^62 twice as often as the others.
  Random random(2);
  const std::uint64_t bound = 3 * (std::uint64_t{1} << 62U);
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += random.below(bound) < bound / 3 ? 1 : 0;
  BOOST_TEST(std::abs(low - 10000) < 410);
}

BOOST_AUTO_TEST_CASE(unit_is_in_the_half_open_interval_and_centred) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.unit();
    BOOST_TEST_REQUIRE((value >= 0 && value < 1));
    sum += value;
  }
  BOOST_TEST(std::abs(sum / 10000 - 0.5) < 0.015);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
