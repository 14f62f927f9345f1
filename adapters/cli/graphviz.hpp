#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "rnnalf/automaton/named_dfa.hpp"
#include "rnnalf/report/picture.hpp"

namespace rnnalf::cli {

enum class PictureFormat : std::uint8_t { Svg, Pdf, Png };

/// Told from the extension: `.svg`, `.pdf` or `.png`. Throws OptionError.
[[nodiscard]] PictureFormat picture_format_of(const std::filesystem::path& path);

/// The picture that a Graphviz program such as `dot` draws of a text. The program is started
/// without a shell and killed when the time is over. Throws ProgramError.
[[nodiscard]] std::string run_graphviz(const std::string& program, const std::string& dot,
                                       std::chrono::duration<double> time,
                                       PictureFormat format = PictureFormat::Svg);

/// The automaton, or of a large one its core, drawn by `dot`. Throws ProgramError.
[[nodiscard]] std::string svg_picture(const NamedDfa& automaton, const PictureOptions& options,
                                      std::chrono::duration<double> time);

/// The same for any automaton. If Graphviz does not finish in time, fewer states are drawn. If that
/// fails as well, an SVG lists the transitions as text; for other formats, ProgramError is thrown.
[[nodiscard]] std::string picture_of_any(const NamedDfa& automaton, const PictureOptions& options,
                                         std::chrono::duration<double> time,
                                         PictureFormat format = PictureFormat::Svg);

}  // namespace rnnalf::cli
