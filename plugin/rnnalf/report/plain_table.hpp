#pragma once

#include <string>
#include <vector>

#include "rnnalf/report/text_table.hpp"

namespace rnnalf {

/// A table that is written in several ways: entries as text, and notes below it.
struct PlainTable {
  std::vector<Align> columns = {};  ///< numbers to the right
  std::vector<std::string> headings = {};
  std::vector<std::vector<std::string>> rows = {};  ///< as many entries as headings
  std::vector<std::string> notes = {};              ///< sentences
};

/// A, B, ... Z, AA, ...: what stands for a long name that a note explains.
[[nodiscard]] std::string column_letters(std::size_t number);

/// For a terminal: the notes below the table, wrapped to this many columns.
[[nodiscard]] std::string plain_text(const PlainTable& table, std::size_t width);

/// For LaTeX, with booktabs; the notes are comments. A dash between numbers is that of ranges.
[[nodiscard]] std::string plain_latex(const PlainTable& table);

}  // namespace rnnalf
