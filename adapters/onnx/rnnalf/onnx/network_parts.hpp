#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/onnx/values.hpp"

namespace rnnalf::onnx_impl {

/// Symbols looked up in a table, [symbols, width], with a bias added to every row.
struct EmbeddingPart {
  Numbers table;
  std::vector<double> bias;  ///< width, or empty
};

/// A recurrent node, its weights still in ONNX's gate order.
struct RecurrentPart {
  CellKind cell = CellKind::Gru;
  LayerActivations activations{};
  std::size_t hidden = 0;
  Numbers input_weights;               ///< [gates*hidden, inputs]
  Numbers recurrent_weights;           ///< [gates*hidden, hidden]
  std::optional<Numbers> bias;         ///< [2*gates*hidden]: input bias, recurrent bias
  std::vector<double> initial_hidden;  ///< hidden, or empty for zeros
  std::vector<double> initial_cell;    ///< the same
};

/// One step of a recurrent node, as a loop's body has it: the hidden state after reading x in
/// states that are given. Inputs: x, hidden state and, for an LSTM, cell state.
struct CellPart {
  RecurrentPart weights;
};

/// The cell state that belongs to the hidden state of a CellPart, its input.
struct CellStatePart {};

/// activation(scale * weights x + bias).
struct DensePart {
  std::optional<Numbers> weights;  ///< [outputs, inputs]; none: x is taken as it is
  double scale = 1;
  std::size_t outputs = 0;
  std::vector<double> bias;  ///< outputs, or empty
  Activation activation = Activation::None;
  double slope = 0;
};

/// scale * x + shift, entry by entry; a single number stands for as many as x has.
struct RescalePart {
  std::vector<double> scale;
  std::vector<double> shift;
};

/// (x - mean(x)) / sqrt(variance(x) + epsilon)
struct NormalisePart {
  double epsilon = 0;
};

/// What is collected of x over all steps of the word; not Last, which needs no part. Until
/// fold_written_out, a loop that is written out has an input for every step.
struct CollectPart {
  HeadFrom from = HeadFrom::Mean;
  std::size_t over = kWordLength;  ///< the input axis that the steps are
};

/// Two vectors, entry by entry.
struct CombinePart {
  StepOperation operation = StepOperation::Add;
};

/// Vectors one behind the other.
struct JoinPart {};

/// Some entries of a vector.
struct SlicePart {
  std::size_t from = 0;
  std::size_t size = 0;
};

struct ConstantPart {
  std::vector<double> values;
};

/// Its input at one position of the word.
struct PickPart {};

/// The symbol as it is, where it is used without a product.
struct OneHotPart {
  std::size_t symbols = 0;
};

/// A state before the current step: one of Context::states.
struct StatePart {
  std::size_t number = 0;
};

struct ScoresPart {
  Output output = Output::Softmax;
};

using Part = std::variant<EmbeddingPart, RecurrentPart, CellPart, CellStatePart, DensePart,
                          RescalePart, NormalisePart, CollectPart, CombinePart, JoinPart, SlicePart,
                          ConstantPart, PickPart, OneHotPart, StatePart, ScoresPart>;

/// One vector of the network and what it is computed from. Links refer to earlier ones by position;
/// the network is what the graph's output depends on. A part that works at every step and one that
/// works on the last step are the same: each step's vector is a function of that step's inputs, so
/// it does not matter whether the last step is taken before or after it.
struct Link {
  Part part;
  std::vector<std::size_t> inputs{};  ///< none for a product of the one-hot symbol
  /// Where in the word its symbol is taken from, until fold_written_out; none: at every step.
  std::optional<std::size_t> position{};
  std::string name{};  ///< the tensor in the file, for messages; may be empty
};

/// A state that a loop or the caller of the graph carries from step to step.
struct CarriedState {
  std::string name{};  ///< for messages
  std::size_t size = 0;
  std::vector<double> initial{};    ///< size, or empty for zeros
  std::optional<std::size_t> next;  ///< the link of its next value
  bool is_input = false;            ///< an input of the graph: zero at the start of a word
  bool is_part = false;             ///< some rows of an input, such as one layer's state
};

}  // namespace rnnalf::onnx_impl
