#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rnnalf {

enum class Align : std::uint8_t { Left, Right };

/// Rows of text in columns, each as wide as its widest entry, two spaces apart. Widths are those of
/// a terminal (display_width); no line ends with a space.
class TextTable {
 public:
  struct Layout {
    std::size_t indent = 0;  ///< spaces before every line
    std::size_t width = 0;   ///< columns in which the last entry of a row is wrapped; 0: it is not
    std::vector<std::size_t> least = {};  ///< of the first columns: how wide they are at the least
  };

  explicit TextTable(std::vector<Align> columns);
  TextTable(std::vector<Align> columns, Layout layout);

  /// At most as many entries as there are columns; printable, without line feeds.
  void row(std::vector<std::string> entries);

  /// All rows, each with a line feed.
  [[nodiscard]] std::string text() const;
  /// Of the longest line, were its last entry not wrapped and all columns filled.
  [[nodiscard]] std::size_t width() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Align> columns_;
  Layout layout_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rnnalf
