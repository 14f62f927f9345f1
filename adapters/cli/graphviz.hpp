#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/picture.hpp"

namespace rnnalf::cli {

/// Graphviz is not there, failed or took too long.
class GraphvizError : public Error {
 public:
  using Error::Error;
};

/// The SVG that a Graphviz program (`dot`, `sfdp`) draws of a text. The program is started without
/// a shell and ended when the time is over. Throws GraphvizError.
[[nodiscard]] std::string run_graphviz(const std::string& program, const std::string& dot,
                                       std::chrono::duration<double> time);

/// The automaton drawn: by `dot` up to 50 states, by `sfdp` up to 1000; larger ones are refused
/// with GraphvizError, because nobody could read the picture.
[[nodiscard]] std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                                      std::chrono::duration<double> time);

}  // namespace rnnalf::cli
