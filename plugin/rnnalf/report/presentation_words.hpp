#pragma once

#include <string>

#include "rnnalf/network/summary.hpp"

namespace rnnalf {

/// How words are shown to the network, such as "read as <s> w </s>, w over 3 of 6 symbols; left
/// out: <pad>". Empty where the network reads words as they are.
[[nodiscard]] std::string presentation_words(const NetworkSummary& network);

}  // namespace rnnalf
