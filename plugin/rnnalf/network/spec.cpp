#include "rnnalf/network/spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

constexpr std::array<std::string_view, 5> kCellNames = {"elman-tanh", "elman-relu", "gru",
                                                        "gru-reset-before", "lstm"};

std::string shape(std::size_t rows, std::size_t cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// Checks of one network, with the file's name in front of every message.
class Checker {
 public:
  explicit Checker(const NetworkSpec& spec) : spec_(spec) {}

  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(spec_.file.empty() ? "network" : spec_.file, message);
  }

  void matrix(const Matrix& found, std::size_t rows, std::size_t cols,
              const std::string& what) const {
    if (found.rows != rows || found.cols != cols || found.values.size() != rows * cols) {
      refuse(what + ": expected " + shape(rows, cols) + ", found " + shape(found.rows, found.cols));
    }
    finite(found.values, what);
  }

  /// An empty vector stands for zeros.
  void vector(const std::vector<double>& found, std::size_t size, const std::string& what) const {
    if (!found.empty() && found.size() != size) {
      refuse(what + ": expected " + std::to_string(size) + " numbers, found " +
             std::to_string(found.size()));
    }
    finite(found, what);
  }

 private:
  void finite(const std::vector<double>& values, const std::string& what) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Beyond float's range a weight would become infinite in float arithmetic.
      if (!(std::abs(values[i]) <= 3.4e38)) {
        refuse(what + ": expected finite numbers, found " + std::to_string(values[i]) +
               " at position " + std::to_string(i));
      }
    }
  }

  const NetworkSpec& spec_;
};

}  // namespace

std::string_view name(CellKind cell) noexcept {
  return kCellNames[static_cast<std::size_t>(cell)];
}

std::optional<CellKind> cell_from_name(std::string_view name) noexcept {
  const auto found = std::find(kCellNames.begin(), kCellNames.end(), name);
  if (found == kCellNames.end()) return std::nullopt;
  return static_cast<CellKind>(found - kCellNames.begin());
}

std::size_t gate_count(CellKind cell) noexcept {
  switch (cell) {
    case CellKind::ElmanTanh:
    case CellKind::ElmanRelu:
      return 1;
    case CellKind::Gru:
    case CellKind::GruResetBefore:
      return 3;
    case CellKind::Lstm:
      return 4;
  }
  return 0;
}

std::string_view name(Activation activation) noexcept {
  constexpr std::array<std::string_view, 4> names = {"none", "relu", "tanh", "sigmoid"};
  return names[static_cast<std::size_t>(activation)];
}

std::string_view name(Output output) noexcept {
  constexpr std::array<std::string_view, 4> names = {"raw", "sigmoid", "softmax", "log-softmax"};
  return names[static_cast<std::size_t>(output)];
}

std::size_t NetworkSpec::symbol_count() const {
  if (embedding) return embedding->rows;
  return layers.empty() ? 0 : layers.front().input_weights.cols;
}

std::size_t NetworkSpec::state_size() const {
  std::size_t size = 0;
  for (const RecurrentLayer& layer : layers) size += layer.hidden;
  return cell == CellKind::Lstm ? 2 * size : size;
}

std::size_t NetworkSpec::parameter_count() const {
  std::size_t count = embedding ? embedding->values.size() : 0;
  for (const RecurrentLayer& layer : layers) {
    count += layer.input_weights.values.size() + layer.recurrent_weights.values.size() +
             layer.input_bias.size() + layer.recurrent_bias.size();
  }
  for (const DenseLayer& dense : head) count += dense.weights.values.size() + dense.bias.size();
  return count;
}

void validate(const NetworkSpec& spec) {
  const Checker check(spec);
  if (spec.layers.empty()) check.refuse("expected at least one recurrent layer, found none");
  if (spec.head.empty())
    check.refuse("expected at least one dense layer after the recurrent ones, found none");
  if (spec.symbol_count() == 0) check.refuse("expected at least one input symbol, found none");
  if (spec.alphabet.size() != spec.symbol_count()) {
    check.refuse("alphabet: expected " + std::to_string(spec.symbol_count()) + " symbols, found " +
                 std::to_string(spec.alphabet.size()));
  }

  std::size_t inputs = spec.symbol_count();
  if (spec.embedding) {
    check.matrix(*spec.embedding, spec.embedding->rows, spec.embedding->cols, "embedding");
    inputs = spec.embedding->cols;
  }
  const std::size_t gates = gate_count(spec.cell);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const RecurrentLayer& layer = spec.layers[i];
    const std::string what =
        std::string(name(spec.cell)) + " layer " + std::to_string(i + 1) + ": ";
    if (layer.hidden == 0) check.refuse(what + "expected a hidden size above 0, found 0");
    const std::size_t rows = gates * layer.hidden;
    check.matrix(layer.input_weights, rows, inputs, what + "input weights");
    check.matrix(layer.recurrent_weights, rows, layer.hidden, what + "recurrent weights");
    check.vector(layer.input_bias, rows, what + "input bias");
    check.vector(layer.recurrent_bias, rows, what + "recurrent bias");
    check.vector(layer.initial_hidden, layer.hidden, what + "initial hidden state");
    check.vector(layer.initial_cell, spec.cell == CellKind::Lstm ? layer.hidden : 0,
                 what + "initial cell state");
    if (spec.cell != CellKind::Lstm && !layer.initial_cell.empty()) {
      check.refuse(what + "expected no initial cell state, found one");
    }
    inputs = layer.hidden;
  }
  for (std::size_t i = 0; i < spec.head.size(); ++i) {
    const DenseLayer& dense = spec.head[i];
    const std::string what = "dense layer " + std::to_string(i + 1) + ": ";
    if (dense.weights.rows == 0) check.refuse(what + "expected at least one output, found none");
    check.matrix(dense.weights, dense.weights.rows, inputs, what + "weights");
    check.vector(dense.bias, dense.weights.rows, what + "bias");
    inputs = dense.weights.rows;
  }

  const std::size_t outputs = spec.output_count();
  if (spec.accept_class && *spec.accept_class >= outputs) {
    check.refuse("accept class: expected 0 to " + std::to_string(outputs - 1) + ", found " +
                 std::to_string(*spec.accept_class));
  }
  if (outputs > 2 && !spec.accept_class) {
    check.refuse("the network has " + std::to_string(outputs) +
                 " output classes: say with --accept-class which of them means accept");
  }
  if (outputs == 1 && (spec.output == Output::Softmax || spec.output == Output::LogSoftmax)) {
    check.refuse("expected several outputs before a softmax, found 1");
  }
  for (const Probe& probe : spec.probes) {
    for (const Symbol symbol : probe.word) {
      if (index(symbol) >= spec.symbol_count()) {
        check.refuse("probe: expected symbols below " + std::to_string(spec.symbol_count()) +
                     ", found " + std::to_string(index(symbol)));
      }
    }
  }
}

void flush_subnormals(NetworkSpec& spec) {
  const auto flush = [&](std::vector<double>& values) {
    for (double& value : values) {
      if (value == 0 || std::abs(value) >= std::numeric_limits<float>::min()) continue;
      value = 0;
      ++spec.subnormal_weights;
    }
  };
  if (spec.embedding) flush(spec.embedding->values);
  for (RecurrentLayer& layer : spec.layers) {
    flush(layer.input_weights.values);
    flush(layer.recurrent_weights.values);
    flush(layer.input_bias);
    flush(layer.recurrent_bias);
    flush(layer.initial_hidden);
    flush(layer.initial_cell);
  }
  for (DenseLayer& dense : spec.head) {
    flush(dense.weights.values);
    flush(dense.bias);
  }
}

}  // namespace rnnalf
