#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/network/activation.hpp"

namespace rnnalf {

/// Numbers row by row, of any number of axes. Integers and truth values are `whole`: their
/// quotients are cut to whole numbers.
struct WordTensor {
  std::vector<std::size_t> sizes{};
  std::vector<double> values{};
  bool whole = false;
};

/// What a node computes, in ONNX's terms. Operations on two tensors broadcast as ONNX says. Axes
/// below 0 count from the back. `list` is the node's list of integers.
enum class WordOperation : std::uint8_t {
  Symbols,   ///< positions of the symbols in the alphabet, [length]
  Constant,  ///< `constant`
  Activate,  ///< `activation` with `number` as its slope
  Exp,
  Log,
  Negate,
  Absolute,
  Reciprocal,
  Floor,
  Ceiling,
  Sine,
  Cosine,
  Not,
  Cast,  ///< to real numbers; list {1}: to integers, {2}: to truth values
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Power,
  Maximum,
  Minimum,
  Equal,
  Less,
  LessOrEqual,
  And,
  Or,
  Select,  ///< of condition, value where true, value where false
  MatMul,
  Softmax,     ///< list {axis}
  LogSoftmax,  ///< list {axis}
  Sum,         ///< list {keep axes, axes...}; no axes: all
  Mean,        ///< the same
  Largest,     ///< the same
  Smallest,    ///< the same
  Product,     ///< the same
  Running,     ///< sums along the axis of the second input
  Normalise,   ///< (x - mean) / sqrt(variance + number) along the last axis
  Transpose,   ///< list: the permutation; empty: reversed
  Reshape,     ///< to the second input's sizes, in which 0 keeps a size and -1 takes what is left
  Flatten,     ///< list {axis}
  Squeeze,     ///< list: axes; empty: all of length 1
  Unsqueeze,   ///< list: axes
  Expand,      ///< to the second input's sizes
  Tile,        ///< as often as the second input says
  Concat,      ///< list {axis}
  Slice,       ///< of data, starts, ends, axes, steps
  Part,        ///< list {axis, i, n}: the i-th of n equal parts
  Gather,      ///< list {axis}
  GatherElements,  ///< list {axis}
  Lengths,         ///< the sizes of a tensor
  Filled,          ///< `number` in a tensor of the first input's sizes; whole iff list {1}
  Range,           ///< of start, limit, step
  Triangle,        ///< list {1: upper, 0: lower}; of data and, if given, the diagonal
  Recur            ///< the states of `layer` at every position of x: [length, 1, inputs]
};

/// A recurrent layer that reads all positions: for each gate a product with x and with h.
///   Elman  h' = act(W x + b + U h);   GRU and LSTM as RecurrentLayer says, gates in that order
/// States are [length, 1, hidden], for an LSTM h and c one behind the other: [length, 1, 2 hidden].
struct WordRecurrence {
  enum class Cell : std::uint8_t { Elman, Gru, GruResetBefore, Lstm };

  Cell cell = Cell::Elman;
  Activation activation = Activation::Tanh;  ///< of Elman
  std::size_t hidden = 0;
  std::size_t inputs = 0;
  bool backwards = false;                ///< from the last position to the first
  std::vector<double> input_weights{};   ///< gates * hidden x inputs
  std::vector<double> hidden_weights{};  ///< gates * hidden x hidden
  std::vector<double> input_bias{};      ///< gates * hidden
  std::vector<double> hidden_bias{};     ///< gates * hidden

  [[nodiscard]] std::size_t parameter_count() const {
    return input_weights.size() + hidden_weights.size() + input_bias.size() + hidden_bias.size();
  }
};

/// No input, where an operation has an optional one.
inline constexpr std::size_t kNoWordNode = static_cast<std::size_t>(-1);

struct WordNode {
  WordOperation operation = WordOperation::Symbols;
  std::vector<std::size_t> inputs{};  ///< positions of earlier nodes
  std::vector<std::int64_t> list{};
  double number = 0;
  Activation activation = Activation::None;
  WordTensor constant{};
  std::optional<WordRecurrence> layer{};
};

/// A network that must see a whole word before it answers: what a word's features are computed
/// from. The last node gives them; its numbers, whatever its axes, are what the head reads.
struct WordGraph {
  std::size_t symbols = 0;
  std::size_t features = 0;
  std::vector<WordNode> nodes{};
  std::size_t most_symbols = 1024;  ///< of a word, with what stands around it

  /// How a word is an R-state: its length, then its symbols, the first in the lowest bits.
  [[nodiscard]] std::size_t bits_of_symbol() const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(symbols - 1)));
  }
  [[nodiscard]] std::size_t symbols_in_number() const { return 53 / bits_of_symbol(); }
  [[nodiscard]] std::size_t state_size() const {
    return 1 + (most_symbols + symbols_in_number() - 1) / symbols_in_number();
  }

  std::size_t add(WordNode node) {
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }
};

}  // namespace rnnalf
