#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace rnnalf {

/// Why a run stopped before it was done; None while nothing did.
enum class Limit : std::uint8_t { None, Time, States, Queries, Rounds, Steps, Memory, Interrupt };

/// `none`, `time-limit`, `max-states`, `max-queries`, `max-rounds`, `max-steps`, `memory-limit`,
/// `interrupted`.
[[nodiscard]] std::string_view name(Limit limit) noexcept;

/// Whether where this limit is reached depends on the machine and on who uses it: time, memory, an
/// interruption. The others are counts, reached at the same place everywhere.
[[nodiscard]] bool depends_on_machine(Limit limit) noexcept;

/// What a run may spend. Every long loop asks `spent()`; once a limit is reached it stays reached.
///
/// Thread rule: `interrupt`, `add_steps`, `limit` and `spent` may be called from any thread,
/// `interrupt` also from a signal handler. This is the only place that reads a clock to decide
/// anything.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;  ///< no limit at all
  explicit Budget(std::chrono::duration<double> time) { restrict_time(time); }

  /// Stops at `time` from now, if that is earlier than the deadline so far.
  void restrict_time(std::chrono::duration<double> time);
  /// Stops when the process holds `bytes` more memory than it does now.
  void restrict_memory(std::size_t bytes);
  /// Stops when `steps` of the network were counted: by `add_steps`, which the StateTree calls.
  void restrict_steps(std::uint64_t steps) noexcept { most_steps_ = steps; }
  void add_steps(std::uint64_t steps) noexcept {
    steps_.fetch_add(steps, std::memory_order_relaxed);
  }
  [[nodiscard]] Clock::time_point deadline() const noexcept { return deadline_; }

  /// Another budget of which this one is a part: spent when the whole is.
  void part_of(const Budget& whole) noexcept { whole_ = &whole; }
  /// The same, and only for this share, 0 .. 1, of the time that the whole has left.
  void share_of(const Budget& whole, double share);

  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  /// Which limit is reached. Looks at the clock: cheap (some 30 ns), but not for inner loops.
  [[nodiscard]] Limit limit() const noexcept;
  [[nodiscard]] bool spent() const noexcept { return limit() != Limit::None; }

  /// Whether that many more bytes may be taken at once; if not, the memory limit is reached. To be
  /// asked before what would take much of the limit in one go.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const noexcept;

  /// Whether somebody who asked was told of a limit that depends on the machine: what was done with
  /// this budget may be something else on another one. Does not look again.
  [[nodiscard]] bool cut_short() const noexcept {
    return depends_on_machine(reached_.load(std::memory_order_relaxed));
  }

 private:
  /// Records that a limit is reached; the first one stays.
  void reach(Limit limit) const noexcept;

  Clock::time_point deadline_ = Clock::time_point::max();
  std::size_t most_resident_ = std::numeric_limits<std::size_t>::max();
  std::uint64_t most_steps_ = std::numeric_limits<std::uint64_t>::max();
  std::atomic<std::uint64_t> steps_ = 0;
  mutable std::atomic<Clock::rep> memory_looked_at_ = 0;  // when, so that it is not done too often
  const Budget* whole_ = nullptr;                         // outlives this
  std::atomic<bool> interrupted_ = false;
  mutable std::atomic<Limit> reached_ = Limit::None;
};

}  // namespace rnnalf
