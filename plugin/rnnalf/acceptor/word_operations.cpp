// The operations of word graphs, one tensor at a time. Where an operation works along one axis, a
// tensor is seen as rows x middle x columns; those on two tensors walk through the result with a
// stride for each axis into both.

#include "rnnalf/acceptor/word_operations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "rnnalf/acceptor/word_tensors.hpp"

namespace rnnalf {
namespace {

using namespace word_tensors;

double activated(double x, Activation activation, double slope) {
  switch (activation) {
    case Activation::None:
      return x;
    case Activation::Relu:
      return std::max(x, 0.0);
    case Activation::Tanh:
      return std::tanh(x);
    case Activation::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::LeakyRelu:
      return x < 0 ? slope * x : x;
    case Activation::Elu:
      return x < 0 ? slope * std::expm1(x) : x;
    case Activation::Gelu:
      return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    case Activation::GeluTanh:
      return x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))) / 2;
    case Activation::Silu:
      return x / (1 + std::exp(-x));
    case Activation::HardSigmoid:
      return std::clamp(slope * x + 0.5, 0.0, 1.0);
    case Activation::Softsign:
      return x / (1 + std::abs(x));
    case Activation::Erf:
      return std::erf(x);
    case Activation::Sqrt:
      return std::sqrt(x);
    case Activation::Exp:
      return std::exp(x);
    case Activation::Softplus:
      return x > 30 ? x : std::log1p(std::exp(x));
  }
  return x;
}

template <class Combine>
void combine(const WordTensor& a, const WordTensor& b, bool whole, WordTensor& to,
             Combine combined) {
  shape(to, broadcast(a.sizes, b.sizes), whole);
  const double* const x = a.values.data();
  const double* const y = b.values.data();
  double* const z = to.values.data();
  const std::size_t count = to.values.size();
  if (a.values.size() == count && b.values.size() == count) {
    for (std::size_t i = 0; i < count; ++i) z[i] = combined(x[i], y[i]);
  } else if (a.values.size() == count && b.values.size() == 1) {
    for (std::size_t i = 0; i < count; ++i) z[i] = combined(x[i], y[0]);
  } else {
    walk<2>(to.sizes, {strides_as(a.sizes, to.sizes), strides_as(b.sizes, to.sizes)}, {},
            [&](std::size_t i, const auto& at) { z[i] = combined(x[at[0]], y[at[1]]); });
  }
}

void binary(Op operation, const WordTensor& a, const WordTensor& b, WordTensor& to) {
  const bool whole = a.whole && b.whole;
  const auto modulo = [](double x, double y) {
    const double rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  };
  switch (operation) {
    case Op::Add:
      return combine(a, b, whole, to, std::plus<>());
    case Op::Subtract:
      return combine(a, b, whole, to, std::minus<>());
    case Op::Multiply:
      return combine(a, b, whole, to, std::multiplies<>());
    case Op::Divide:
      if (!whole) return combine(a, b, whole, to, std::divides<>());
      return combine(a, b, whole, to, [](double x, double y) { return std::trunc(x / y); });
    case Op::Modulo:
      return combine(a, b, whole, to, modulo);
    case Op::Power:
      return combine(a, b, a.whole, to,
                     [](double x, double y) { return y == 2 ? x * x : std::pow(x, y); });
    case Op::Maximum:
      return combine(a, b, whole, to,
                     [](double x, double y) { return std::isnan(x) || x > y ? x : y; });
    case Op::Minimum:
      return combine(a, b, whole, to,
                     [](double x, double y) { return std::isnan(x) || x < y ? x : y; });
    case Op::Equal:
      return combine(a, b, true, to, std::equal_to<>());
    case Op::Less:
      return combine(a, b, true, to, std::less<>());
    case Op::LessOrEqual:
      return combine(a, b, true, to, std::less_equal<>());
    case Op::And:
      return combine(a, b, true, to, [](double x, double y) { return x != 0 && y != 0; });
    default:
      return combine(a, b, true, to, [](double x, double y) { return x != 0 || y != 0; });
  }
}

double unary(const WordNode& node, double x) {
  switch (node.operation) {
    case Op::Activate:
      return activated(x, node.activation, node.number);
    case Op::Exp:
      return std::exp(x);
    case Op::Log:
      return std::log(x);
    case Op::Negate:
      return -x;
    case Op::Absolute:
      return std::abs(x);
    case Op::Reciprocal:
      return 1 / x;
    case Op::Floor:
      return std::floor(x);
    case Op::Ceiling:
      return std::ceil(x);
    case Op::Sine:
      return std::sin(x);
    case Op::Cosine:
      return std::cos(x);
    case Op::Not:
      return x == 0 ? 1 : 0;
    default:  // Cast
      if (node.list.empty()) return x;
      return node.list[0] == 2 ? (x != 0 ? 1 : 0) : std::trunc(x);
  }
}

bool is_whole_after(const WordNode& node, bool before) {
  if (node.operation == Op::Not) return true;
  if (node.operation == Op::Cast) return !node.list.empty();
  return before && (node.operation == Op::Negate || node.operation == Op::Absolute);
}

/// to[rows x cols] = a[rows x depth] * b[depth x cols]
void multiply(const double* a, const double* b, std::size_t rows, std::size_t depth,
              std::size_t cols, double* to) {
  std::fill(to, to + rows * cols, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    double* const row = to + r * cols;
    for (std::size_t k = 0; k < depth; ++k) {
      const double factor = a[r * depth + k];
      if (factor == 0) continue;  // one-hot rows
      const double* const from = b + k * cols;
      for (std::size_t c = 0; c < cols; ++c) row[c] += factor * from[c];
    }
  }
}

void matmul(const WordTensor& a, const WordTensor& b, WordTensor& to) {
  if (a.sizes.empty() || b.sizes.empty()) refuse("a product of matrices has none");
  Sizes left = a.sizes, right = b.sizes;
  if (left.size() == 1) left.insert(left.begin(), 1);
  if (right.size() == 1) right.push_back(1);
  const std::size_t rows = left[left.size() - 2], depth = left.back(), cols = right.back();
  if (right[right.size() - 2] != depth) {
    refuse(fmt::format("a product of {} columns and {} rows", depth, right[right.size() - 2]));
  }
  const Sizes a_batch(left.begin(), left.end() - 2), b_batch(right.begin(), right.end() - 2);
  Sizes sizes = broadcast(a_batch, b_batch);
  const Sizes batch = sizes;
  if (a.sizes.size() > 1) sizes.push_back(rows);
  if (b.sizes.size() > 1) sizes.push_back(cols);
  shape(to, std::move(sizes), a.whole && b.whole);
  walk<2>(batch, {strides_as(a_batch, batch), strides_as(b_batch, batch)}, {},
          [&](std::size_t i, const auto& at) {
            multiply(a.values.data() + static_cast<std::size_t>(at[0]) * rows * depth,
                     b.values.data() + static_cast<std::size_t>(at[1]) * depth * cols, rows, depth,
                     cols, to.values.data() + i * rows * cols);
          });
}

void softmax(const WordTensor& x, std::size_t axis, bool logarithm, WordTensor& to) {
  shape(to, x.sizes, false);
  const auto [before, size, after] = around(x.sizes, axis);
  for (std::size_t b = 0; b < before; ++b) {
    for (std::size_t a = 0; a < after; ++a) {
      const double* const from = x.values.data() + b * size * after + a;
      double* const into = to.values.data() + b * size * after + a;
      double largest = -HUGE_VAL;
      for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, from[i * after]);
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) sum += std::exp(from[i * after] - largest);
      for (std::size_t i = 0; i < size; ++i) {
        into[i * after] = logarithm ? from[i * after] - largest - std::log(sum)
                                    : std::exp(from[i * after] - largest) / sum;
      }
    }
  }
}

void reduce(const WordNode& node, const WordTensor& x, WordTensor& to) {
  const bool keep = node.list[0] != 0;
  std::vector<bool> over(x.sizes.size(), node.list.size() == 1);
  for (std::size_t i = 1; i < node.list.size(); ++i) {
    over[axis_of(node.list[i], x.sizes.size())] = true;
  }
  Sizes sizes, kept(x.sizes);
  std::size_t each = 1;
  for (std::size_t i = 0; i < x.sizes.size(); ++i) {
    if (over[i]) each *= std::exchange(kept[i], 1);
    if (keep || !over[i]) sizes.push_back(kept[i]);
  }
  shape(to, sizes, x.whole);
  const Op op = node.operation;
  std::fill(to.values.begin(), to.values.end(),
            op == Op::Largest    ? -HUGE_VAL
            : op == Op::Smallest ? HUGE_VAL
            : op == Op::Product  ? 1.0
                                 : 0.0);
  walk<1>(x.sizes, {strides_as(kept, x.sizes)}, {}, [&](std::size_t i, const auto& at) {
    double& into = to.values[static_cast<std::size_t>(at[0])];
    const double value = x.values[i];
    into = op == Op::Largest    ? std::max(into, value)
           : op == Op::Smallest ? std::min(into, value)
           : op == Op::Product  ? into * value
                                : into + value;
  });
  if (op != Op::Mean) return;
  for (double& value : to.values) value /= static_cast<double>(each);
}

void normalise(const WordTensor& x, double epsilon, WordTensor& to) {
  shape(to, x.sizes, false);
  const std::size_t size = x.sizes.empty() ? 1 : x.sizes.back();
  for (std::size_t first = 0; first < x.values.size(); first += size) {
    const double* const from = x.values.data() + first;
    const double mean = std::accumulate(from, from + size, 0.0) / static_cast<double>(size);
    double variance = 0;
    for (std::size_t i = 0; i < size; ++i) variance += (from[i] - mean) * (from[i] - mean);
    const double scale = 1 / std::sqrt(variance / static_cast<double>(size) + epsilon);
    for (std::size_t i = 0; i < size; ++i) to.values[first + i] = (from[i] - mean) * scale;
  }
}

/// h' of a layer at every position; see WordRecurrence.
void recur(const WordRecurrence& layer, const WordTensor& x, WordTensor& to) {
  using Cell = WordRecurrence::Cell;
  const std::size_t h = layer.hidden;
  const std::size_t gates = layer.hidden_bias.size();
  const std::size_t length = x.sizes.empty() ? 0 : x.sizes[0];
  if (x.values.size() != length * layer.inputs) {
    refuse(fmt::format("a recurrent layer of {} inputs reads others", layer.inputs));
  }
  const bool has_cell = layer.cell == Cell::Lstm;
  const std::size_t width = has_cell ? 2 * h : h;
  shape(to, {length, 1, width}, false);
  std::vector<double> in(gates), from(gates), state(width, 0.0), kept(h);
  const auto product = [](const std::vector<double>& weights, const double* vector,
                          std::size_t size, std::size_t first, std::size_t last,
                          const std::vector<double>& bias, std::vector<double>& result) {
    for (std::size_t r = first; r < last; ++r) {
      const double* const row = weights.data() + r * size;
      double sum = bias[r];
      for (std::size_t c = 0; c < size; ++c) sum += row[c] * vector[c];
      result[r] = sum;
    }
  };
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const bool before = layer.cell == Cell::GruResetBefore;
  for (std::size_t t = 0; t < length; ++t) {
    const std::size_t at = layer.backwards ? length - 1 - t : t;
    product(layer.input_weights, x.values.data() + at * layer.inputs, layer.inputs, 0, gates,
            layer.input_bias, in);
    product(layer.hidden_weights, state.data(), h, 0, before ? 2 * h : gates, layer.hidden_bias,
            from);
    if (before) {
      for (std::size_t i = 0; i < h; ++i) kept[i] = sigmoid(in[i] + from[i]) * state[i];
      product(layer.hidden_weights, kept.data(), h, 2 * h, gates, layer.hidden_bias, from);
    }
    for (std::size_t i = 0; i < h; ++i) {
      if (layer.cell == Cell::Elman) {
        state[i] = activated(in[i] + from[i], layer.activation, 0);
      } else if (has_cell) {
        const double c = sigmoid(in[h + i] + from[h + i]) * state[h + i] +
                         sigmoid(in[i] + from[i]) * std::tanh(in[2 * h + i] + from[2 * h + i]);
        state[h + i] = c;
        kept[i] = sigmoid(in[3 * h + i] + from[3 * h + i]) * std::tanh(c);
      } else {
        const double reset = before ? 1 : sigmoid(in[i] + from[i]);
        const double update = sigmoid(in[h + i] + from[h + i]);
        const double candidate = std::tanh(in[2 * h + i] + reset * from[2 * h + i]);
        state[i] = candidate + update * (state[i] - candidate);
      }
    }
    if (has_cell) std::copy(kept.begin(), kept.end(), state.begin());
    std::copy(state.begin(), state.end(),
              to.values.begin() + static_cast<std::ptrdiff_t>(at * width));
  }
}

}  // namespace

void compute(const WordNode& node, std::span<const WordTensor* const> in, WordTensor& to) {
  switch (node.operation) {
    case Op::Symbols:
      return;
    case Op::Constant:
      to = node.constant;
      return;
    case Op::Activate:
    case Op::Exp:
    case Op::Log:
    case Op::Negate:
    case Op::Absolute:
    case Op::Reciprocal:
    case Op::Floor:
    case Op::Ceiling:
    case Op::Sine:
    case Op::Cosine:
    case Op::Not:
    case Op::Cast:
      shape(to, in[0]->sizes, is_whole_after(node, in[0]->whole));
      std::transform(in[0]->values.begin(), in[0]->values.end(), to.values.begin(),
                     [&](double x) { return unary(node, x); });
      return;
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::Divide:
    case Op::Modulo:
    case Op::Power:
    case Op::Maximum:
    case Op::Minimum:
    case Op::Equal:
    case Op::Less:
    case Op::LessOrEqual:
    case Op::And:
    case Op::Or:
      return binary(node.operation, *in[0], *in[1], to);
    case Op::Select: {
      const Sizes sizes = broadcast(broadcast(in[0]->sizes, in[1]->sizes), in[2]->sizes);
      shape(to, sizes, in[1]->whole && in[2]->whole);
      walk<3>(sizes,
              {strides_as(in[0]->sizes, sizes), strides_as(in[1]->sizes, sizes),
               strides_as(in[2]->sizes, sizes)},
              {}, [&](std::size_t i, const auto& at) {
                to.values[i] = in[0]->values[static_cast<std::size_t>(at[0])] != 0
                                   ? in[1]->values[static_cast<std::size_t>(at[1])]
                                   : in[2]->values[static_cast<std::size_t>(at[2])];
              });
      return;
    }
    case Op::MatMul:
      return matmul(*in[0], *in[1], to);
    case Op::Softmax:
    case Op::LogSoftmax:
      return softmax(*in[0], axis_of(node.list[0], in[0]->sizes.size()),
                     node.operation == Op::LogSoftmax, to);
    case Op::Sum:
    case Op::Mean:
    case Op::Largest:
    case Op::Smallest:
    case Op::Product:
      return reduce(node, *in[0], to);
    case Op::Running:
      return running_sum(*in[0], integer(only(*in[1])), to);
    case Op::Normalise:
      return normalise(*in[0], node.number, to);
    case Op::Transpose:
      return transpose(node, *in[0], to);
    case Op::Reshape:
      return reshape(*in[0], reshaped_sizes(*in[0], *in[1]), to);
    case Op::Flatten: {
      const std::size_t rank = in[0]->sizes.size();
      const auto axis =
          node.list[0] == static_cast<std::int64_t>(rank) ? rank : axis_of(node.list[0], rank);
      std::size_t rows = 1;
      for (std::size_t i = 0; i < axis; ++i) rows *= in[0]->sizes[i];
      return reshape(*in[0], {rows, rows == 0 ? 0 : in[0]->values.size() / rows}, to);
    }
    case Op::Squeeze:
      return reshape(*in[0], squeezed(node, in[0]->sizes), to);
    case Op::Unsqueeze:
      return reshape(*in[0], unsqueezed(node, in[0]->sizes), to);
    case Op::Expand:
      return expand(*in[0], sizes_in(*in[1]), to);
    case Op::Tile:
      return tile(*in[0], sizes_in(*in[1]), to);
    case Op::Concat:
      return concat(in, node.list[0], to);
    case Op::Slice:
      return slice(in, to);
    case Op::Part:
      return part(node, *in[0], to);
    case Op::Gather:
      return gather(*in[0], *in[1], node.list[0], to);
    case Op::GatherElements:
      return gather_elements(*in[0], *in[1], node.list[0], to);
    case Op::Lengths:
      shape(to, {in[0]->sizes.size()}, true);
      std::copy(in[0]->sizes.begin(), in[0]->sizes.end(), to.values.begin());
      return;
    case Op::Filled:
      shape(to, sizes_in(*in[0]), !node.list.empty());
      std::fill(to.values.begin(), to.values.end(), node.number);
      return;
    case Op::Range:
      return range(*in[0], *in[1], *in[2], to);
    case Op::Triangle:
      return triangle(node, in, to);
    case Op::Recur:
      return recur(*node.layer, *in[0], to);
  }
}

}  // namespace rnnalf
