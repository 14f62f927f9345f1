#pragma once

#include <vector>

#include "rnnalf/automaton/dfa.hpp"

namespace rnnalf {

/// The shortlex-first access word of every state of a hypothesis, shortest first.
[[nodiscard]] std::vector<Word> state_cover(const Dfa& hypothesis);

/// Access words followed by one symbol, those that are no access words themselves, shortest first:
/// with the state cover, every transition once.
[[nodiscard]] std::vector<Word> other_transitions(const Dfa& hypothesis);

/// The characterising set with the empty word in front: tells states apart by their own class, too.
[[nodiscard]] std::vector<Word> telling_suffixes(const Dfa& hypothesis);

}  // namespace rnnalf
