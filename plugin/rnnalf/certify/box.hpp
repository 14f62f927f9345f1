#pragma once

#include <cstddef>
#include <vector>

namespace rnnalf::certify {

/// An axis-parallel box of R-states.
struct Box {
  std::vector<double> low, high;
};

/// The sum of a box's widths.
[[nodiscard]] inline double extent(const Box& box) {
  double sum = 0;
  for (std::size_t i = 0; i < box.low.size(); ++i) sum += box.high[i] - box.low[i];
  return sum;
}

/// Whether an image lies inside of a set, far enough from its sides that the checkers, which round
/// outward, see it inside, too.
[[nodiscard]] inline bool inside(const Box& image, const Box& set) {
  constexpr double room = 1e-9;
  for (std::size_t i = 0; i < image.low.size(); ++i) {
    if (!(image.low[i] >= set.low[i] + room && image.high[i] <= set.high[i] - room)) return false;
  }
  return true;
}

}  // namespace rnnalf::certify
