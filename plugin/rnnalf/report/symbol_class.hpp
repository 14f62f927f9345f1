#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// A short name for a set of symbols, given in alphabet order: the symbols with spaces between,
/// `a-z` for letters or digits in a row, `[^()]` for all but a few, `any` for all of three or more.
/// Not cut: the label of a set without pattern is as long as the set.
[[nodiscard]] std::string class_label(const Alphabet& alphabet, std::span<const Symbol> symbols);

/// Columns of the label of a transition.
inline constexpr std::size_t kClassLabelWidth = 24;

/// The same, or where it is wider than `width` columns the first of the symbols and their number:
/// `w0 w3 ... (334)`.
[[nodiscard]] std::string short_class_label(const Alphabet& alphabet,
                                            std::span<const Symbol> symbols, std::size_t width);

/// The symbols grouped by what they do: two are together iff they lead to the same state from every
/// state. In order of their first members.
[[nodiscard]] std::vector<std::vector<Symbol>> symbol_classes(const Dfa& dfa);

/// Parallel transitions as one: the symbols that lead from one state to another.
struct MergedTransition {
  LState from{};
  LState to{};
  std::vector<Symbol> symbols;  ///< in alphabet order, not empty
};

/// In order of source state, then of first symbol.
[[nodiscard]] std::vector<MergedTransition> merged_transitions(const Dfa& dfa);

}  // namespace rnnalf
