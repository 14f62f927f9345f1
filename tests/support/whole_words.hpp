#pragma once

#include "rnnalf/network/spec.hpp"

namespace rnnalf::support {

/// Accepts words of two symbols whose first and last symbol are the same: no state after a prefix
/// tells it of the rest without counting.
inline NetworkSpec same_at_both_ends() {
  WordGraph graph{.symbols = 2, .features = 1};
  const std::size_t word = graph.add({.operation = WordOperation::Symbols});
  const auto at = [&](double position) {
    const std::size_t index =
        graph.add({.operation = WordOperation::Constant, .constant = {{}, {position}, true}});
    return graph.add({.operation = WordOperation::Gather, .inputs = {word, index}, .list = {0}});
  };
  const std::size_t first = at(0), last = at(-1);
  const std::size_t same = graph.add({.operation = WordOperation::Equal, .inputs = {first, last}});
  graph.add({.operation = WordOperation::Cast, .inputs = {same}});
  NetworkSpec spec;
  spec.word_graph = std::move(graph);
  spec.head = {{.weights = {1, 1, {2}}, .bias = {-1}}};
  spec.alphabet = Alphabet::parse("ab");
  return spec;
}

}  // namespace rnnalf::support
