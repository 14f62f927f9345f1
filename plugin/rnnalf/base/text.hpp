#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// UTF-8 from files and users, on its way to a message or a terminal. What Unicode says of a
// character is utf8proc's business; what is shown of it is ours.
namespace rnnalf {

struct Character {
  std::uint32_t code_point = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with well-formed UTF-8
};

/// The character at the beginning of a text that is not empty (Unicode, table 3-7: no overlong
/// forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] Character first_character(std::string_view text) noexcept;

/// Whether a character stands for itself in a line of text: no control character, nothing invisible
/// and nothing that changes the order of what follows.
[[nodiscard]] bool is_visible(std::uint32_t code_point) noexcept;

/// Columns that a text takes in a terminal: 2 for wide characters (CJK, emoji), 0 for combining
/// ones.
[[nodiscard]] std::size_t display_width(std::string_view text) noexcept;

/// A name out of a file, in quotes, for a message of one line: ? for what is not visible or not
/// UTF-8, and ... instead of what comes after 80 characters.
[[nodiscard]] std::string in_quotes(std::string_view name);

/// The parts between spaces, of which there may be several in a row.
[[nodiscard]] std::vector<std::string> split_at_spaces(std::string_view text);

/// One argument of a command as a shell reads it: in quotes where it needs them.
[[nodiscard]] std::string shell_quoted(std::string_view argument);

}  // namespace rnnalf
