#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/exploration/exploration.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// An R-state in the plane, with what is known about it.
struct RStatePoint {
  double x = 0;
  double y = 0;
  Word word = {};
  LState l_state{};  ///< of the result
  AState a_state{};
  Answer answer = Answer::Reject;  ///< the network's
};

/// R-states that a run saw, projected to two dimensions.
struct RStatePlot {
  std::vector<RStatePoint> points = {};
  std::array<double, 2> variance{};  ///< share of all variance along each axis
  std::uint64_t seen = 0;            ///< R-states of the run, of which the points are a part
};

/// Up to `most` of the R-states that the tree knows, in the plane of their largest variance: those
/// met first, and others evenly over the order in which they were met. Without an exploration all
/// are in one A-state. Without points when the budget ended.
[[nodiscard]] RStatePlot r_state_plot(StateTree& tree, Exploration* exploration, const Dfa& result,
                                      std::size_t most, const Budget& budget);

}  // namespace rnnalf
