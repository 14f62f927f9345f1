#pragma once

#include <string>

#include "rnnalf/oracle/evidence.hpp"

namespace rnnalf {

/// The most that may be claimed of what an oracle looked at, in one sentence.
[[nodiscard]] std::string claim(const Evidence& evidence);

/// Whether that is nothing: the oracle had no word to look at.
[[nodiscard]] bool claims_nothing(const Evidence& evidence);

}  // namespace rnnalf
