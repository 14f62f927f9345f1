#include "rnnalf/base/text.hpp"

#include <utf8proc.h>

#include <algorithm>

namespace rnnalf {

Character first_character(std::string_view text) noexcept {
  utf8proc_int32_t code_point = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (bytes <= 0) return {};
  return {static_cast<std::uint32_t>(code_point), static_cast<std::size_t>(bytes)};
}

bool is_visible(std::uint32_t code_point) noexcept {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_CC:  // controls
    case UTF8PROC_CATEGORY_CF:  // joiners, marks of direction, tags
    case UTF8PROC_CATEGORY_CN:  // not assigned; many are ignored when text is shown
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:  // separators of lines and paragraphs
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      return true;
  }
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    const auto [code_point, bytes] = first_character(text);
    width += bytes == 0 ? 1
                        : static_cast<std::size_t>(
                              utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point)));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return width;
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t longest = 80;
  std::string shown = "'";
  for (std::size_t i = 0; i < longest && !name.empty(); ++i) {
    const auto [code_point, bytes] = first_character(name);
    if (bytes > 0 && is_visible(code_point)) {
      shown += name.substr(0, bytes);
    } else {
      shown += '?';
    }
    name.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown + (name.empty() ? "'" : "...'");
}

std::vector<std::string> split_at_spaces(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-@%";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace rnnalf
