#pragma once

#include "rnnalf/run/run.hpp"
#include "rnnalf/teacher/teacher.hpp"

namespace rnnalf {

/// Up to `most` of the R-states that the teacher's tree knows, in the plane of their largest
/// variance: those met first, and others evenly over the order in which they were met. Without
/// points when the budget ended.
[[nodiscard]] RStatePlot r_state_plot(Teacher& teacher, const Dfa& result, std::size_t most,
                                      const Budget& budget);

}  // namespace rnnalf
