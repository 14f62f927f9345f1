#include "rnnalf/report/run.hpp"

namespace rnnalf {

std::string_view verdict(const Run& run) noexcept {
  return run.limit == Limit::None ? "none-found" : name(run.limit);
}

}  // namespace rnnalf
