#include "rnnalf/base/errors.hpp"

#include <fmt/core.h>

namespace rnnalf {

void check_failed(const char* condition, const char* file, int line, const std::string& values) {
  // The folder in front of "rnnalf/" says where it was built, not what broke.
  std::string place = file;
  if (const auto at = place.rfind("rnnalf/"); at != std::string::npos) place.erase(0, at);
  throw std::logic_error(
      fmt::format("{}:{}: broken invariant {}: {}", place, line, condition, values));
}

}  // namespace rnnalf
