#include "report_extras.hpp"

#include <algorithm>

#include "graphviz.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kPictureBytes = 2'000'000;

}  // namespace

std::map<std::size_t, std::string> rung_pictures(const Run& run,
                                                 std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  std::vector<std::size_t> order;
  for (const std::size_t i : shown_hypotheses(run)) {
    if (run.hypotheses[i].dfa.size() <= kDrawnStates) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return i == run.recommended; });

  std::map<std::size_t, std::string> pictures;
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    const std::chrono::duration<double> left = end - Clock::now();
    if (left.count() <= 0 || bytes > kPictureBytes) break;
    try {
      const NamedDfa automaton = named(run.network, run.hypotheses[i].dfa);
      bytes += (pictures[i] = svg_picture(automaton, {.sinks = Sinks::Hidden}, left)).size();
    } catch (const GraphvizError&) {
      // The page draws this automaton itself.
      pictures.erase(i);
    }
  }
  return pictures;
}

}  // namespace rnnalf::cli
