#pragma once

#include "rnnalf/automaton/dfa.hpp"

namespace rnnalf {

// Both throw std::invalid_argument when the symbol counts differ.

/// The minimal automaton of the words that `a` accepts and `b` does not.
[[nodiscard]] Dfa difference(const Dfa& a, const Dfa& b);

/// An automaton of a's language whose states tell apart what the states of `b` tell apart.
[[nodiscard]] Dfa refined(const Dfa& a, const Dfa& b);

}  // namespace rnnalf
