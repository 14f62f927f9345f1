#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/report/picture.hpp"

namespace rnnalf::cli {

/// The SVG that a Graphviz program (`dot`, `sfdp`) draws of a text. The program is started without
/// a shell and ended when the time is over. Throws ProgramError.
[[nodiscard]] std::string run_graphviz(const std::string& program, const std::string& dot,
                                       std::chrono::duration<double> time);

/// The automaton, or of a large one its core, drawn by `dot`. Throws ProgramError.
[[nodiscard]] std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                                      std::chrono::duration<double> time);

/// The same, whatever the automaton: where Graphviz cannot draw it in about this time, fewer states
/// of it, and where not even those, its transitions in words.
[[nodiscard]] std::string svg_picture_of_any(const NamedDfa& automaton,
                                             const PictureOptions& options,
                                             std::chrono::duration<double> time);

}  // namespace rnnalf::cli
