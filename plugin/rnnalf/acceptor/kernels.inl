// Included by kernels_*.cpp after they defined, in an unnamed namespace, for T = float and double:
//   template <class T> struct Vec { static constexpr std::size_t width; ... }
// with load, store, set1, +, -, *, /, fma(a, b, c) = a*b + c, min, max, exp2_bits. min and max
// return the second operand when one is not a number, as the vector instructions do; what may be
// NaN is therefore the second operand here, so that NaN stays NaN.
// Every function here is static or in an unnamed namespace; see kernels.hpp for why.

#include "rnnalf/acceptor/kernels.hpp"

namespace rnnalf::kernels {
namespace {

// ---------------------------------------------------------------- product

// R panels x N columns of the result in registers. Each element is bias, then one fma per term in
// index order: the same chain for every R and N.
template <class T, std::size_t R, std::size_t N>
inline void block(const T* values, const T* bias, std::size_t depth, const T* x,
                  std::size_t x_stride, T* out, std::size_t out_stride) {
  using V = Vec<T>;
  constexpr std::size_t per_panel = kPanelRows<T> / V::width;
  constexpr std::size_t rows = R * per_panel;
  V sum[N][rows];
  for (std::size_t v = 0; v < rows; ++v) {
    const V start = V::load(bias + v * V::width);
    for (std::size_t j = 0; j < N; ++j) sum[j][v] = start;
  }
  const std::size_t panel_size = kPanelRows<T> * depth;
  for (std::size_t k = 0; k < depth; ++k) {
    V weight[rows];
    for (std::size_t p = 0; p < R; ++p) {
      for (std::size_t v = 0; v < per_panel; ++v) {
        weight[p * per_panel + v] =
            V::load(values + p * panel_size + k * kPanelRows<T> + v * V::width);
      }
    }
    for (std::size_t j = 0; j < N; ++j) {
      const V input = V::set1(x[j * x_stride + k]);
      for (std::size_t v = 0; v < rows; ++v) sum[j][v] = V::fma(weight[v], input, sum[j][v]);
    }
  }
  for (std::size_t j = 0; j < N; ++j) {
    for (std::size_t v = 0; v < rows; ++v) sum[j][v].store(out + j * out_stride + v * V::width);
  }
}

// As many panels at once as the registers hold for N columns.
template <class T, std::size_t N>
inline void columns(const PackedView<T>& matrix, const T* x, std::size_t x_stride, T* out,
                    std::size_t out_stride) {
  constexpr std::size_t per_panel = kPanelRows<T> / Vec<T>::width;
  constexpr std::size_t fit = kSumRegisters / (per_panel * N);
  constexpr std::size_t R = fit < 1 ? 1 : fit > 8 ? 8 : fit;
  constexpr std::size_t panel_rows = kPanelRows<T>;
  std::size_t p = 0;
  for (; p + R <= matrix.panels; p += R) {
    block<T, R, N>(matrix.values + p * panel_rows * matrix.depth, matrix.bias + p * panel_rows,
                   matrix.depth, x, x_stride, out + p * panel_rows, out_stride);
  }
  if constexpr (R > 2) {
    constexpr std::size_t half = R / 2;
    for (; p + half <= matrix.panels; p += half) {
      block<T, half, N>(matrix.values + p * panel_rows * matrix.depth, matrix.bias + p * panel_rows,
                        matrix.depth, x, x_stride, out + p * panel_rows, out_stride);
    }
  }
  for (; p < matrix.panels; ++p) {
    block<T, 1, N>(matrix.values + p * panel_rows * matrix.depth, matrix.bias + p * panel_rows,
                   matrix.depth, x, x_stride, out + p * panel_rows, out_stride);
  }
}

template <class T>
void all_columns(const PackedView<T>& matrix, const T* x, std::size_t x_stride, std::size_t count,
                 T* out, std::size_t out_stride) {
  std::size_t j = 0;
  for (; j + 6 <= count; j += 6) {
    columns<T, 6>(matrix, x + j * x_stride, x_stride, out + j * out_stride, out_stride);
  }
  const T* rest_x = x + j * x_stride;
  T* rest_out = out + j * out_stride;
  switch (count - j) {
    case 5:
      columns<T, 5>(matrix, rest_x, x_stride, rest_out, out_stride);
      break;
    case 4:
      columns<T, 4>(matrix, rest_x, x_stride, rest_out, out_stride);
      break;
    case 3:
      columns<T, 3>(matrix, rest_x, x_stride, rest_out, out_stride);
      break;
    case 2:
      columns<T, 2>(matrix, rest_x, x_stride, rest_out, out_stride);
      break;
    case 1:
      columns<T, 1>(matrix, rest_x, x_stride, rest_out, out_stride);
      break;
    default:
      break;
  }
}

template <class T>
void multiply(const PackedView<T>& matrix, const T* x, std::size_t x_stride, std::size_t count,
              T* out, std::size_t out_stride) {
  // Panels by the half megabyte: they stay in the second-level cache while the columns pass by.
  constexpr std::size_t cache = std::size_t{512} * 1024;
  const std::size_t fit = cache / (kPanelRows<T> * sizeof(T) * (matrix.depth + 1)) / 8 * 8;
  const std::size_t at_once = fit < 8 ? 8 : fit;
  for (std::size_t p = 0; p < matrix.panels; p += at_once) {
    const std::size_t rest = matrix.panels - p;
    const PackedView<T> some{matrix.values + p * kPanelRows<T> * matrix.depth,
                             matrix.bias + p * kPanelRows<T>, rest < at_once ? rest : at_once,
                             matrix.depth};
    all_columns(some, x, x_stride, count, out + p * kPanelRows<T>, out_stride);
  }
}

// ---------------------------------------------------------------- activations

template <class T>
struct Constants;

template <>
struct Constants<float> {
  static constexpr float round = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0.693359375F;
  static constexpr float ln2_low = -2.12194440e-4F;
  static constexpr int terms = 7;
  static constexpr float sigmoid_limit = 87.0F;
  static constexpr float tanh_limit = 10.0F;  // tanh is 1 in float from 9.02 on
};

template <>
struct Constants<double> {
  static constexpr double round = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double ln2_high = 6.93145751953125e-1;
  static constexpr double ln2_low = 1.42860682030941723212e-6;
  static constexpr int terms = 13;
  static constexpr double sigmoid_limit = 700.0;
  static constexpr double tanh_limit = 20.0;
};

// 1/i!: on |r| <= ln2/2 the next term of the series is below half an ulp of the result.
constexpr double kInverseFactorial[] = {1.0,
                                        1.0,
                                        1.0 / 2,
                                        1.0 / 6,
                                        1.0 / 24,
                                        1.0 / 120,
                                        1.0 / 720,
                                        1.0 / 5040,
                                        1.0 / 40320,
                                        1.0 / 362880,
                                        1.0 / 3628800,
                                        1.0 / 39916800,
                                        1.0 / 479001600,
                                        1.0 / 6227020800};

// x = n ln2 + r, |r| <= ln2/2; power = 2^n, tail = e^r - 1. |x| is below the exponent range.
template <class T>
struct Reduced {
  Vec<T> power;
  Vec<T> tail;
};

template <class T>
inline Reduced<T> reduce(Vec<T> x) {
  using V = Vec<T>;
  using C = Constants<T>;
  const V shifted = V::fma(x, V::set1(T(1.4426950408889634)), V::set1(C::round));
  const V n = shifted - V::set1(C::round);
  V r = V::fma(n, V::set1(-C::ln2_high), x);
  r = V::fma(n, V::set1(-C::ln2_low), r);
  V sum = V::set1(T(kInverseFactorial[C::terms]));
  for (int i = C::terms - 1; i >= 1; --i) sum = V::fma(sum, r, V::set1(T(kInverseFactorial[i])));
  return {V::exp2_bits(shifted), sum * r};
}

template <class T>
inline Vec<T> sigmoid_of(Vec<T> x) {
  using V = Vec<T>;
  const V limit = V::set1(Constants<T>::sigmoid_limit);
  const V bounded = V::max(V::set1(0) - limit, V::min(limit, V::set1(0) - x));
  const Reduced<T> e = reduce<T>(bounded);
  const V one = V::set1(1);
  return one / (one + V::fma(e.power, e.tail, e.power));
}

template <class T>
inline Vec<T> tanh_of(Vec<T> x) {
  // tanh x = m / (m + 2), m = e^(2x) - 1 = 2^n (e^r - 1) + (2^n - 1): no cancellation near 0.
  using V = Vec<T>;
  const V limit = V::set1(2 * Constants<T>::tanh_limit);
  const V bounded = V::max(V::set1(0) - limit, V::min(limit, x + x));
  const Reduced<T> e = reduce<T>(bounded);
  const V m = V::fma(e.power, e.tail, e.power - V::set1(1));
  return m / (m + V::set1(2));
}

template <class T>
inline Vec<T> relu_of(Vec<T> x) {
  // Adding 0 makes 0 of -0 and changes nothing else.
  return Vec<T>::max(Vec<T>::set1(0), x) + Vec<T>::set1(0);
}

template <class T>
void elman_tanh(const CellColumn<T>& column, std::size_t hidden) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    tanh_of<T>(V::load(column.from_input + i) + V::load(column.from_hidden + i))
        .store(column.next_hidden + i);
  }
}

template <class T>
void elman_relu(const CellColumn<T>& column, std::size_t hidden) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    relu_of<T>(V::load(column.from_input + i) + V::load(column.from_hidden + i))
        .store(column.next_hidden + i);
  }
}

template <class T>
void gru(const CellColumn<T>& column, std::size_t hidden) {
  using V = Vec<T>;
  const T* a = column.from_input;
  const T* b = column.from_hidden;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    const V r = sigmoid_of<T>(V::load(a + i) + V::load(b + i));
    const V z = sigmoid_of<T>(V::load(a + hidden + i) + V::load(b + hidden + i));
    const V n = tanh_of<T>(V::fma(r, V::load(b + 2 * hidden + i), V::load(a + 2 * hidden + i)));
    // (1 - z) n + z h = n + z (h - n)
    V::fma(z, V::load(column.hidden + i) - n, n).store(column.next_hidden + i);
  }
}

template <class T>
void gru_gates(const CellColumn<T>& column, std::size_t hidden, T* reset, T* update) {
  using V = Vec<T>;
  const T* a = column.from_input;
  const T* b = column.from_hidden;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    const V r = sigmoid_of<T>(V::load(a + i) + V::load(b + i));
    sigmoid_of<T>(V::load(a + hidden + i) + V::load(b + hidden + i)).store(update + i);
    (r * V::load(column.hidden + i)).store(reset + i);
  }
}

template <class T>
void gru_candidate(const CellColumn<T>& column, std::size_t hidden, const T* candidate,
                   const T* update) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    const V n = tanh_of<T>(V::load(column.from_input + 2 * hidden + i) + V::load(candidate + i));
    V::fma(V::load(update + i), V::load(column.hidden + i) - n, n).store(column.next_hidden + i);
  }
}

template <class T>
void lstm(const CellColumn<T>& column, std::size_t hidden) {
  using V = Vec<T>;
  const T* a = column.from_input;
  const T* b = column.from_hidden;
  for (std::size_t i = 0; i < hidden; i += V::width) {
    const V in = sigmoid_of<T>(V::load(a + i) + V::load(b + i));
    const V forget = sigmoid_of<T>(V::load(a + hidden + i) + V::load(b + hidden + i));
    const V g = tanh_of<T>(V::load(a + 2 * hidden + i) + V::load(b + 2 * hidden + i));
    const V out = sigmoid_of<T>(V::load(a + 3 * hidden + i) + V::load(b + 3 * hidden + i));
    const V c = V::fma(forget, V::load(column.cell + i), in * g);
    c.store(column.next_cell + i);
    (out * tanh_of<T>(c)).store(column.next_hidden + i);
  }
}

template <class T>
void multiply_add(const T* a, const T* b, const T* c, T* out, std::size_t count) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < count; i += V::width) {
    V::fma(V::load(a + i), V::load(b + i), V::load(c + i)).store(out + i);
  }
}

template <class T>
void relu_all(T* values, std::size_t count) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < count; i += V::width)
    relu_of<T>(V::load(values + i)).store(values + i);
}

template <class T>
void tanh_all(T* values, std::size_t count) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < count; i += V::width)
    tanh_of<T>(V::load(values + i)).store(values + i);
}

template <class T>
void sigmoid_all(T* values, std::size_t count) {
  using V = Vec<T>;
  for (std::size_t i = 0; i < count; i += V::width)
    sigmoid_of<T>(V::load(values + i)).store(values + i);
}

template <class T>
void negative_exp(T* values, std::size_t count, T scale) {
  using V = Vec<T>;
  const V factor = V::set1(-scale);
  const V lowest = V::set1(-Constants<T>::sigmoid_limit);
  for (std::size_t i = 0; i < count; i += V::width) {
    // Rounding can leave a squared distance slightly below zero.
    const V x = V::min(V::set1(0), V::max(lowest, V::load(values + i) * factor));
    const Reduced<T> e = reduce<T>(x);
    V::fma(e.power, e.tail, e.power).store(values + i);
  }
}

// Plain loops: the compiler uses this file's instruction set for them.
template <class T>
void from_double(const double* __restrict from, std::size_t count, T* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
}

template <class T>
void to_double(const T* __restrict from, std::size_t count, double* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
}

template <class T>
constexpr Kernels<T> table(const char* instruction_set) {
  return {&multiply<T>,      &elman_tanh<T>,   &elman_relu<T>,   &gru<T>,       &gru_gates<T>,
          &gru_candidate<T>, &lstm<T>,         &multiply_add<T>, &relu_all<T>,  &tanh_all<T>,
          &sigmoid_all<T>,   &negative_exp<T>, &from_double<T>,  &to_double<T>, instruction_set};
}

}  // namespace
}  // namespace rnnalf::kernels
