#include "rnnalf/base/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rnnalf/base/text.hpp"

namespace rnnalf {

std::size_t add_visible(std::string_view text, bool utf8, std::string& shown) {
  const auto [character, bytes] = first_character(text);
  if (bytes == 0) {
    shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
  } else if (!is_visible(character) || (character > 0x7f && !utf8)) {
    shown += character > 0xffff ? fmt::format("\\u{{{:x}}}", character)
                                : fmt::format("\\u{:04x}", character);
  } else {
    shown += text.substr(0, bytes);
  }
  return std::max<std::size_t>(bytes, 1);
}

std::string terminal_text(std::string_view text, Colours colours) {
  // Those of report/text_report.cpp.
  constexpr std::array<std::string_view, 4> ours = {"\033[1m", "\033[1;32m", "\033[1;33m",
                                                    "\033[0m"};
  std::string shown;
  while (!text.empty()) {
    const auto* const colour = std::find_if(
        ours.begin(), ours.end(), [&](std::string_view one) { return text.starts_with(one); });
    std::size_t bytes = 1;
    if (colours == Colours::Ours && colour != ours.end()) {
      shown += *colour;
      bytes = colour->size();
    } else if (text[0] == '\n' || text[0] == '\t') {
      shown += text[0];
    } else {
      bytes = add_visible(text, true, shown);
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace rnnalf
