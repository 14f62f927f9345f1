// --memory-limit is looked at between batches, and runs ended up to 15 MB above it.

#include <boost/test/unit_test.hpp>

#include <string>

#include "support/program.hpp"
#include "support/sanitizer.hpp"

#if !defined(RNNALF_UNDER_ASAN)

namespace {

std::size_t peak(const std::string& extraction) {
  const std::string json = rnnalf::support::output_of(
      RNNALF_PROGRAM " extract " RNNALF_EXAMPLE_NETWORKS "/" + extraction +
      " --threads 1 --progress none --json - || [ $? -eq 3 ]");
  const std::string key = "\"peak_memory_bytes\":";
  const std::size_t at = json.find(key);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  return std::stoul(json.substr(at + key.size()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_limit_was_exceeded)

BOOST_AUTO_TEST_CASE(a_run_that_takes_all_its_memory_stays_within_the_limit) {
  // What a run needs that needs next to nothing, and the limit on top.
  const std::size_t least = peak("tomita5_rnn30.onnx --preset paper");
  const std::size_t most =
      peak("bp_lstm50.onnx --preset paper --time-limit 5m --memory-limit 60MB");
  BOOST_TEST(most > 40'000'000U);  // the limit was reached
  BOOST_TEST(most < least + 60'000'000U);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
