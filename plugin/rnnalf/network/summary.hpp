#pragma once

#include <cstddef>
#include <string>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// What reports say about a network.
struct NetworkSummary {
  std::string file = {};  ///< where it was read from, or what else to call it
  std::string cell = {};
  std::size_t layers = 0;
  std::size_t hidden = 0;  ///< of the last layer
  std::size_t state_size = 0;
  Alphabet alphabet = {};
};

[[nodiscard]] NetworkSummary summary(const NetworkSpec& spec);

}  // namespace rnnalf
