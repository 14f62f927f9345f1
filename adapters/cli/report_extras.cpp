#include "report_extras.hpp"

#include <algorithm>

#include "graphviz.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kPictureBytes = 2'000'000;
constexpr std::size_t kLargestOther = 100;  // states of hypotheses that are not the result

}  // namespace

std::map<std::size_t, std::string> hypothesis_pictures(const Run& run,
                                                       std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.hypotheses.size(); ++i) {
    if (i != run.recommended && run.hypotheses[i].dfa.size() <= kLargestOther) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return run.hypotheses[a].dfa.size() < run.hypotheses[b].dfa.size();
  });
  // The page draws larger ones itself: it needs every state of what it shows.
  if (run.dfa().size() <= PictureOptions{}.most_states) {
    order.insert(order.begin(), run.recommended);
  }

  std::map<std::size_t, std::string> pictures;
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    const std::chrono::duration<double> left = end - Clock::now();
    if (left.count() <= 0 || bytes > kPictureBytes) break;
    try {
      const NamedDfa automaton{run.network.alphabet, run.hypotheses[i].dfa};
      bytes += (pictures[i] = svg_picture(automaton, {}, left)).size();
    } catch (const GraphvizError&) {
      // The page draws this automaton itself.
      pictures.erase(i);
    }
  }
  return pictures;
}

}  // namespace rnnalf::cli
