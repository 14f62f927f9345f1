#pragma once

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

#include "rnnalf/base/budget.hpp"

namespace rnnalf::bench {

/// Of this process and all its threads: what else the machine does is not in it.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Interrupts the budget when so much processor time is spent.
class Watch {
 public:
  Watch(Budget& budget, double seconds)
      : thread_([this, &budget, end = processor_seconds() + seconds] {
          while (!done_ && processor_seconds() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
          budget.interrupt();
        }) {}
  ~Watch() {
    done_ = true;
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace rnnalf::bench
