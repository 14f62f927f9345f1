#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/network/step_graph.hpp"

// The classic networks, Elman, GRU and LSTM: how their graphs are built, and how a graph that is
// one of them is recognised. Readers build them, the acceptor's kernels and the checkers of
// certificates recognise them; nothing else has to know them.

namespace rnnalf {

enum class CellKind : std::uint8_t { ElmanTanh, ElmanRelu, Gru, GruResetBefore, Lstm };

/// The command line's names: `elman-tanh`, `elman-relu`, `gru`, `gru-reset-before`, `lstm`.
[[nodiscard]] std::string_view name(CellKind cell) noexcept;
[[nodiscard]] std::optional<CellKind> cell_from_name(std::string_view name) noexcept;

/// Rows of the stacked gate weights per hidden unit: 1, 3 or 4.
[[nodiscard]] std::size_t gate_count(CellKind cell) noexcept;

/// One recurrent layer, weights in PyTorch's gate order, each gate `hidden` rows:
///   Elman     h' = act(W x + b + U h + c)
///   GRU       r, z, n:     r = sigmoid(Wr x + br + Ur h + cr), z alike,
///             Gru:             n = tanh(Wn x + bn + r * (Un h + cn))
///             GruResetBefore:  n = tanh(Wn x + bn + Un (r * h) + cn)
///             h' = (1 - z) * n + z * h
///   LSTM      i, f, g, o:  c' = f * c + i * g,  h' = o * tanh(c')
struct RecurrentLayer {
  std::size_t hidden = 0;
  Matrix input_weights;                ///< W: gates*hidden x inputs
  Matrix recurrent_weights;            ///< U: gates*hidden x hidden
  std::vector<double> input_bias;      ///< b: gates*hidden, or empty for zeros
  std::vector<double> recurrent_bias;  ///< c: gates*hidden, or empty for zeros
  std::vector<double> initial_hidden;  ///< hidden, or empty for zeros
  std::vector<double> initial_cell;    ///< LSTM only: hidden, or empty for zeros
};

/// Which of the last layer's hidden states the head reads: the one after the last symbol, or the
/// mean, the sum or the largest of each entry over all symbols. For the empty word, which has no
/// symbol, mean and largest are the initial hidden state.
enum class HeadFrom : std::uint8_t { Last, Mean, Sum, Max };

/// `last`, `mean`, `sum`, `max`.
[[nodiscard]] std::string_view name(HeadFrom from) noexcept;
[[nodiscard]] std::optional<HeadFrom> head_from_name(std::string_view name) noexcept;
/// `last+mean+max`: all of them, one behind the other.
[[nodiscard]] std::string names(const std::vector<HeadFrom>& all);

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

/// A stack of recurrent layers of one kind, each reading the hidden state of the one below.
struct LayerStack {
  CellKind cell = CellKind::Gru;
  std::optional<Matrix> embedding{};  ///< symbols x width; none: one-hot input
  std::vector<RecurrentLayer> layers{};
  std::vector<HeadFrom> head_from = {HeadFrom::Last};  ///< what the head reads, joined
  std::vector<LayerActivations> activations{};         ///< of each layer; or none: the usual ones

  [[nodiscard]] std::size_t symbol_count() const;
};

/// Checks the sizes of a stack and that its numbers are finite. Throws NetworkFileError with the
/// file, or "network", naming the tensor, expected and found.
void validate(const LayerStack& stack, const std::string& file);

/// The graph of a valid stack. R-states are those of the layers, for an LSTM each followed by its
/// cell state, then what add_collected appends.
[[nodiscard]] StepGraph graph_of(const LayerStack& stack);

/// The stack with the usual activations whose graph this is; none where it is another one. The
/// graph is valid.
[[nodiscard]] std::optional<LayerStack> stack_of(const StepGraph& graph);

/// The nodes of a layer's state after a step.
struct LayerState {
  std::size_t hidden = 0;
  std::size_t cell = 0;  ///< LSTM only
};

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

}  // namespace rnnalf
