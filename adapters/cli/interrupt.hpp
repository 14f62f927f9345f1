#pragma once

#include "rnnalf/base/budget.hpp"

namespace rnnalf::cli {

/// While it lives, the first Ctrl-C or SIGTERM interrupts the budget; a second one ends the program
/// at once, as without us. One at a time.
class InterruptOnSignal {
 public:
  explicit InterruptOnSignal(Budget& budget);  // the budget outlives this
  InterruptOnSignal(const InterruptOnSignal&) = delete;
  InterruptOnSignal& operator=(const InterruptOnSignal&) = delete;
  ~InterruptOnSignal();
};

}  // namespace rnnalf::cli
