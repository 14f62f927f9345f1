// A run of 13 MB reported a peak of 1,400 MB when a large process had started the program: the
// largest memory that getrusage reports survives exec.

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "rnnalf/base/process_usage.hpp"
#include "support/program.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(peak_memory_counted_the_parent)

BOOST_AUTO_TEST_CASE(a_small_program_started_by_a_large_process_reports_its_own_peak) {
  constexpr std::size_t large = std::size_t{256} << 20U;
  std::vector<char> touched(large, 1);
  BOOST_TEST(touched.back() == 1);
  BOOST_TEST(peak_memory_bytes() >= large);
  // `exec`: the process that was split off the large one becomes the program itself.
  const std::size_t found = std::stoul(support::output_of("exec " PRINT_PEAK_MEMORY));
  BOOST_TEST(found > 0U);
  BOOST_TEST(found < large / 4);
}

BOOST_AUTO_TEST_SUITE_END()
