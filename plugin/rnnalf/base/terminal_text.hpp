#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rnnalf {

enum class Colours : std::uint8_t { None, Ours };

/// Lines of text on their way to a person, whatever is in them: tabs and line feeds stay, and all
/// else that could steer a terminal or reorder a line becomes visible. Control characters,
/// invisible and right-to-left marks become `\u202e`, bytes that are no UTF-8 `\xff`. With
/// Colours::Ours the sequences of our own reports stay too: bold, green, yellow.
[[nodiscard]] std::string terminal_text(std::string_view text, Colours colours);

/// Appends the first character of a text that is not empty, made visible, and returns its bytes.
/// Without `utf8` every character beyond ASCII is written as `\u00e4`.
std::size_t add_visible(std::string_view text, bool utf8, std::string& shown);

/// The text with `by` in every place of `what`.
[[nodiscard]] std::string replaced(std::string text, std::string_view what, std::string_view by);

}  // namespace rnnalf
