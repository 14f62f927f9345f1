#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rnnalf/base/random.hpp"

namespace rnnalf::support {

/// The seed of a property test: its own, or the number in the environment variable
/// RNNALF_TEST_SEED, for other worlds than those of every day.
inline std::uint64_t test_seed(std::uint64_t own) {
  const char* const asked = std::getenv("RNNALF_TEST_SEED");
  return asked == nullptr || *asked == '\0' ? own : std::stoull(asked);
}

/// Random numbers of a property test. While it lives, a failed check says the seed.
class SeededRandom : public Random {
 public:
  explicit SeededRandom(std::uint64_t own) : Random(test_seed(own)) {
    context_ = boost::unit_test::framework::add_context(
        boost::unit_test::lazy_ostream::instance()
            << "seed " << test_seed(own) << ": run again with RNNALF_TEST_SEED=" << test_seed(own),
        true);
  }
  ~SeededRandom() { boost::unit_test::framework::clear_context(context_); }
  SeededRandom(const SeededRandom&) = delete;
  SeededRandom& operator=(const SeededRandom&) = delete;

 private:
  int context_ = 0;
};

}  // namespace rnnalf::support
