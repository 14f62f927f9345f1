#pragma once

#include <string_view>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// How a text begins that is a regular expression where the name of an automaton file may stand.
inline constexpr std::string_view kRegex = "regex:";

/// The minimal automaton of a regular expression, which matches whole words.
///
///   a        the symbol of that name; `\` before a character takes its meaning away
///   <name>   a symbol with a longer name
///   .        any symbol
///   [a-f/]   any of these symbols, [^a-f/] any other; a range is of one-character symbols
///   r s      r, then s; spaces mean nothing
///   r|s      r or s
///   r* r+ r? r{m} r{m,} r{m,n}   as often as that
///   (r)      and () for the empty word
///
/// Throws OptionError with the position in characters and what was expected there; also when the
/// automaton has more than 10,000 states before it is minimised.
[[nodiscard]] Dfa parse_regex(std::string_view text, const Alphabet& alphabet);

}  // namespace rnnalf
