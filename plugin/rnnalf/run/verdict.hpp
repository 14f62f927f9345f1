#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rnnalf {

/// How an extraction ended.
enum class RunVerdict : std::uint8_t {
  NoneFound,  ///< no oracle found a counterexample to the last hypothesis
  Settled,    ///< learning on no longer paid
  Complete,   ///< a baseline, which asks no oracle, came to its end
  TimeLimit,
  MaxStates,
  MaxQueries,
  MaxRounds,
  MaxSteps,
  MemoryLimit,
  Interrupted,
  // Of a process of a study that left no result:
  TimedOut,
  OutOfMemory,
  Died,
  Failed,
  Lost  ///< it was ended from outside, again and again
};

/// As files and tables have it: `none-found`, `settled`, `complete`, the name of a limit,
/// `timed-out`, `out-of-memory`, `died`, `failed`, `lost`.
[[nodiscard]] std::string_view name(RunVerdict verdict) noexcept;
/// The other way round; none: there is no verdict of this name.
[[nodiscard]] std::optional<RunVerdict> verdict_from_name(std::string_view name) noexcept;

}  // namespace rnnalf
