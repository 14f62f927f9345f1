#pragma once

#include <cstddef>

namespace rnnalf {

/// A run lists at most this many words on which network and result differ; there may be more.
inline constexpr std::size_t kMostExceptions = 50;

}  // namespace rnnalf
