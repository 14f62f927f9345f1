#pragma once

#include <string>

#include "rnnalf/oracle/evidence.hpp"

namespace rnnalf {

/// What an oracle found, for a line that begins with the oracle's name: the most that may be
/// claimed.
[[nodiscard]] std::string claim(const Evidence& evidence);

/// Whether the oracle had no word to look at.
[[nodiscard]] bool claims_nothing(const Evidence& evidence);

}  // namespace rnnalf
