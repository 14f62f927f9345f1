#include "rnnalf/base/process_usage.hpp"

#include <boost/test/unit_test.hpp>

#include <ctime>
#include <vector>

#include "support/sanitizer.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(process_usage)

BOOST_AUTO_TEST_CASE(the_peak_stays_when_memory_is_given_back) {
  constexpr std::size_t size = std::size_t{64} << 20U;
  const std::size_t before = resident_bytes();
  {
    const std::vector<char> touched(size, 1);
    BOOST_TEST(touched.back() == 1);
    BOOST_TEST(resident_bytes() >= size);
  }
#if !defined(RNNALF_UNDER_ASAN)
  BOOST_TEST(resident_bytes() < before + size / 2);
#else
  BOOST_TEST(before > 0U);
#endif
  BOOST_TEST(peak_memory_bytes() >= size);
}

BOOST_AUTO_TEST_CASE(processor_time_is_the_one_the_c_library_counts) {
  const double before = cpu_seconds();
  const auto counted = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const double after = cpu_seconds();
  // std::clock counts whole microseconds.
  BOOST_TEST(before <= counted + 1e-6);
  BOOST_TEST(counted <= after);
}

BOOST_AUTO_TEST_SUITE_END()
