#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/text.hpp"

// Text from files (symbols, names) on its way to a terminal.
namespace rnnalf {

/// The text with everything that could steer a terminal or reorder a line made visible: control
/// characters, invisible and right-to-left marks become `\u202e`, bytes that are no UTF-8 `\xff`.
/// Without `utf8` so does every character beyond ASCII.
[[nodiscard]] std::string printable(std::string_view text, bool utf8);

/// The text, or as much of its beginning as fits into `width` columns with `…` after it.
[[nodiscard]] std::string cut_to_width(const std::string& text, std::size_t width);

/// The text in lines of at most `width` columns, broken at spaces, but not between a number and its
/// `%`; a longer word is broken too.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace rnnalf
