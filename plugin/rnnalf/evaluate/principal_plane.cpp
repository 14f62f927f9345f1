#include "rnnalf/evaluate/principal_plane.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace rnnalf {
namespace {

using DenseMatrix = Eigen::MatrixXd;

constexpr Eigen::Index kBlock = 8;  // more vectors than are wanted: the wanted ones converge faster
// For a picture: what is seen does not change any more, and 2,500 R-states of size 400 take 0.1 s.
constexpr int kMostRounds = 20;
constexpr double kPrecision = 1e-6;

/// The axes of largest variance of centred columns, by subspace iteration: the covariance matrix,
/// whose size is the square of the state's, is never formed.
struct Axes {
  DenseMatrix vectors;        // size x 2
  Eigen::Vector2d variances;  // sums of squares along them
};

Axes principal_axes(const DenseMatrix& centred) {
  const Eigen::Index size = centred.rows();
  const Eigen::Index block = std::min(kBlock, size);
  // Any start will do that is orthogonal to nothing: cosines of different frequencies.
  DenseMatrix basis(size, block);
  for (Eigen::Index j = 0; j < block; ++j) {
    for (Eigen::Index i = 0; i < size; ++i) {
      basis(i, j) = std::cos(1.0 + static_cast<double>((j + 1) * i) * 0.7071067811865476);
    }
  }
  Eigen::Vector2d variances = Eigen::Vector2d::Zero();
  DenseMatrix vectors = DenseMatrix::Zero(size, 2);
  for (int round = 0; round < kMostRounds; ++round) {
    basis = Eigen::HouseholderQR<DenseMatrix>(basis).householderQ() *
            DenseMatrix::Identity(size, block);
    const DenseMatrix along = centred.transpose() * basis;  // count x block
    const Eigen::SelfAdjointEigenSolver<DenseMatrix> within(along.transpose() * along);
    Eigen::Vector2d found = Eigen::Vector2d::Zero();
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(2, block); ++k) {
      found(k) = std::max(within.eigenvalues()(block - 1 - k), 0.0);
      vectors.col(k) = basis * within.eigenvectors().col(block - 1 - k);
    }
    const bool settled = (found - variances).norm() <= kPrecision * found.norm();
    variances = found;
    if (settled) break;
    basis = centred * along;
  }
  return {vectors, variances};
}

}  // namespace

PlanarProjection principal_plane(std::span<const double> states, std::size_t size) {
  if (size == 0 ? !states.empty() : states.size() % size != 0) {
    throw std::invalid_argument(fmt::format(
        "principal_plane: {} numbers are no whole R-states of size {}", states.size(), size));
  }
  PlanarProjection projection;
  if (states.empty()) return projection;
  const std::size_t count = states.size() / size;
  projection.points.resize(count);
  const Eigen::Map<const DenseMatrix> given(states.data(), static_cast<Eigen::Index>(size),
                                            static_cast<Eigen::Index>(count));
  const DenseMatrix centred = given.colwise() - given.rowwise().mean();
  const double total = centred.squaredNorm();
  if (!(total > 0)) return projection;  // all R-states are the same

  const Axes axes = principal_axes(centred);
  for (Eigen::Index k = 0; k < 2; ++k) {
    projection.variance[static_cast<std::size_t>(k)] = axes.variances(k) / total;
    Eigen::Index largest = 0;
    axes.vectors.col(k).cwiseAbs().maxCoeff(&largest);
    const double sign = axes.vectors(largest, k) < 0 ? -1 : 1;
    const Eigen::VectorXd along = sign * (centred.transpose() * axes.vectors.col(k));
    for (std::size_t i = 0; i < count; ++i) {
      projection.points[i][static_cast<std::size_t>(k)] = along(static_cast<Eigen::Index>(i));
    }
  }
  return projection;
}

}  // namespace rnnalf
