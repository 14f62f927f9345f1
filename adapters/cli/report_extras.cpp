#include "report_extras.hpp"

#include <algorithm>

#include "graphviz.hpp"
#include "rnnalf/report/pca.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kFirstPoints = 1000;
constexpr std::size_t kLaterPoints = 1500;
constexpr std::size_t kPictureBytes = 2'000'000;
constexpr std::size_t kLargestByTheWay = 100;  // states of hypotheses that are not the result

}  // namespace

RStatePlot r_state_plot(Teacher& teacher, const Dfa& result, const Budget& budget) {
  StateTree& tree = teacher.tree();
  std::vector<Node> known;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = static_cast<Node>(i);
    if (tree.known(node)) known.push_back(node);
  }
  RStatePlot plot;
  plot.seen = known.size();
  const std::size_t first = std::min(kFirstPoints, known.size());
  std::vector<Node> nodes(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t rest = known.size() - first;
  const std::size_t later = std::min(kLaterPoints, rest);
  for (std::size_t i = 0; i < later; ++i) nodes.push_back(known[first + i * rest / later]);

  std::vector<double> states(nodes.size() * tree.state_size());
  const RStates columns{states.data(), tree.state_size(), nodes.size()};
  if (!tree.copy_states(nodes, columns, budget)) return plot;
  const auto a_states = teacher.exploration().a_states(nodes, budget);
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
                           .accepted = tree.accepted(nodes[i])});
  }
  return plot;
}

std::map<std::size_t, std::string> hypothesis_pictures(const Run& run,
                                                       std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.hypotheses.size(); ++i) {
    if (i != run.recommended && run.hypotheses[i].dfa.size() <= kLargestByTheWay) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return run.hypotheses[a].dfa.size() < run.hypotheses[b].dfa.size();
  });
  order.insert(order.begin(), run.recommended);

  std::map<std::size_t, std::string> pictures;
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    const std::chrono::duration<double> left = end - Clock::now();
    if (left.count() <= 0 || bytes > kPictureBytes) break;
    try {
      const NamedDfa automaton{run.network.alphabet, run.hypotheses[i].dfa};
      bytes += (pictures[i] = svg_picture(automaton, {}, left)).size();
    } catch (const GraphvizError&) {
      // A picture less: the page has its own drawing.
      pictures.erase(i);
    }
  }
  return pictures;
}

}  // namespace rnnalf::cli
