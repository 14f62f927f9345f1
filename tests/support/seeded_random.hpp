#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "rnnalf/base/random.hpp"
#include "support/test_seed.hpp"

namespace rnnalf::support {

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
