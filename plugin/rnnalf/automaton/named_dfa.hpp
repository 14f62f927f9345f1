#pragma once

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// An automaton with the names of its symbols: what an automaton file holds.
struct NamedDfa {
  Alphabet alphabet;
  Dfa dfa;  ///< dfa.symbol_count() == alphabet.size()

  bool operator==(const NamedDfa&) const = default;
};

/// The same language with the symbols numbered as in `order`. Symbols are matched by name.
/// Throws OptionError that names the first symbol which only one of the two alphabets has.
[[nodiscard]] Dfa reorder(const NamedDfa& automaton, const Alphabet& order);

}  // namespace rnnalf
