#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace rnnalf {

/// R-states in the plane of their largest variance.
struct PlanarProjection {
  std::vector<std::array<double, 2>> points;  ///< one per R-state
  std::array<double, 2> variance{};           ///< share of all variance along each axis
};

/// Principal component analysis, two components, of R-states that stand one after the other,
/// `size` numbers each. Deterministic, signs included: the largest coefficient of each axis is
/// positive. Costs a few dozen passes over the numbers. Throws std::invalid_argument when the last
/// R-state is not whole.
[[nodiscard]] PlanarProjection principal_plane(std::span<const double> states, std::size_t size);

}  // namespace rnnalf
