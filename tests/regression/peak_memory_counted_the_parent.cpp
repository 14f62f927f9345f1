// A run of 13 MB reported a peak of 1,400 MB when a large process had started the program: the
// largest memory that getrusage reports survives exec.

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "rnnalf/base/process_usage.hpp"
#include "support/program.hpp"
#include "support/sanitizer.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(peak_memory_counted_the_parent)

namespace {

constexpr std::size_t large = std::size_t{512} << 20U;

/// This process has held so much memory.
void become_large() {
  const std::vector<char> touched(large, 1);
  BOOST_TEST(touched.back() == 1);
  BOOST_TEST(peak_memory_bytes() >= large);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_small_program_started_by_a_large_process_reports_its_own_peak) {
  become_large();
  // `exec`: the process that was split off the large one becomes the program itself.
  const std::size_t found = std::stoul(support::output_of("exec " PRINT_PEAK_MEMORY));
  BOOST_TEST(found > 0U);
  BOOST_TEST(found < large / 2);
}

#if !defined(RNNALF_UNDER_ASAN)
BOOST_AUTO_TEST_CASE(a_run_reports_its_own_peak) {
  become_large();
  const std::string json =
      support::output_of("exec " RNNALF_PROGRAM " extract " RNNALF_EXAMPLE_NETWORKS
                         "/tomita5_rnn30.onnx --threads 1 --progress none --json -");
  const std::string key = "\"peak_memory_bytes\":";
  const std::size_t at = json.find(key);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  const std::size_t found = std::stoul(json.substr(at + key.size()));
  BOOST_TEST(found > 0U);
  BOOST_TEST(found < large / 2);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
