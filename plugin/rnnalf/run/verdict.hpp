#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rnnalf {

/// How learning ended.
enum class Ending : std::uint8_t {
  NoCounterexample,  ///< no oracle found one to the last hypothesis
  NotWorthIt,        ///< larger automata explain too little more
  Limit,
  Interrupt,
  Complete  ///< a baseline, which asks no oracle, came to its end
};

/// Why the result is the hypothesis that it is.
enum class Selection : std::uint8_t {
  Last,    ///< it is the last one
  Smaller  ///< it is smaller than the last one, and agrees with the network as well
};

/// `no-counterexample`, `not-worth-it`, `limit`, `interrupt`, `complete`.
[[nodiscard]] std::string_view name(Ending ending) noexcept;
/// `last`, `smaller`.
[[nodiscard]] std::string_view name(Selection selection) noexcept;

/// What became of an extraction, in one word.
enum class RunVerdict : std::uint8_t {
  NoneFound,  ///< no oracle found a counterexample to the result
  Settled,    ///< learning was not worth it any more, or a smaller hypothesis is the result
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
