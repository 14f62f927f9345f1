#pragma once

#include <cstdint>

namespace rnnalf {

struct Interval {
  double low = 0;
  double high = 1;
};

/// The Clopper-Pearson interval for a share of which `hits` were seen in `trials` independent
/// trials: contains the true share with probability at least 1 - alpha. [0, 1] without trials.
[[nodiscard]] Interval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double alpha);

}  // namespace rnnalf
