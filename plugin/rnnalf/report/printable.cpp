#include "rnnalf/report/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace rnnalf {
namespace {

struct Decoded {
  std::uint32_t character = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8 here
};

/// The character at the beginning of a text that is not empty.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xc2 && lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t character = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    character = (character << 6U) | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  if (overlong || surrogate || character > 0x10ffff) return {};
  return {character, bytes};
}

struct Range {
  std::uint32_t first, last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, std::uint32_t character) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

/// Controls, and what is invisible or changes the order of what follows.
constexpr std::array kUnsafe = {
    Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0xad, 0xad},      Range{0x61c, 0x61c},
    Range{0x180e, 0x180e}, Range{0x200b, 0x200f}, Range{0x2028, 0x202e},  Range{0x2060, 0x206f},
    Range{0xfeff, 0xfeff}, Range{0xfff9, 0xfffb}, Range{0xe0000, 0xe007f}};

constexpr std::array kCombining = {Range{0x300, 0x36f},   Range{0x1ab0, 0x1aff},
                                   Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff},
                                   Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}};

constexpr std::array kWide = {
    Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},
    Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f},
    Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};

std::string escape(const char* format, unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::string printable(std::string_view text, bool utf8) {
  std::string shown;
  while (!text.empty()) {
    const auto [character, bytes] = decode(text);
    if (bytes == 0) {
      shown += escape("\\x%02x", static_cast<unsigned char>(text[0]));
    } else if (is_in(kUnsafe, character) || (character > 0x7f && !utf8)) {
      shown += escape(character > 0xffff ? "\\u{%x}" : "\\u%04x", character);
    } else {
      shown += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const auto [character, bytes] = decode(text);
    width += is_in(kCombining, character) ? 0 : is_in(kWide, character) ? 2 : 1;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return width;
}

std::string cut_to_width(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  std::size_t end = 0;
  std::size_t used = 1;  // the ellipsis
  while (end < text.size()) {
    const std::string_view rest = std::string_view(text).substr(end);
    const std::size_t bytes = std::max<std::size_t>(decode(rest).bytes, 1);
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
    const std::size_t end = std::min(text.find(' ', at), text.size());
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
