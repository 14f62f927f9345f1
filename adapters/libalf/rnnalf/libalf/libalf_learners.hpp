#pragma once

#include "rnnalf/teacher/learner.hpp"

namespace rnnalf {

/// The learners of learners.hpp, RPNI and libalf's smallest consistent DFA, for an Extraction.
/// (Upstream's last two cannot be stopped; the toolkit's can.)
[[nodiscard]] const Learners& libalf_learners();

}  // namespace rnnalf
