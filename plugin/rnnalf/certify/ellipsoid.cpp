#include "rnnalf/certify/ellipsoid.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace rnnalf::certify {
namespace {

using Square = Eigen::MatrixXd;
using Numbers = Eigen::VectorXd;
using Packed = kernels::PackedMatrix<double>;

Eigen::Map<const Square> square(const std::vector<double>& values, std::size_t size) {
  return {values.data(), static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)};
}

/// An upper bound of the largest singular value of a matrix with this many columns: of its product
/// with itself transposed, A, the trace of a high power of A bounds that of the largest eigenvalue.
double longest(const double* columns, std::size_t stride, std::size_t rows, std::size_t count) {
  const auto& kernels = kernels::best<double>();
  const std::size_t padded = kernels::padded<double>(count);
  std::vector<double> power(padded * count);
  const auto none = [](std::size_t) { return 0.0; };
  const Packed transposed(
      count, rows, [&](std::size_t r, std::size_t c) { return columns[r * stride + c]; }, none);
  kernels.multiply(transposed.view(), columns, stride, count, power.data(), padded);
  double trace = 0;
  for (std::size_t i = 0; i < count; ++i) trace += power[i * padded + i];
  if (!(trace > 0)) return 0;
  for (double& value : power) value /= trace;
  std::vector<double> next(power.size());
  constexpr int squarings = 3;
  for (int i = 0; i < squarings; ++i) {
    const Packed factor(
        count, count, [&](std::size_t r, std::size_t c) { return power[c * padded + r]; }, none);
    kernels.multiply(factor.view(), power.data(), padded, count, next.data(), padded);
    power.swap(next);
  }
  double sum = 0;  // the Frobenius norm
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      sum += power[j * padded + i] * power[j * padded + i];
    }
  }
  return std::sqrt(trace * std::pow(sum, 0.5 / (1 << squarings)));
}

/// With this covariance's shape, in floats.
Ellipsoid shaped(const Numbers& middle, const Square& covariance) {
  const Square shape = Square(covariance.llt().matrixL()).cast<float>().cast<double>();
  return {{middle.data(), middle.data() + middle.size()},
          {shape.data(), shape.data() + shape.size()}};
}

}  // namespace

std::vector<std::vector<double>> felt_differences(const RnnAcceptor& acceptor,
                                                  const BaseAutomaton& base, const Samples& samples,
                                                  Random& random, const Budget& budget) {
  constexpr std::size_t words = 24, length = 16;
  constexpr double step = 1.0 / 64, forgotten = 0.9;
  const std::size_t size = samples.size, lot = size + 1;
  const auto n = static_cast<Eigen::Index>(size);
  std::vector<std::vector<double>> felt;
  for (std::size_t q = 0; q < base.size() && !budget.spent(); ++q) {
    const std::size_t known = samples.states[q].size() / size, count = std::min(words, known);
    std::vector<double> sum(size * size);
    Eigen::Map<Square> P(sum.data(), n, n);
    P.setIdentity();
    for (std::size_t w = 0; w < count && !budget.spent(); ++w) {
      // The sample, and it again with a step in each direction.
      std::vector<double> states, next(lot * size);
      const double* const sample = samples.states[q].data() + w * known / count * size;
      for (std::size_t i = 0; i < lot; ++i) states.insert(states.end(), sample, sample + size);
      for (std::size_t i = 0; i < size; ++i) states[(i + 1) * size + i] += step;
      std::size_t at = q;
      double weight = 1.0 / static_cast<double>(count);
      for (std::size_t t = 0; t < length; ++t) {
        std::vector<Symbol> symbols;
        for (std::size_t a = 0; a < base.symbols(); ++a) {
          if (base.next(at, a) != BaseAutomaton::kNone) symbols.push_back(Symbol(a));
        }
        if (symbols.empty()) break;
        const Symbol symbol = symbols[random.below(symbols.size())];
        at = base.next(at, index(symbol));
        acceptor.step({states.data(), size, lot}, std::vector<Symbol>(lot, symbol),
                      {next.data(), size, lot});
        states.swap(next);
        const Eigen::Map<const Square> all(states.data(), n, n + 1);
        const Square J = (all.rightCols(n).colwise() - all.col(0)) / step;
        weight /= forgotten * forgotten;
        P.noalias() += weight * (J.transpose() * J);
      }
    }
    felt.push_back(std::move(sum));
  }
  return felt;
}

Ellipsoid::Ellipsoid(std::vector<double> middle, std::vector<double> shape)
    : size_(middle.size()), middle_(std::move(middle)), shape_(std::move(shape)) {
  const auto n = static_cast<Eigen::Index>(size_);
  const auto L = square(shape_, size_);
  const Square back = L.triangularView<Eigen::Lower>().solve(Square::Identity(n, n));
  back_.assign(back.data(), back.data() + back.size());
  packed_back_ = Packed(
      size_, size_, [&](std::size_t r, std::size_t c) { return back_[c * size_ + r]; },
      [](std::size_t) { return 0.0; });
  const Numbers half = L.rowwise().norm();
  bounds_ = {middle_, middle_};
  for (std::size_t i = 0; i < size_; ++i) {
    bounds_.low[i] -= half[static_cast<Eigen::Index>(i)];
    bounds_.high[i] += half[static_cast<Eigen::Index>(i)];
  }
}

Ellipsoid Ellipsoid::around(const std::vector<double>& samples, const std::vector<double>& felt) {
  constexpr double room = 1.1, floor = 0.15, least = 1e-3;
  const auto size =
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(felt.size()))));
  const auto n = static_cast<Eigen::Index>(size);
  const auto P = square(felt, size);
  const Eigen::Map<const Square> all(samples.data(), n,
                                     static_cast<Eigen::Index>(samples.size() / size));
  const Numbers middle =
      (0.5 * (all.rowwise().minCoeff() + all.rowwise().maxCoeff())).cast<float>().cast<double>();
  const Square from = all.colwise() - middle;
  const double farthest =
      std::max(least, std::sqrt((from.array() * (P * from).array()).colwise().sum().maxCoeff()));
  Square covariance = from * from.transpose() / static_cast<double>(from.cols());
  covariance += floor * floor * farthest * farthest * P.llt().solve(Square::Identity(n, n));
  const Square seen = covariance.llt().matrixL().solve(from);
  covariance *= room * room * std::max(1e-2, seen.colwise().squaredNorm().maxCoeff());
  return shaped(middle, covariance);
}

bool Ellipsoid::holds(const Image& image) const {
  constexpr double most = 1 - 1e-7;
  return inside(image.box, bounds_) && reach(image, most) < most;
}

Image Ellipsoid::image() const {
  return {middle_, std::vector<double>(size_), bounds_, size_, size_, shape_};
}

double Ellipsoid::reach(const Image& image, double most) const {
  const auto& kernels = kernels::best<double>();
  const std::size_t padded = kernels::padded<double>(size_), n = size_;
  std::vector<double> away(n), out(padded * std::max<std::size_t>(1, image.columns));
  for (std::size_t i = 0; i < n; ++i) away[i] = image.centre[i] - middle_[i];
  kernels.multiply(packed_back_.view(), away.data(), n, 1, out.data(), padded);
  std::vector<double> sum(n);
  const auto length = [&] {
    double squares = 0;
    for (const double value : sum) squares += value * value;
    return std::sqrt(squares);
  };
  for (std::size_t i = 0; i < n; ++i) sum[i] = std::abs(out[i]);
  if (length() > most) return HUGE_VAL;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k; i < n; ++i) sum[i] += std::abs(back_[k * n + i]) * image.radius[k];
  }
  kernels.multiply(packed_back_.view(), image.parts.data(), n, image.columns, out.data(), padded);
  double widest = 0;
  for (std::size_t j = 0; j < image.columns; ++j) {
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = out[j * padded + i];
      if (j < image.ball) {
        squares += value * value;
      } else {
        sum[i] += std::abs(value);
      }
    }
    widest = std::max(widest, squares);
  }
  const double rest = length();
  if (rest + std::sqrt(widest) > most) return HUGE_VAL;
  return rest + longest(out.data(), padded, n, image.ball);
}

void Ellipsoid::widen(double factor) {
  std::vector<double> shape = shape_;
  for (double& value : shape) value = static_cast<float>(factor * value);
  *this = Ellipsoid(std::move(middle_), std::move(shape));
}

}  // namespace rnnalf::certify
