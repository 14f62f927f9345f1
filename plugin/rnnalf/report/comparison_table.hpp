#pragma once

#include <span>
#include <string>
#include <vector>

#include "rnnalf/report/comparison.hpp"
#include "rnnalf/report/text_report.hpp"

namespace rnnalf {

/// Names of what a table can show of an extraction when words of these lengths were measured; the
/// CSV has all of them as columns.
[[nodiscard]] std::vector<std::string> comparison_columns(std::span<const std::size_t> lengths);

/// A text as an entry of a CSV file, in quotes where it needs them.
[[nodiscard]] std::string csv_field(const std::string& text);

/// A row for each extraction, in order, with a line of names first; RFC 4180 but for line feeds.
[[nodiscard]] std::string comparison_csv(const std::vector<ComparisonCell>& cells);

// One row for all repetitions of an extraction: medians, with the range where they differ. What all
// rows have in common stands once, above the table. `columns` are names of comparison_columns;
// none: those that matter most.

/// For a terminal: where the table is too wide, long texts become letters that are explained below
/// it, and then the columns that matter least are left out, which it says.
[[nodiscard]] std::string comparison_text(const std::vector<ComparisonCell>& cells,
                                          const std::vector<std::string>& columns,
                                          const TextStyle& style);

/// For LaTeX, with booktabs.
[[nodiscard]] std::string comparison_latex(const std::vector<ComparisonCell>& cells,
                                           const std::vector<std::string>& columns);

/// "2,000 given words": those on which results are measured; says which methods were made from the
/// same words.
[[nodiscard]] std::string given_words_text(const std::vector<ComparisonCell>& cells);

}  // namespace rnnalf
