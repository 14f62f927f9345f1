#pragma once

#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/teacher/learner.hpp"

namespace rnnalf {

/// Learns from nothing but words with the network's answers (BaselineWords), by merging states
/// or as a smallest consistent DFA. The DFA agrees with all words that were answered, and rejects
/// what leads beyond them. For networks that accept and reject.
///
/// Words are asked in their order; a limit that comes first leaves a DFA for those answered until
/// then. Steps are never more than `max_steps`; half of the time is kept for learning. Where a
/// smallest DFA is not found in time, the result is made by merging states, and where that is not,
/// a DFA that rejects everything.
[[nodiscard]] BaselineResult learn_from_answers(StateTree& tree, const MethodSpec& method,
                                                const BaselineOptions& options,
                                                const Learners& learners, const Budget& budget);

}  // namespace rnnalf
