#pragma once

#include <cstddef>
#include <string>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// What the reader's screen can do, and how the reader writes options.
struct TextStyle {
  bool colour = false;                        ///< escape sequences for bold and colours
  std::size_t width = 80;                     ///< columns; 40 is the least that is used
  bool utf8 = true;                           ///< characters beyond ASCII
  Spelling spelling = Spelling::CommandLine;  ///< of options that the text names
  std::string draw = {};  ///< the command that draws the automaton, where it is too large for text
};

/// The run for a terminal: the finding, the automaton, its agreement with the network, the words on
/// which they differ, and why learning stopped. Ends with a line feed. The run has at least one
/// hypothesis.
[[nodiscard]] std::string extraction_text(const Run& run, const TextStyle& style);

}  // namespace rnnalf
