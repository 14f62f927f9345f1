#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rnnalf/acceptor/packed_matrix.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"

namespace rnnalf {

/// The decision function of a trained RBF machine: which side an R-state is on.
///
/// decision(x) = sum_i coefficient_i exp(-gamma |x - support_i|^2) - offset. Immutable.
class SvmSplit {
 public:
  /// Trains libsvm's C-SVC to tell `conflicting` from the others; none when the budget ended first.
  static std::optional<SvmSplit> train(std::span<const double> conflicting, ConstRStates others,
                                       double cost, double gamma, const Budget& budget);

  /// decisions[i] > 0: states.col(i) is on the side of the conflicting R-state. A function of
  /// column i alone.
  void decide(ConstRStates states, std::span<double> decisions) const;

  [[nodiscard]] std::size_t support_size() const { return coefficients_.size(); }

 private:
  double gamma_ = 0;
  double offset_ = 0;
  kernels::PackedMatrix<double> support_;  // one support vector per row
  std::vector<double> squares_;            // |support_i|^2
  std::vector<double> coefficients_;
};

}  // namespace rnnalf
