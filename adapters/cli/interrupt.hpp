#pragma once

#include "rnnalf/base/budget.hpp"

namespace rnnalf::cli {

/// While an object of this class exists, the first Ctrl-C or SIGTERM interrupts the budget and the
/// second one ends the program at once. There may be one such object at a time.
class InterruptOnSignal {
 public:
  explicit InterruptOnSignal(Budget& budget);  // the budget outlives this
  InterruptOnSignal(const InterruptOnSignal&) = delete;
  InterruptOnSignal& operator=(const InterruptOnSignal&) = delete;
  ~InterruptOnSignal();
};

}  // namespace rnnalf::cli
