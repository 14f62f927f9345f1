#pragma once

#include "rnnalf/baseline/baseline.hpp"

namespace rnnalf {

/// Learns from nothing but words with the network's answers, by libalf's RPNI or its smallest
/// consistent DFA: what `words_for` gives. The DFA agrees with all of them, and rejects what leads
/// beyond them. A budget that ends leaves a DFA that rejects everything. (Upstream libalf's
/// smallest DFA cannot be stopped; the toolkit's can.) For networks that accept and reject.
[[nodiscard]] BaselineResult learn_from_answers(StateTree& tree, const MethodSpec& method,
                                                const BaselineOptions& options,
                                                const Budget& budget);

}  // namespace rnnalf
