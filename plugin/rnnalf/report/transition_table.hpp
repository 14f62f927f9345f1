#pragma once

#include <string>

#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/report/text_report.hpp"

// An automaton as text for a terminal.
namespace rnnalf {

/// The automaton as a table, a row for each state and a column for each class of symbols that act
/// alike, with a trailing line feed; empty when it has more than 16 states or 12 classes. Symbols
/// that do not fit into the header are listed below the table.
[[nodiscard]] std::string transition_table(const NamedDfa& automaton, const TextStyle& style);

/// An automaton in two lines: its states, sink and largest strongly connected component, and the
/// five shortest words that it accepts.
[[nodiscard]] std::string automaton_summary(const NamedDfa& automaton, const TextStyle& style);

}  // namespace rnnalf
