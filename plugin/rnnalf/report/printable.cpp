#include "rnnalf/report/printable.hpp"

#include <algorithm>

#include "rnnalf/base/terminal_text.hpp"

namespace rnnalf {
namespace {

/// The end of what stands together from `at` on: the next space, but not the one of `98.4 %`.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  std::size_t end = text.find(' ', at);
  while (end < text.size() && text.substr(end).starts_with(" %")) end = text.find(' ', end + 1);
  return std::min(end, text.size());
}

}  // namespace

std::string printable(std::string_view text, bool utf8) {
  std::string shown;
  while (!text.empty()) text.remove_prefix(add_visible(text, utf8, shown));
  return shown;
}

std::string cut_to_width(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  std::size_t end = 0;
  std::size_t used = 1;  // the ellipsis
  while (end < text.size()) {
    const std::string_view rest = std::string_view(text).substr(end);
    const std::size_t bytes = std::max<std::size_t>(first_character(rest).bytes, 1);
    used += display_width(rest.substr(0, bytes));
    if (used > width) break;
    end += bytes;
  }
  return text.substr(0, end) + "…";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = end_of_part(text, at);
    std::string part = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && display_width(line) + 1 + display_width(part) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    while (display_width(part) > width) {
      std::size_t cut = width;  // bytes; moved back to the beginning of a character
      while (cut > 1 && (static_cast<unsigned char>(part[cut]) & 0xc0U) == 0x80) --cut;
      lines.push_back(part.substr(0, cut));
      part.erase(0, cut);
    }
    line += (line.empty() ? "" : " ") + part;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace rnnalf
