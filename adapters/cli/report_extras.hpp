#pragma once

#include <chrono>
#include <map>
#include <string>

#include "rnnalf/report/html_report.hpp"
#include "rnnalf/teacher/teacher.hpp"

namespace rnnalf::cli {

/// Some thousands of the R-states that the teacher's tree knows, in the plane of their largest
/// variance: those met first, and others evenly over the order in which they were met. Without
/// points when the budget ended.
[[nodiscard]] RStatePlot r_state_plot(Teacher& teacher, const Dfa& result, const Budget& budget);

/// Graphviz's pictures of the result and of the other hypotheses of up to 100 states, smallest
/// first, as far as time and space go; none where Graphviz is not installed. The page draws the
/// others itself.
[[nodiscard]] std::map<std::size_t, std::string> hypothesis_pictures(
    const Run& run, std::chrono::duration<double> time);

}  // namespace rnnalf::cli
