#include "rnnalf/evaluate/r_state_plot.hpp"

#include <algorithm>

#include "rnnalf/evaluate/principal_plane.hpp"

namespace rnnalf {

RStatePlot r_state_plot(StateTree& tree, Exploration* exploration, const Dfa& result,
                        std::size_t most, const Budget& budget) {
  std::vector<Node> known;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node) && tree.answered(node)) known.push_back(node);
  }
  RStatePlot plot;
  plot.seen = known.size();
  const std::size_t first = std::min(most * 2 / 5, known.size());
  std::vector<Node> nodes(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t rest = known.size() - first;
  const std::size_t later = std::min(most - first, rest);
  for (std::size_t i = 0; i < later; ++i) nodes.push_back(known[first + i * rest / later]);

  std::vector<double> states(nodes.size() * tree.state_size());
  const RStates columns{states.data(), tree.state_size(), nodes.size()};
  if (!tree.copy_states(nodes, columns, budget)) return plot;
  std::optional<std::vector<AState>> a_states(nodes.size());  // without an abstraction, one
  if (exploration != nullptr) a_states = exploration->a_states(nodes, budget);
  if (!a_states) return plot;
  const PlanarProjection plane = principal_plane(states, tree.state_size());
  plot.variance = plane.variance;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Word word = tree.word(nodes[i]);
    const LState l_state = result.run(word);
    plot.points.push_back({.x = plane.points[i][0],
                           .y = plane.points[i][1],
                           .word = std::move(word),
                           .l_state = l_state,
                           .a_state = (*a_states)[i],
                           .answer = tree.answer(nodes[i])});
  }
  return plot;
}

}  // namespace rnnalf
