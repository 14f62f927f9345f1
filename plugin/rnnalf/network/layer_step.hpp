#pragma once

#include <cstddef>

#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// The nodes of a layer's state after a step.
struct LayerState {
  std::size_t hidden = 0;
  std::size_t cell = 0;  ///< LSTM only
};

/// Adds the formulas of RecurrentLayer: the state after reading `input` in state `before`.
[[nodiscard]] LayerState add_layer_step(StepBuilder& builder, CellKind cell,
                                        const RecurrentLayer& layer, std::size_t input,
                                        LayerState before);

/// A vector collected over the steps of a word, as HeadFrom says; not Last.
///   Sum   s' = s + h'
///   Mean  m' = m + w (h' - m) and w' = w / (1 + w), which is 1 / (symbols read + 1)
///   Max   p' = h' at the first symbol, then max(p, h'), and f, which is 1 before the first symbol
/// Appends one state (Sum) or two, the vector first, and returns its number.
[[nodiscard]] std::size_t add_collected(StepBuilder& builder, std::vector<StepState>& states,
                                        HeadFrom from, std::size_t hidden,
                                        const std::vector<double>& initial);

/// The network's own step graph, or that of its layers: R-states are those of the layers, then what
/// add_collected appends.
[[nodiscard]] StepGraph step_graph_of(const NetworkSpec& spec);

}  // namespace rnnalf
