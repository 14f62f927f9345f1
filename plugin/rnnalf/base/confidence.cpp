#include "rnnalf/base/confidence.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace rnnalf {

Interval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double alpha) {
  if (trials == 0) return {};
  using Binomial = boost::math::binomial_distribution<double>;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(hits);
  return {Binomial::find_lower_bound_on_p(n, k, alpha / 2),
          Binomial::find_upper_bound_on_p(n, k, alpha / 2)};
}

}  // namespace rnnalf
