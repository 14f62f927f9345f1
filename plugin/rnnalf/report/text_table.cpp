#include "rnnalf/report/text_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/printable.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastWrapped = 20;  // columns; narrower text is hard to read

std::string aligned(const std::string& entry, std::size_t width, Align align) {
  const std::string space(width - display_width(entry), ' ');
  return align == Align::Left ? entry + space : space + entry;
}

void end_line(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  line += '\n';
}

}  // namespace

TextTable::TextTable(std::vector<Align> columns) : TextTable(std::move(columns), Layout{}) {}

TextTable::TextTable(std::vector<Align> columns, Layout layout)
    : columns_(std::move(columns)), layout_(std::move(layout)) {}

void TextTable::row(std::vector<std::string> entries) {
  RNNALF_CHECK(
      entries.size() <= columns_.size(),
      fmt::format("a row of {} entries in a table of {} columns", entries.size(), columns_.size()));
  rows_.push_back(std::move(entries));
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths = layout_.least;
  widths.resize(columns_.size(), 0);
  for (const auto& entries : rows_) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(entries[i]));
    }
  }
  return widths;
}

std::size_t TextTable::width() const {
  std::size_t sum = layout_.indent;
  for (const std::size_t width : widths()) sum += width + kGap;
  return columns_.empty() ? sum : sum - kGap;
}

std::string TextTable::text() const {
  const std::vector<std::size_t> widths = this->widths();
  std::string text;
  for (const auto& entries : rows_) {
    std::string line(layout_.indent, ' ');
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) line += std::string(kGap, ' ');
      const bool is_last = i + 1 == columns_.size();
      if (!is_last || layout_.width == 0) {
        line += aligned(entries[i], widths[i], columns_[i]);
        continue;
      }
      const std::size_t begin = display_width(line);
      const std::size_t room = layout_.width > begin ? layout_.width - begin : 0;
      const auto lines = wrapped(entries[i], std::max(room, kLeastWrapped));
      for (std::size_t j = 0; j < lines.size(); ++j) {
        if (j > 0) {
          end_line(line);
          text += line;
          line.assign(begin, ' ');
        }
        line += lines[j];
      }
    }
    end_line(line);
    text += line;
  }
  return text;
}

}  // namespace rnnalf
