#include "rnnalf/base/budget.hpp"

#include <algorithm>

namespace rnnalf {

std::string_view name(Limit limit) noexcept {
  switch (limit) {
    case Limit::None:
      return "none";
    case Limit::Time:
      return "time-limit";
    case Limit::States:
      return "max-states";
    case Limit::Queries:
      return "max-queries";
    case Limit::Rounds:
      return "max-rounds";
    case Limit::Memory:
      return "memory-limit";
    case Limit::Interrupt:
      return "interrupted";
  }
  return "none";
}

void Budget::restrict_time(std::chrono::duration<double> time) {
  const auto now = Clock::now();
  // A duration that does not fit the clock is no limit.
  if (time > std::chrono::duration<double>(Clock::time_point::max() - now)) return;
  deadline_ = std::min(deadline_, now + std::chrono::duration_cast<Clock::duration>(time));
}

void Budget::reach(Limit limit) const noexcept {
  Limit none = Limit::None;
  reached_.compare_exchange_strong(none, limit, std::memory_order_relaxed);
}

Limit Budget::limit() const noexcept {
  if (reached_.load(std::memory_order_relaxed) == Limit::None) {
    if (whole_ != nullptr && whole_->limit() != Limit::None) {
      reach(whole_->limit());
    } else if (interrupted_.load(std::memory_order_relaxed)) {
      reach(Limit::Interrupt);
    } else if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
      reach(Limit::Time);
    }
  }
  return reached_.load(std::memory_order_relaxed);
}

}  // namespace rnnalf
