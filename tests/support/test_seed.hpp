#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace rnnalf::support {

/// The seed of a test that draws its worlds: its own, or the number in the environment variable
/// RNNALF_TEST_SEED, for other worlds than those of every day.
inline std::uint64_t test_seed(std::uint64_t own) {
  const char* const asked = std::getenv("RNNALF_TEST_SEED");
  return asked == nullptr || *asked == '\0' ? own : std::stoull(asked);
}

}  // namespace rnnalf::support
