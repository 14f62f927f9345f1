#include "rnnalf/acceptor/activate.hpp"

#include <algorithm>
#include <cmath>

#include "rnnalf/acceptor/packed_matrix.hpp"

namespace rnnalf {
namespace {

using kernels::Kernels;

/// values[i] becomes combine(values[i], inner(before(values[i]))), inner a kernel.
template <class T, class Inner, class Before, class Combine>
void through(Inner inner, T* values, std::size_t count, Before before, Combine combine) {
  thread_local kernels::Buffer<T> scratch;
  T* const inside = scratch.at_least(count);
  for (std::size_t i = 0; i < count; ++i) inside[i] = before(values[i]);
  inner(inside, count);
  for (std::size_t i = 0; i < count; ++i) values[i] = combine(values[i], inside[i]);
}

/// log(1 + y) for 0 <= y <= 1: 2 (s + s^3 / 3 + s^5 / 5 + ...) with s = y / (2 + y), at most 1/3.
double log_of_one_plus(double y) {
  const double s = y / (2 + y);
  double sum = 0;
  for (int n = 37; n >= 1; n -= 2) sum = sum * (s * s) + 1.0 / n;
  return 2 * s * sum;
}

/// P(N <= x) of a standard normal N: (1 + erf(y)) / 2 with y = x / sqrt(2), where
/// erf(y) = 2 / sqrt(pi) exp(-y^2) sum_n 2^n y^(2n+1) / (1 * 3 * ... * (2n+1)), all terms of a
/// sign.
double normal_distribution(double x) {
  if (x > 8.5) return 1;
  if (x < -8.5) return 0;
  const double y = x * 0.70710678118654752440;
  alignas(64) double decay[2 * kernels::kPanelRows<double>] = {y * y};
  kernels::best<double>().negative_exp(decay, 1, 1.0);
  double term = y;
  double sum = y;
  for (int n = 1; n < 200 && std::abs(term) > 1e-18 * std::abs(sum); ++n) {
    term *= 2 * y * y / (2 * n + 1);
    sum += term;
  }
  return 0.5 + 0.56418958354775628695 * decay[0] * sum;
}

}  // namespace

template <class T>
void activate(const Kernels<T>& kernels, Activation activation, double slope, T* values,
              std::size_t count) {
  const T s = static_cast<T>(slope);
  switch (activation) {
    case Activation::None:
      return;
    case Activation::Relu:
      return kernels.relu(values, count);
    case Activation::Tanh:
      return kernels.tanh(values, count);
    case Activation::Sigmoid:
      return kernels.sigmoid(values, count);
    case Activation::LeakyRelu:
      for (std::size_t i = 0; i < count; ++i) {
        if (values[i] < 0) values[i] *= s;
      }
      return;
    case Activation::Elu:
      // exp(x) - 1 = 2 t / (1 - t) with t = tanh(x / 2), without cancellation below 0.
      return through(
          kernels.tanh, values, count, [](T x) { return x / 2; },
          [s](T x, T t) { return x > 0 ? x : s * (2 * t / (1 - t)); });
    case Activation::Gelu:
      for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(values[i]);
        values[i] = static_cast<T>(x * normal_distribution(x));
      }
      return;
    case Activation::GeluTanh:
      return through(
          kernels.tanh, values, count,
          [](T x) {
            return static_cast<T>(0.79788456080286535588) *
                   (x + static_cast<T>(0.044715) * x * x * x);
          },
          [](T x, T t) { return x * (1 + t) / 2; });
    case Activation::Silu:
      return through(
          kernels.sigmoid, values, count, [](T x) { return x; }, [](T x, T y) { return x * y; });
    case Activation::HardSigmoid:
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::clamp<T>(s * values[i] + static_cast<T>(0.5), 0, 1);
      }
      return;
    case Activation::Softsign:
      for (std::size_t i = 0; i < count; ++i) values[i] /= 1 + std::abs(values[i]);
      return;
    case Activation::Erf:
      for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(values[i]);
        values[i] = static_cast<T>(2 * normal_distribution(x * 1.41421356237309504880) - 1);
      }
      return;
    case Activation::Sqrt:
      for (std::size_t i = 0; i < count; ++i) values[i] = std::sqrt(values[i]);
      return;
    case Activation::Exp:
    case Activation::Softplus:
      return through([&kernels](T* x, std::size_t n) { kernels.negative_exp(x, n, T(1)); }, values,
                     count, [](T x) { return std::abs(x); },
                     [activation](T x, T e) {
                       if (activation == Activation::Exp) return x > 0 ? 1 / e : e;
                       const double tail = log_of_one_plus(static_cast<double>(e));
                       return static_cast<T>(
                           std::isnan(x) ? NAN : (x > 0 ? static_cast<double>(x) : 0) + tail);
                     });
  }
}

template <class T>
void normalise(const T* from, std::size_t count, double epsilon, T* to) {
  const auto size = static_cast<double>(count);
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += static_cast<double>(from[i]);
  mean /= size;
  double variance = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double off = static_cast<double>(from[i]) - mean;
    variance += off * off;
  }
  const double scale = std::sqrt(variance / size + epsilon);
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = static_cast<T>((static_cast<double>(from[i]) - mean) / scale);
  }
}

template void activate(const Kernels<float>&, Activation, double, float*, std::size_t);
template void activate(const Kernels<double>&, Activation, double, double*, std::size_t);
template void normalise(const float*, std::size_t, double, float*);
template void normalise(const double*, std::size_t, double, double*);

}  // namespace rnnalf
