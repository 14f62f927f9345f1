#include "rnnalf/report/page_pictures.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/picture.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPictureBytes = 2'000'000;
constexpr double kReadable = 0.8;  // labels have 9 pixels

/// The largest scale at which a picture is all in sight on the page, next to the plot or above it;
/// its size is what Graphviz wrote first.
double scale_on_page(const std::string& svg) {
  const auto number = [&](const char* name) {
    const std::size_t at = svg.find(name);
    return at == std::string::npos ? 1.0
                                   : std::strtod(svg.c_str() + at + std::strlen(name), nullptr);
  };
  const double width = number(" width=\"");
  const double height = number(" height=\"");
  return std::max(std::min(680 / width, 480 / height), std::min(1300 / width, 400 / height));
}

/// Drawn to the right; downwards, where that can be read better. The page shows the sink on demand.
std::optional<std::string> page_picture(const NamedDfa& automaton, const Draw& draw,
                                        Clock::time_point end) {
  const auto left = [&] { return std::chrono::duration<double>(end - Clock::now()); };
  auto best = draw(picture_dot(automaton, {.sinks = Sinks::Hidden}), left());
  if (!best || scale_on_page(*best) >= kReadable || left().count() <= 0) return best;
  auto other =
      draw(picture_dot(automaton, {.sinks = Sinks::Hidden, .direction = Direction::Down}), left());
  return other && scale_on_page(*other) > scale_on_page(*best) ? other : best;
}

}  // namespace

std::map<std::size_t, std::string> page_pictures(const Run& run, const Draw& draw,
                                                 std::chrono::duration<double> time) {
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
    if (Clock::now() >= end || bytes > kPictureBytes) break;
    if (auto picture = page_picture(named(run.network, run.hypothesis(i)), draw, end)) {
      bytes += picture->size();
      pictures.emplace(i, std::move(*picture));
    }
  }
  return pictures;
}

}  // namespace rnnalf
