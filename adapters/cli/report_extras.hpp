#pragma once

#include <chrono>
#include <map>
#include <string>

#include "rnnalf/report/html_report.hpp"

namespace rnnalf::cli {

/// Graphviz's pictures of the result and of the other hypotheses of up to 100 states, smallest
/// first, as far as time and space go; none where Graphviz is not installed. The page draws the
/// others itself.
[[nodiscard]] std::map<std::size_t, std::string> hypothesis_pictures(
    const Run& run, std::chrono::duration<double> time);

}  // namespace rnnalf::cli
