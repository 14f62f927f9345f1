#include "rnnalf/report/plain_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <utility>

#include "rnnalf/report/printable.hpp"

namespace rnnalf {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSigns = {
    {{"ε", "$\\varepsilon$"},
     {"⁰", "$^0$"},
     {"¹", "$^1$"},
     {"²", "$^2$"},
     {"³", "$^3$"},
     {"⁴", "$^4$"},
     {"⁵", "$^5$"},
     {"⁶", "$^6$"},
     {"⁷", "$^7$"},
     {"⁸", "$^8$"},
     {"⁹", "$^9$"}}};

std::string latex_text(const std::string& text) {
  std::string result;
  for (const char c : printable(text, true)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '"':
        result += "''";
        break;
      case '[':  // after \\ at the end of a row these two would be arguments of it
      case '*':
        result += fmt::format("{{{}}}", c);
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  // pdfLaTeX has no sign of its own for those that words are shown with.
  for (const auto& [sign, latex] : kSigns) {
    for (std::size_t at = 0; (at = result.find(sign, at)) != result.npos; at += latex.size()) {
      result.replace(at, sign.size(), latex);
    }
  }
  return result;
}

/// Ranges of numbers have a dash of their own, and so has what is missing.
std::string latex_entry(const std::string& entry, Align align) {
  std::string latex = latex_text(entry);
  const std::size_t dash = align == Align::Right || entry == "-" ? latex.find('-') : latex.npos;
  if (dash != latex.npos) latex.insert(dash, "-");
  return latex;
}

}  // namespace

std::string column_letters(std::size_t number) {
  const std::string last(1, static_cast<char>('A' + number % 26));
  return number < 26 ? last : column_letters(number / 26 - 1) + last;
}

std::string plain_text(const PlainTable& table, std::size_t width) {
  TextTable text(table.columns);
  text.row(table.headings);
  for (const std::vector<std::string>& row : table.rows) text.row(row);
  std::string result = text.text() + "\n";
  for (const std::string& note : table.notes) {
    for (const std::string& line : wrapped(note, width)) result += line + "\n";
  }
  return result;
}

std::string plain_latex(const PlainTable& table) {
  std::string text = "% needs \\usepackage{booktabs}\n";
  for (const std::string& note : table.notes) text += fmt::format("% {}\n", printable(note, true));
  std::string alignment;
  for (const Align align : table.columns) alignment += align == Align::Right ? 'r' : 'l';
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", alignment);
  std::vector<std::string> entries;
  for (const std::string& heading : table.headings) entries.push_back(latex_text(heading));
  text += fmt::format("{} \\\\\n\\midrule\n", fmt::join(entries, " & "));
  for (const std::vector<std::string>& row : table.rows) {
    entries.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      entries.push_back(latex_entry(row[i], table.columns[i]));
    }
    text += fmt::format("{} \\\\\n", fmt::join(entries, " & "));
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace rnnalf
