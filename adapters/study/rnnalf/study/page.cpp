#include "rnnalf/study/page.hpp"

#include <fmt/format.h>

#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/comparison_html.hpp"
#include "rnnalf/report/page_parts.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/study/summary.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostWordsShown = 40;

std::string escaped(const std::string& text) {
  return detail::escaped_text(printable(text, true));
}

std::string cells(const std::vector<std::string>& texts, const std::vector<Align>& columns,
                  const char* tag) {
  std::string row = "<tr>";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    row += fmt::format("<{0}{1}>{2}</{0}>", tag,
                       columns[i] == Align::Right ? " class=\"number\"" : "", escaped(texts[i]));
  }
  return row + "</tr>\n";
}

/// With its notes below.
std::string table(const PlainTable& plain) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table><thead>" +
                     cells(plain.headings, plain.columns, "th") + "</thead><tbody>\n";
  for (const auto& row : plain.rows) text += cells(row, plain.columns, "td");
  text += "</tbody></table></div>\n";
  for (const std::string& note : plain.notes) {
    text += "<p class=\"soft\">" + escaped(note) + "</p>\n";
  }
  return text;
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                     id, title, content);
}

std::string counterexamples(const std::vector<StudyRow>& rows) {
  std::string text;
  for (const StudyRow& row : rows) {
    if (row.counterexamples.empty()) continue;
    PlainTable words{{Align::Left, Align::Right, Align::Right, Align::Left, Align::Left,
                      Align::Left, Align::Left},
                     {"word", "at second", "search took", "network", "target", "", "oracle"},
                     {},
                     {}};
    for (const FoundWord& word : row.counterexamples) {
      if (words.rows.size() == kMostWordsShown) break;
      words.rows.push_back({word.word, fmt::format("{:.2f}", word.at_seconds),
                            fmt::format("{:.3f}", word.seconds), word.answer,
                            word.target.value_or(""), word.is_error() ? "the network errs" : "",
                            word.oracle});
    }
    text += fmt::format(
        "<details><summary>{}, {}, seed {}: {} counterexamples</summary>\n{}</details>\n",
        escaped(std::filesystem::path(row.cell.network).filename().string()),
        escaped(row.cell.way()), row.cell.seed, row.cell.counterexamples, table(words));
  }
  return text;
}

}  // namespace

std::string study_html(const Study& study,
                       const std::vector<std::pair<std::size_t, StudyRow>>& rows,
                       const std::string& command) {
  Comparison comparison{command, program_identity().text(), {}};
  std::vector<StudyRow> all;
  PlainTable without{{Align::Left, Align::Left, Align::Right, Align::Left, Align::Left},
                     {"network", "way", "seed", "verdict", "why"},
                     {},
                     {}};
  for (const auto& [experiment, row] : rows) {
    all.push_back(row);
    if (row.cell.has_result()) {
      comparison.cells.push_back(row.cell);
    } else {
      without.rows.push_back({row.cell.network, row.cell.way(), std::to_string(row.cell.seed),
                              std::string(row.cell.verdict_name()), row.message});
    }
  }
  const auto of_experiment = [&](const std::string& name) {
    std::vector<StudyRow> chosen;
    for (const auto& [experiment, row] : rows) {
      if (name.empty() || study.experiments[experiment].name == name) chosen.push_back(row);
    }
    return chosen;
  };
  MoreSections more;
  for (const TableSpec& one : study.tables) {
    if (one.lists_extractions()) continue;  // the first table of the page has all rows
    more.first += section("table-" + one.name, escaped(one.name),
                          table(study_table(one, of_experiment(one.experiment))));
  }
  std::string figures;
  for (const FigureSpec& figure : figures_of(study)) {
    for (const auto& [name, script] : scripts_of(study, figure, of_experiment(figure.experiment))) {
      figures += "<figure>" + svg_figure(script) + "</figure>\n";
    }
  }
  more.first += section("figures-title", "Figures", figures);
  if (!without.rows.empty()) {
    more.first += section("without-title", "Jobs without a result", table(without));
  }
  more.last += section("words-title", "Counterexamples", counterexamples(all));
  std::string notes;
  for (const std::string& note : provenance(study, all)) notes += "<p>" + escaped(note) + "</p>\n";
  more.last += section("study-title", "Study",
                       notes + "<pre>" + detail::escaped_text(study.text) + "</pre>\n");
  return comparison_html(comparison, study.title, more);
}

}  // namespace rnnalf
