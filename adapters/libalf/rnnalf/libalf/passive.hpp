#pragma once

#include "rnnalf/baseline/baseline.hpp"

namespace rnnalf {

/// Learns from nothing but words with the network's answers (BaselineWords), by libalf's RPNI or
/// its smallest consistent DFA. The DFA agrees with all words that were answered, and rejects what
/// leads beyond them. For networks that accept and reject.
///
/// Words are asked in their order; a limit that comes first leaves a DFA for those answered until
/// then. Steps are never more than `max_steps`; half of the time is kept for learning. Where a
/// smallest DFA is not found in time, the result is RPNI's, and where that is not, a DFA that
/// rejects everything. (Upstream libalf's learners cannot be stopped; the toolkit's can.)
[[nodiscard]] BaselineResult learn_from_answers(StateTree& tree, const MethodSpec& method,
                                                const BaselineOptions& options,
                                                const Budget& budget);

}  // namespace rnnalf
