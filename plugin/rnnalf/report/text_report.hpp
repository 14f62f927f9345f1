#pragma once

#include <cstddef>
#include <string>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// What the reader's screen can do, and how the reader writes options.
struct TextStyle {
  bool colour = false;      ///< escape sequences for bold and colours
  std::size_t width = 80;   ///< columns; 40 is the least that is used
  std::size_t height = 40;  ///< lines that are one screen: long lists are cut to it, with a note
  bool utf8 = true;         ///< characters beyond ASCII
  Spelling spelling = Spelling::CommandLine;  ///< of options that the text names
};

/// The run for a terminal, on about one screen: the verdict in words, the DFA and its size, the
/// counterexamples with the network's errors marked (and in bold), what was checked, the
/// exceptions, and what to try next when a limit was reached. Ends with a line feed. The run has at
/// least one hypothesis.
[[nodiscard]] std::string extraction_text(const Run& run, const TextStyle& style);

/// A small DFA as a table, a row per state and a column per class of symbols, with a trailing line
/// feed; empty when it does not fit (more than 12 states, or the width).
[[nodiscard]] std::string transition_table(const NamedDfa& automaton, const TextStyle& style);

}  // namespace rnnalf
