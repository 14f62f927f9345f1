#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// The A-state of an R-state, as any bytes that are equal iff the A-states are.
using PartitionFunction = std::function<std::string(std::span<const double>)>;

/// A DFA that may know only a part of itself.
struct PartialDfa {
  Dfa dfa;                        ///< transitions that are not known lead to `unknown`
  std::optional<LState> unknown;  ///< rejecting, for ever; none: everything is known
  std::size_t a_states = 0;       ///< without `unknown`
  std::size_t expanded = 0;       ///< of them with known transitions

  /// Whether the DFA knows where the word leads.
  [[nodiscard]] bool covers(WordView word) const { return !unknown || dfa.run(word) != *unknown; }
  /// The words it covers; none when that is all words.
  [[nodiscard]] std::optional<Dfa> covered() const;
};

/// The automaton of a network and a partition of its R-states (the paper's A^{R,p}, Omlin and
/// Giles): breadth first, the first R-state met of an A-state stands for all of it, deciding class
/// and successors. Ends early with a partial DFA when the budget ends or at about
/// `max_states` A-states: those whose successors would be one too many are not expanded.
[[nodiscard]] PartialDfa quotient(StateTree& tree, const PartitionFunction& partition,
                                  const Budget& budget,
                                  std::size_t max_states = std::numeric_limits<std::size_t>::max());

}  // namespace rnnalf
