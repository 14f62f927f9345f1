#include "graphviz.hpp"

#include <algorithm>

#include "rnnalf/study/process.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kAlwaysDrawn =
    12;  // states: `dot` takes 50 ms even with all arrows there are

}  // namespace

std::string run_graphviz(const std::string& program, const std::string& dot,
                         std::chrono::duration<double> time) {
  return output_of({program, "-Tsvg"}, "graphviz", dot, time);
}

std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                        std::chrono::duration<double> time) {
  return run_graphviz("dot", picture_dot(automaton, options), time);
}

std::string svg_picture_of_any(const NamedDfa& automaton, const PictureOptions& options,
                               std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  PictureOptions fewer = options;
  fewer.most_states = fewer.core_states = std::min<std::size_t>(kAlwaysDrawn, options.core_states);
  for (const auto& [tried, part] : {std::pair(options, 0.7), std::pair(fewer, 1.0)}) {
    try {
      return svg_picture(automaton, tried, part * (end - Clock::now()));
    } catch (const ProgramError&) {
      // What is drawn next takes less.
    }
  }
  return transitions_svg(automaton, options);
}

}  // namespace rnnalf::cli
