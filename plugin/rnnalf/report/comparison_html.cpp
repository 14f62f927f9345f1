#include "rnnalf/report/comparison_html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "rnnalf/report/page_parts.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/run_json.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;

constexpr const char* kTitle = "Comparison of extractions";  // as the page has it

OrderedJson page_cell(const ComparisonCell& cell) {
  const auto text = [](const std::string& given) { return printable(given, true); };
  const auto or_null = [](const auto& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
  };
  const MeasuredWords uniform = cell.uniform();
  const MeasuredWords given = cell.given.value_or(MeasuredWords{});
  return {
      {"network", text(std::filesystem::path(cell.network).filename().string())},
      {"learner", text(cell.learner)},
      {"oracle", text(cell.oracle)},
      {"method", text(cell.method.text())},
      {"seed", cell.seed},
      {"verdict", cell.verdict_name()},
      {"states", cell.states},
      {"last_states", cell.last_states},
      {"seconds", cell.seconds},
      {"membership_queries", cell.membership_queries},
      {"equivalence_queries", cell.equivalence_queries},
      {"rnn_steps", cell.rnn_steps},
      {"counterexamples", cell.counterexamples},
      {"agreement", or_null(uniform.agreement())},
      {"coverage", or_null(uniform.coverage())},
      {"words_agreement", or_null(given.agreement())},
      {"equals_target", or_null(cell.equals_target)},
      {"milestone", cell.milestone ? OrderedJson(text(*cell.milestone)) : OrderedJson(nullptr)}};
}

/// Which words the agreement is about; the same for all cells.
std::string measured_text(const Comparison& comparison) {
  if (comparison.cells.empty()) return "";
  const ComparisonCell& cell = comparison.cells.front();
  std::string text;
  if (!cell.by_length.empty()) {
    std::vector<std::size_t> lengths;
    for (const auto& [length, measured] : cell.by_length) lengths.push_back(length);
    text = fmt::format(
        "Agreement: share of {} uniform words of each length {} on which DFA and network agree.",
        format_count(cell.by_length.front().second.words), fmt::join(lengths, ", "));
  }
  if (cell.given) {
    text += fmt::format(" On words: the same on {}.", given_words_text(comparison.cells));
  }
  return text;
}

}  // namespace

std::string comparison_html(const Comparison& comparison) {
  return comparison_html(comparison, kTitle, {});
}

std::string comparison_html(const Comparison& comparison, const std::string& title,
                            const MoreSections& more) {
  OrderedJson json = {{"command", comparison.command},
                      {"footer", comparison.program},
                      {"measured", measured_text(comparison)},
                      {"cells", OrderedJson::array()}};
  for (const ComparisonCell& cell : comparison.cells) json["cells"].push_back(page_cell(cell));
  std::string body(detail::k_comparison_page.body);
  const auto replace = [&](const std::string& what, const std::string& by) {
    const std::size_t at = body.find(what);
    RNNALF_CHECK(at != std::string::npos, "the page has no " + what);
    body.replace(at, what.size(), by);
  };
  replace(kTitle, detail::escaped_text(printable(title, true)));
  replace("<main>", "<main>\n" + more.first);
  replace("</main>", more.last + "</main>");
  detail::PageParts page = detail::k_comparison_page;
  page.body = body;
  return detail::assemble_page(page, title, detail::one_line(json));
}

}  // namespace rnnalf
