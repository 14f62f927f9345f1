#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// Draws Graphviz text as SVG in at most this time; none where that fails.
using Draw = std::function<std::optional<std::string>(const std::string& dot,
                                                      std::chrono::duration<double> time)>;

/// Pictures of the automata that the page draws, the result first, then the smallest, as many as
/// time and space allow. The page itself draws those that are missing. Every front end makes its
/// page with these, so that all pages are equal.
[[nodiscard]] std::map<std::size_t, std::string> page_pictures(const Run& run, const Draw& draw,
                                                               std::chrono::duration<double> time);

}  // namespace rnnalf
