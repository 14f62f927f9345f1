#pragma once

#include <cstddef>
#include <vector>

#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/certify/box.hpp"
#include "rnnalf/certify/claim.hpp"
#include "rnnalf/certify/image.hpp"
#include "rnnalf/certify/samples.hpp"

namespace rnnalf::certify {

/// For every base state a positive definite matrix, column after column: x^T P x is large where a
/// difference x between two R-states is felt for long. The sum of J^T J over sampled words, J being
/// the derivative of the R-state after the word, where later symbols count more. Of the first base
/// states alone once the budget is spent.
[[nodiscard]] std::vector<std::vector<double>> felt_differences(const RnnAcceptor& acceptor,
                                                                const BaseAutomaton& base,
                                                                const Samples& samples,
                                                                Random& random,
                                                                const Budget& budget);

/// The R-states middle + shape b with |b| <= 1, the Euclidean length.
class Ellipsoid {
 public:
  /// With this middle and shape, which is as shape() says.
  Ellipsoid(std::vector<double> middle, std::vector<double> shape);
  /// Around samples (R-states one after the other), with room that is wide where `felt` is small.
  [[nodiscard]] static Ellipsoid around(const std::vector<double>& samples,
                                        const std::vector<double>& felt);

  [[nodiscard]] Image image() const;
  /// Whether an image is inside, far enough that the checkers, which round outward, see it, too.
  [[nodiscard]] bool holds(const Image& image) const;
  [[nodiscard]] const Box& bounds() const { return bounds_; }
  /// An upper bound of |b| over all R-states of an image; when it is beyond `most`, some number
  /// beyond that.
  [[nodiscard]] double reach(const Image& image, double most) const;
  /// In all directions: what was inside reaches less far by that factor, so proofs stay proofs.
  void widen(double factor);

  [[nodiscard]] const std::vector<double>& middle() const { return middle_; }
  /// Column after column, zero above the diagonal. Floats, so that certificates are short.
  [[nodiscard]] const std::vector<double>& shape() const { return shape_; }

 private:
  std::size_t size_;
  std::vector<double> middle_, shape_, back_;  ///< back: the inverse of shape, column after column
  kernels::PackedMatrix<double> packed_back_;
  Box bounds_;
};

}  // namespace rnnalf::certify
