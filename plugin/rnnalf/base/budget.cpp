#include "rnnalf/base/budget.hpp"

#include <algorithm>

#include "rnnalf/base/process_usage.hpp"

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
    case Limit::Steps:
      return "max-steps";
    case Limit::Memory:
      return "memory-limit";
    case Limit::Interrupt:
      return "interrupted";
  }
  return "none";
}

bool depends_on_machine(Limit limit) noexcept {
  return limit == Limit::Time || limit == Limit::Memory || limit == Limit::Interrupt;
}

void Budget::restrict_time(std::chrono::duration<double> time) {
  const auto now = Clock::now();
  // A duration that does not fit the clock is no limit.
  if (time > std::chrono::duration<double>(Clock::time_point::max() - now)) return;
  deadline_ = std::min(deadline_, now + std::chrono::duration_cast<Clock::duration>(time));
}

void Budget::share_of(const Budget& whole, double share) {
  part_of(whole);
  Clock::time_point end = Clock::time_point::max();
  for (const Budget* budget = &whole; budget != nullptr; budget = budget->whole_) {
    end = std::min(end, budget->deadline_);
  }
  if (end != Clock::time_point::max()) restrict_time((end - Clock::now()) * share);
}

void Budget::restrict_memory(std::size_t bytes) {
  const std::size_t now = resident_bytes();
  most_resident_ = bytes > std::numeric_limits<std::size_t>::max() - now
                       ? std::numeric_limits<std::size_t>::max()
                       : now + bytes;
}

void Budget::reach(Limit limit) const noexcept {
  Limit none = Limit::None;
  reached_.compare_exchange_strong(none, limit, std::memory_order_relaxed);
}

bool Budget::has_room_for(std::size_t bytes) const noexcept {
  const std::size_t held = resident_bytes();
  for (const Budget* budget = this; budget != nullptr; budget = budget->whole_) {
    if (held <= budget->most_resident_ && bytes <= budget->most_resident_ - held) continue;
    reach(Limit::Memory);
    return false;
  }
  return true;
}

Limit Budget::limit() const noexcept {
  if (reached_.load(std::memory_order_relaxed) == Limit::None) {
    if (whole_ != nullptr && whole_->limit() != Limit::None) {
      reach(whole_->limit());
    } else if (interrupted_.load(std::memory_order_relaxed)) {
      reach(Limit::Interrupt);
    } else if (steps_.load(std::memory_order_relaxed) >= most_steps_) {
      reach(Limit::Steps);
    } else if (deadline_ != Clock::time_point::max() ||
               most_resident_ != std::numeric_limits<std::size_t>::max()) {
      const auto now = Clock::now();
      if (now >= deadline_) {
        reach(Limit::Time);
      } else if (most_resident_ != std::numeric_limits<std::size_t>::max()) {
        // Asking the system takes microseconds; memory does not grow much in five milliseconds.
        constexpr auto interval =
            std::chrono::duration_cast<Clock::duration>(std::chrono::milliseconds(5));
        const Clock::rep ticks = now.time_since_epoch().count();
        if (ticks - memory_looked_at_.load(std::memory_order_relaxed) >= interval.count()) {
          memory_looked_at_.store(ticks, std::memory_order_relaxed);
          if (resident_bytes() > most_resident_) reach(Limit::Memory);
        }
      }
    }
  }
  return reached_.load(std::memory_order_relaxed);
}

}  // namespace rnnalf
