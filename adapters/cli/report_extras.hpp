#pragma once

#include <chrono>
#include <map>
#include <string>

#include "rnnalf/report/html_report.hpp"

namespace rnnalf::cli {

/// Graphviz's pictures of the result and of the other hypotheses of up to 100 states, the smallest
/// first, as many as time and space allow; none where Graphviz is not installed. The page itself
/// draws those that are missing.
[[nodiscard]] std::map<std::size_t, std::string> hypothesis_pictures(
    const Run& run, std::chrono::duration<double> time);

}  // namespace rnnalf::cli
