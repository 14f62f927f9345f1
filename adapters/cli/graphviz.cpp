#include "graphviz.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/process.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kAlwaysDrawn = 12;  // states: `dot` takes 50 ms even with all possible arrows

/// By PictureFormat: the extension, and what `dot` calls it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFormats = {
    {{".svg", "-Tsvg"}, {".pdf", "-Tpdf"}, {".png", "-Tpng:cairo"}}};

}  // namespace

PictureFormat picture_format_of(const std::filesystem::path& path) {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (path.extension() == kFormats[i].first) return static_cast<PictureFormat>(i);
  }
  throw OptionError(
      fmt::format("{}: the extension selects the format: .svg, .pdf or .png", path.string()));
}

std::string run_graphviz(const std::string& program, const std::string& dot,
                         std::chrono::duration<double> time, PictureFormat format) {
  const std::string_view argument = kFormats[static_cast<std::size_t>(format)].second;
  return output_of({program, std::string(argument)}, "graphviz", dot, time);
}

std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                        std::chrono::duration<double> time) {
  return run_graphviz("dot", picture_dot(automaton, options), time);
}

std::string picture_of_any(const NamedDfa& automaton, const PictureOptions& options,
                           std::chrono::duration<double> time, PictureFormat format) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  PictureOptions fewer = options;
  fewer.most_states = fewer.core_states = std::min<std::size_t>(kAlwaysDrawn, options.core_states);
  for (const auto& [tried, part] : {std::pair(options, 0.7), std::pair(fewer, 1.0)}) {
    try {
      return run_graphviz("dot", picture_dot(automaton, tried), part * (end - Clock::now()),
                          format);
    } catch (const ProgramError&) {
      // The next picture has fewer states. Only SVG can fall back to text.
      if (format != PictureFormat::Svg && part == 1.0) throw;
    }
  }
  return transitions_svg(automaton, options);
}

}  // namespace rnnalf::cli
