#pragma once

#include "rnnalf/base/budget.hpp"

namespace rnnalf::cli {

/// A signal that ends the program leaves no temporary file behind. A file that reaches the size
/// that the system allows is an error like a full disk. Call first in main.
void clean_up_on_signals();

/// While an object of this class exists, the first Ctrl-C, SIGTERM or SIGHUP interrupts the budget,
/// and the second one ends the program at once. There may be one such object at a time.
class InterruptOnSignal {
 public:
  explicit InterruptOnSignal(Budget& budget);  // the budget outlives this
  InterruptOnSignal(const InterruptOnSignal&) = delete;
  InterruptOnSignal& operator=(const InterruptOnSignal&) = delete;
  ~InterruptOnSignal();
};

}  // namespace rnnalf::cli
