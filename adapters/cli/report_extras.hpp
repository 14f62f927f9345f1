#pragma once

#include <chrono>
#include <map>
#include <string>

#include "rnnalf/report/html_report.hpp"

namespace rnnalf::cli {

/// Graphviz's pictures of the rungs that the page draws, the result first, then the smallest, as
/// many as time and space allow; none where Graphviz is not installed. The page itself draws those
/// that are missing.
[[nodiscard]] std::map<std::size_t, std::string> rung_pictures(const Run& run,
                                                               std::chrono::duration<double> time);

}  // namespace rnnalf::cli
