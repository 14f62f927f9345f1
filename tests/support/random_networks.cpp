#include "support/random_networks.hpp"

#include <algorithm>
#include <cmath>

#include "support/layers.hpp"

namespace rnnalf::support {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t cols, double scale, Random& random) {
  Matrix matrix{rows, cols, {}};
  for (std::size_t i = 0; i < rows * cols; ++i) {
    matrix.values.push_back(static_cast<float>((2 * random.unit() - 1) * scale));
  }
  return matrix;
}

std::vector<double> random_vector(std::size_t size, double scale, Random& random) {
  return random_matrix(size, 1, scale, random).values;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

std::vector<double> affine(const Matrix& m, const std::vector<double>& bias,
                           const std::vector<double>& x) {
  std::vector<double> y(m.rows);
  for (std::size_t r = 0; r < m.rows; ++r) {
    y[r] = bias.empty() ? 0 : bias[r];
    for (std::size_t c = 0; c < m.cols; ++c) y[r] += m.at(r, c) * x[c];
  }
  return y;
}

double activated(Activation activation, double slope, double x) {
  switch (activation) {
    case Activation::None:
      return x;
    case Activation::Relu:
      return std::max(0.0, x);
    case Activation::Tanh:
      return std::tanh(x);
    case Activation::Sigmoid:
      return sigmoid(x);
    case Activation::LeakyRelu:
      return x < 0 ? slope * x : x;
    case Activation::Elu:
      return x < 0 ? slope * std::expm1(x) : x;
    case Activation::Gelu:
      return x * std::erfc(-x / std::sqrt(2.0)) / 2;
    case Activation::GeluTanh:
      return x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x))) / 2;
    case Activation::Silu:
      return x * sigmoid(x);
    case Activation::HardSigmoid:
      return std::min(1.0, std::max(0.0, slope * x + 0.5));
    case Activation::Softsign:
      return x / (1 + std::abs(x));
    case Activation::Erf:
      return std::erf(x);
    case Activation::Sqrt:
      return std::sqrt(x);
    case Activation::Exp:
      return std::exp(x);
    case Activation::Softplus:
      return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  }
  return x;
}

void normalise(std::vector<double>& x, double epsilon) {
  const auto size = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / size;
  for (const double value : x) variance += (value - mean) * (value - mean) / size;
  for (double& value : x) value = (value - mean) / std::sqrt(variance + epsilon);
}

double or_zero(const std::vector<double>& values, std::size_t i) {
  return values.empty() ? 0 : values[i];
}

}  // namespace

NetworkSpec random_network(const Shape& shape, Random& random) {
  NetworkSpec spec;
  spec.file = "random network";
  LayerStack stack{.cell = shape.cell, .head_from = {shape.head_from}};
  spec.alphabet = Alphabet::numbered(shape.symbols);
  std::size_t inputs = shape.symbols;
  if (shape.embedding > 0) {
    stack.embedding = random_matrix(shape.symbols, shape.embedding, 1, random);
    inputs = shape.embedding;
  }
  for (std::size_t l = 0; l < shape.layers; ++l) {
    RecurrentLayer layer;
    const std::size_t rows = gate_count(shape.cell) * shape.hidden;
    const double scale = (shape.cell == CellKind::ElmanRelu ? 1.0 : 2.5) /
                         std::sqrt(static_cast<double>(shape.hidden));
    layer.hidden = shape.hidden;
    layer.input_weights = random_matrix(rows, inputs, l == 0 ? 1.5 : scale, random);
    layer.recurrent_weights = random_matrix(rows, shape.hidden, scale, random);
    layer.input_bias = random_vector(rows, 0.3, random);
    layer.recurrent_bias = random_vector(rows, 0.3, random);
    if (shape.initial_states) {
      layer.initial_hidden = random_vector(shape.hidden, 0.5, random);
      if (shape.cell == CellKind::Lstm)
        layer.initial_cell = random_vector(shape.hidden, 0.5, random);
    }
    stack.layers.push_back(std::move(layer));
    inputs = shape.hidden;
  }
  for (std::size_t d = 0; d < shape.head_layers; ++d) {
    const bool last = d + 1 == shape.head_layers;
    const std::size_t rows = last ? shape.outputs : 5;
    spec.head.push_back(
        {random_matrix(rows, inputs, 2 / std::sqrt(static_cast<double>(inputs)), random),
         random_vector(rows, 0.1, random), last ? Activation::None : shape.activation.activation,
         last ? 0 : shape.activation.slope,
         shape.normalise && inputs > 1 ? std::optional(1e-5) : std::nullopt});
    inputs = rows;
  }
  spec.step = graph_of(stack);
  if (shape.outputs > 1) {
    spec.output = Output::Softmax;
    spec.accept_class = shape.outputs - 1;
  }
  return spec;
}

double reference_margin(const NetworkSpec& spec, const Word& word) {
  const LayerStack stack = layers(spec);
  const HeadFrom head_from = stack.head_from.front();
  std::vector<std::vector<double>> hidden, cell;
  for (const RecurrentLayer& layer : stack.layers) {
    hidden.emplace_back();
    cell.emplace_back();
    for (std::size_t i = 0; i < layer.hidden; ++i) {
      hidden.back().push_back(or_zero(layer.initial_hidden, i));
      cell.back().push_back(or_zero(layer.initial_cell, i));
    }
  }
  std::vector<std::vector<double>> seen;  // the last layer's hidden state after each symbol
  for (const Symbol symbol : word) {
    std::vector<double> x(spec.symbol_count(), 0);
    x[index(symbol)] = 1;
    if (stack.embedding) {
      x.clear();
      for (std::size_t c = 0; c < stack.embedding->cols; ++c)
        x.push_back(stack.embedding->at(index(symbol), c));
    }
    for (std::size_t l = 0; l < stack.layers.size(); ++l) {
      const RecurrentLayer& layer = stack.layers[l];
      const std::size_t n = layer.hidden;
      const std::vector<double> a = affine(layer.input_weights, layer.input_bias, x);
      const std::vector<double> b =
          affine(layer.recurrent_weights, layer.recurrent_bias, hidden[l]);
      std::vector<double> next(n);
      std::vector<double> reset(n);
      for (std::size_t i = 0; i < n; ++i) {
        if (stack.cell == CellKind::GruResetBefore) reset[i] = sigmoid(a[i] + b[i]) * hidden[l][i];
      }
      std::vector<double> candidate;
      if (stack.cell == CellKind::GruResetBefore) {
        candidate = affine(layer.recurrent_weights, layer.recurrent_bias, reset);
      }
      for (std::size_t i = 0; i < n; ++i) {
        switch (stack.cell) {
          case CellKind::ElmanTanh:
            next[i] = std::tanh(a[i] + b[i]);
            break;
          case CellKind::ElmanRelu:
            next[i] = std::max(0.0, a[i] + b[i]);
            break;
          case CellKind::Gru:
          case CellKind::GruResetBefore: {
            const double r = sigmoid(a[i] + b[i]);
            const double z = sigmoid(a[n + i] + b[n + i]);
            const double inner =
                stack.cell == CellKind::Gru ? r * b[2 * n + i] : candidate[2 * n + i];
            const double c = std::tanh(a[2 * n + i] + inner);
            next[i] = (1 - z) * c + z * hidden[l][i];
            break;
          }
          case CellKind::Lstm: {
            const double in = sigmoid(a[i] + b[i]);
            const double forget = sigmoid(a[n + i] + b[n + i]);
            const double g = std::tanh(a[2 * n + i] + b[2 * n + i]);
            const double out = sigmoid(a[3 * n + i] + b[3 * n + i]);
            cell[l][i] = forget * cell[l][i] + in * g;
            next[i] = out * std::tanh(cell[l][i]);
            break;
          }
        }
      }
      hidden[l] = next;
      x = next;
    }
    seen.push_back(x);
  }
  std::vector<double> x = hidden.back();
  if (head_from != HeadFrom::Last && !seen.empty()) x = seen.front();
  for (std::size_t t = 1; t < seen.size(); ++t) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (head_from == HeadFrom::Max) x[i] = std::max(x[i], seen[t][i]);
      if (head_from == HeadFrom::Mean || head_from == HeadFrom::Sum) x[i] += seen[t][i];
    }
  }
  for (double& value : x) {
    if (head_from == HeadFrom::Mean && !seen.empty()) value /= static_cast<double>(seen.size());
    if (head_from == HeadFrom::Sum && seen.empty()) value = 0;
  }
  for (const DenseLayer& dense : spec.head) {
    if (dense.normalise) normalise(x, *dense.normalise);
    x = affine(dense.weights, dense.bias, x);
    for (double& value : x) value = activated(dense.activation, dense.slope, value);
  }
  if (x.size() == 1) return x[0];
  const std::size_t accept = spec.accept_class.value_or(1);
  double rival = -HUGE_VAL;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i != accept) rival = std::max(rival, x[i]);
  }
  return x[accept] - rival;
}

Word random_word(std::size_t symbols, std::size_t length, Random& random) {
  Word word;
  for (std::size_t i = 0; i < length; ++i)
    word.push_back(static_cast<Symbol>(random.below(symbols)));
  return word;
}

}  // namespace rnnalf::support
