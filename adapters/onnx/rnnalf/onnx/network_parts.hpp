#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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
  std::size_t hidden = 0;
  Numbers input_weights;               ///< [gates*hidden, inputs]
  Numbers recurrent_weights;           ///< [gates*hidden, hidden]
  std::optional<Numbers> bias;         ///< [2*gates*hidden]: input bias, recurrent bias
  std::vector<double> initial_hidden;  ///< hidden, or empty for zeros
  std::vector<double> initial_cell;    ///< the same
};

/// activation(scale * weights x + bias).
struct DensePart {
  std::optional<Numbers> weights;  ///< [outputs, inputs]; none: x is taken as it is
  double scale = 1;
  std::size_t outputs = 0;
  std::vector<double> bias;  ///< outputs, or empty
  Activation activation = Activation::None;
};

struct ScoresPart {
  Output output = Output::Softmax;
};

/// One link of the chain from the symbols to the scores. Links refer to earlier ones by position,
/// as a graph may branch; the network is the chain that ends in the graph's output.
struct Link {
  std::variant<EmbeddingPart, RecurrentPart, DensePart, ScoresPart> part;
  std::optional<std::size_t> previous;
};

}  // namespace rnnalf::onnx_impl
