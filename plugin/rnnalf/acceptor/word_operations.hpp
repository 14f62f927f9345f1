#pragma once

#include <span>
#include <stdexcept>

#include "rnnalf/network/word_graph.hpp"

namespace rnnalf {

/// Sizes that do not fit, or tensors beyond all measure.
struct WordGraphError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Computes one node, not Symbols; an input that is not given is null. `to` is overwritten and may
/// have been used before. Throws WordGraphError.
void compute(const WordNode& node, std::span<const WordTensor* const> inputs, WordTensor& to);

}  // namespace rnnalf
