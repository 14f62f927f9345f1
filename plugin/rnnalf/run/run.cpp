#include "rnnalf/run/run.hpp"

#include <algorithm>

namespace rnnalf {

std::string_view verdict(const Run& run) noexcept {
  return run.limit == Limit::None ? "none-found" : name(run.limit);
}

bool is_reproducible(const Run& run) noexcept {
  if (run.limit == Limit::Time || run.limit == Limit::Memory || run.limit == Limit::Interrupt) {
    return false;
  }
  return std::none_of(run.options.oracles.begin(), run.options.oracles.end(),
                      [](const OracleOptions& oracle) { return oracle.time.has_value(); });
}

}  // namespace rnnalf
