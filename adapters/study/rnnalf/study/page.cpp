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

std::string cells(const std::vector<std::string>& texts, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& text : texts) {
    row += fmt::format("<{0}>{1}</{0}>", tag, escaped(text));
  }
  return row + "</tr>\n";
}

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table><thead>" + cells(head, "th") +
                     "</thead><tbody>\n";
  for (const auto& row : rows) text += cells(row, "td");
  return text + "</tbody></table></div>\n";
}

/// With its notes below.
std::string plain_html(const PlainTable& plain) {
  std::string text = table(plain.headings, plain.rows);
  for (const std::string& note : plain.notes) text += "<p>" + escaped(note) + "</p>\n";
  return text;
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                     id, title, content);
}

std::string way_of(const ComparisonCell& cell) {
  return cell.learner.empty() ? cell.method : cell.learner + " " + cell.oracle;
}

std::string counterexamples(const std::vector<StudyRow>& rows) {
  std::string text;
  for (const StudyRow& row : rows) {
    if (row.counterexamples.empty()) continue;
    std::vector<std::vector<std::string>> lines;
    for (const FoundWord& word : row.counterexamples) {
      if (lines.size() == kMostWordsShown) break;
      lines.push_back({word.word, fmt::format("{:.2f}", word.at_seconds),
                       fmt::format("{:.3f}", word.seconds), word.answer, word.target.value_or(""),
                       word.target && *word.target != word.answer ? "the network errs" : "",
                       word.oracle});
    }
    text += fmt::format(
        "<details><summary>{}, {}, seed {}: {} counterexamples</summary>\n{}</details>\n",
        escaped(std::filesystem::path(row.cell.network).filename().string()),
        escaped(way_of(row.cell)), row.cell.seed, row.cell.counterexamples,
        table({"word", "at second", "search took", "network", "target", "", "oracle"}, lines));
  }
  return text;
}

}  // namespace

std::string study_html(const Study& study,
                       const std::vector<std::pair<std::size_t, StudyRow>>& rows,
                       const std::string& command) {
  Comparison comparison{command, program_identity().text(), {}};
  std::vector<StudyRow> all;
  std::vector<std::vector<std::string>> without;
  for (const auto& [experiment, row] : rows) {
    all.push_back(row);
    if (row.cell.has_result()) {
      comparison.cells.push_back(row.cell);
    } else {
      without.push_back({row.cell.network, way_of(row.cell), std::to_string(row.cell.seed),
                         row.cell.verdict, row.message});
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
  for (const TableSpec& table : study.tables) {
    if (table.lists_extractions()) continue;  // the first table of the page has all rows
    more.first += section("table-" + table.name, escaped(table.name),
                          plain_html(study_table(table, of_experiment(table.experiment))));
  }
  std::string figures;
  for (const FigureSpec& figure : figures_of(study)) {
    for (const auto& [name, drawing] :
         drawings_of(study, figure, of_experiment(figure.experiment))) {
      figures += "<figure>" + svg_text(drawing) + "</figure>\n";
    }
  }
  more.first += section("figures-title", "Figures", figures);
  if (!without.empty()) {
    more.first += section("without-title", "Jobs without a result",
                          table({"network", "way", "seed", "verdict", "why"}, without));
  }
  more.last += section("words-title", "Counterexamples", counterexamples(all));
  std::string notes;
  for (const std::string& note : provenance(study, all)) notes += "<p>" + escaped(note) + "</p>\n";
  more.last += section("study-title", "Study",
                       notes + "<pre>" + detail::escaped_text(study.text) + "</pre>\n");
  return comparison_html(comparison, study.title, more);
}

}  // namespace rnnalf
