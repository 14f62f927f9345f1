#pragma once

#include <string>

#include "rnnalf/report/comparison.hpp"

namespace rnnalf {

/// A comparison as one self-contained HTML page, as extraction_html is for a run: a table that can
/// be sorted, and plots of time and size for every network.
[[nodiscard]] std::string comparison_html(const Comparison& comparison);

/// Sections (HTML) before and after those of every comparison.
struct MoreSections {
  std::string first = {};
  std::string last = {};
};
/// The same under another title, with more sections.
[[nodiscard]] std::string comparison_html(const Comparison& comparison, const std::string& title,
                                          const MoreSections& more);

}  // namespace rnnalf
