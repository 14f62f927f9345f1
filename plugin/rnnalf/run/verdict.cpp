#include "rnnalf/run/verdict.hpp"

#include <array>
#include <utility>

namespace rnnalf {
namespace {

constexpr std::array<std::pair<RunVerdict, std::string_view>, 15> kNames = {{
    {RunVerdict::NoneFound, "none-found"},
    {RunVerdict::Settled, "settled"},
    {RunVerdict::Complete, "complete"},
    {RunVerdict::TimeLimit, "time-limit"},
    {RunVerdict::MaxStates, "max-states"},
    {RunVerdict::MaxQueries, "max-queries"},
    {RunVerdict::MaxRounds, "max-rounds"},
    {RunVerdict::MaxSteps, "max-steps"},
    {RunVerdict::MemoryLimit, "memory-limit"},
    {RunVerdict::Interrupted, "interrupted"},
    {RunVerdict::TimedOut, "timed-out"},
    {RunVerdict::OutOfMemory, "out-of-memory"},
    {RunVerdict::Died, "died"},
    {RunVerdict::Failed, "failed"},
    {RunVerdict::Lost, "lost"},
}};

}  // namespace

std::string_view name(Ending ending) noexcept {
  switch (ending) {
    case Ending::NoCounterexample:
      return "no-counterexample";
    case Ending::NotWorthIt:
      return "not-worth-it";
    case Ending::Limit:
      return "limit";
    case Ending::Interrupt:
      return "interrupt";
    case Ending::Complete:
      return "complete";
  }
  return "";
}

std::string_view name(Selection selection) noexcept {
  return selection == Selection::Last ? "last" : "smaller";
}

std::string_view name(RunVerdict verdict) noexcept {
  for (const auto& [one, text] : kNames) {
    if (one == verdict) return text;
  }
  return "";
}

std::optional<RunVerdict> verdict_from_name(std::string_view name) noexcept {
  for (const auto& [one, text] : kNames) {
    if (text == name) return one;
  }
  return std::nullopt;
}

}  // namespace rnnalf
