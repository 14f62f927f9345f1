#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// The nodes of a layer's state after a step.
struct LayerState {
  std::size_t hidden = 0;
  std::size_t cell = 0;  ///< LSTM only
};

/// outer * activation(inner * x + shift), entry by entry.
struct StepActivation {
  Activation activation = Activation::None;
  double slope = 0;
  double inner = 1;
  double shift = 0;
  double outer = 1;

  bool operator==(const StepActivation&) const = default;
};

/// What a layer applies where the formulas of RecurrentLayer have sigmoid and tanh: old Keras files
/// have a hard sigmoid at the gates, and an ONNX node names any activations.
struct LayerActivations {
  StepActivation gates{Activation::Sigmoid};   ///< of GRU and LSTM
  StepActivation candidate{Activation::Tanh};  ///< n, g; the one of an Elman layer
  StepActivation output{Activation::Tanh};     ///< of an LSTM's cell state

  bool operator==(const LayerActivations&) const = default;
};

/// Those of RecurrentLayer's formulas.
[[nodiscard]] LayerActivations usual_activations(CellKind cell) noexcept;

/// Adds the formulas of RecurrentLayer: the state after reading `input` in state `before`.
[[nodiscard]] LayerState add_layer_step(StepBuilder& builder, CellKind cell,
                                        const RecurrentLayer& layer, std::size_t input,
                                        LayerState before, const LayerActivations& activations);

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

/// What a step graph can have beside the layers of a spec.
struct LayersAsGraph {
  std::vector<LayerActivations> activations{};  ///< of each layer; or none: the usual ones
  /// What the head reads, one behind the other; or none: what `head_from` of the spec says.
  std::vector<HeadFrom> head_from{};
};

/// Replaces embedding, cell and layers by their step graph.
void make_step_graph(NetworkSpec& spec, const LayersAsGraph& asked);

}  // namespace rnnalf
