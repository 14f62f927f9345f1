#pragma once

#include <string_view>

#include "rnnalf/report/text_report.hpp"

namespace rnnalf::cli {

[[nodiscard]] bool is_terminal(int descriptor) noexcept;

/// What the reader of a descriptor can be shown. Colours only on a terminal that is not `dumb`, and
/// not when NO_COLOR is set (https://no-color.org); the size is the terminal's own; characters
/// beyond ASCII where the locale says UTF-8. A pipe or file gets 100 columns and no colours.
[[nodiscard]] TextStyle text_style(int descriptor);

/// Text for people goes to standard output and stderr through these, and nowhere else: what
/// files, titles, symbols and names of files bring along cannot steer the terminal.
void print(std::string_view text);
void say(std::string_view text);
/// A line on stderr that the next one takes the place of.
void say_live(std::string_view text);

}  // namespace rnnalf::cli
