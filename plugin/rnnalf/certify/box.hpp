#pragma once

#include <vector>

namespace rnnalf::certify {

/// An axis-parallel box of R-states.
struct Box {
  std::vector<double> low, high;
};

}  // namespace rnnalf::certify
