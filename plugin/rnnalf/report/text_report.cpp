// The report of a run for a terminal. Each section is a function from the run to lines; what they
// state is in sentences.cpp.

#include "rnnalf/report/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/claims.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/text_table.hpp"
#include "rnnalf/report/transition_table.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLeastColumns = 40;
constexpr std::size_t kMostListed = 5;  // of each list; the JSON has all

enum class Emphasis { None, Bold, Good, Caution };

std::string emphasised(const std::string& text, Emphasis emphasis, const TextStyle& style) {
  if (!style.colour || emphasis == Emphasis::None || text.empty()) return text;
  const char* const code = emphasis == Emphasis::Bold   ? "\033[1m"
                           : emphasis == Emphasis::Good ? "\033[1;32m"
                                                        : "\033[1;33m";
  return code + text + "\033[0m";
}

std::string paragraph(const std::string& text, const TextStyle& style,
                      Emphasis emphasis = Emphasis::None) {
  std::string lines;
  for (const std::string& line : wrapped(text, style.width)) {
    lines += emphasised(line, emphasis, style) + "\n";
  }
  return lines;
}

Reader reader_of(const TextStyle& style) {
  return {.width = style.width / 2, .utf8 = style.utf8, .spelling = style.spelling};
}

using Rows = std::vector<std::vector<std::string>>;

/// The rows as a table; where the screen is too narrow for it, as lines.
std::string rows_text(const std::vector<Align>& columns, std::size_t indent, const Rows& rows,
                      const TextStyle& style) {
  TextTable table(columns, {.indent = indent});
  for (const auto& row : rows) table.row(row);
  if (table.width() <= style.width) return table.text();
  std::string text;
  for (const auto& row : rows) {
    for (const std::string& line : wrapped(fmt::format("{}", fmt::join(row, " ")), style.width)) {
      text += line + "\n";
    }
  }
  return text;
}

std::string finding_section(const Run& run, const TextStyle& style) {
  const Reader reader = reader_of(style);
  std::string text = paragraph(verdict_sentence(run), style,
                               is_unrefuted(run) ? Emphasis::Good : Emphasis::Caution);
  text += paragraph(target_sentence(run, reader), style);
  if (run.proof) {
    text += paragraph(proof_sentence(*run.proof, run.network.alphabet, reader.width, reader.utf8),
                      style);
  }
  return text;
}

std::string automaton_section(const Run& run, const TextStyle& style) {
  const NamedDfa automaton = named(run.network, run.dfa());
  std::string table = transition_table(automaton, style);
  if (!table.empty()) return table;
  table = automaton_summary(automaton, style);
  return style.draw.empty() ? table : table + paragraph("To draw it: " + style.draw, style);
}

std::string agreement_section(const Run& run, const TextStyle& style) {
  const auto rows = agreement_rows(run);
  if (rows.empty()) return "";
  Rows entries = {{"Agreement with the network", "words", "agree"}};
  for (const AgreementRow& row : rows) {
    entries.push_back(
        {"  " + row.words, format_count(row.agreement.words), percent(row.agreement)});
  }
  const std::string text = rows_text({Align::Left, Align::Right, Align::Right}, 0, entries, style);
  const std::size_t title = text.find('\n');
  return emphasised(text.substr(0, title), Emphasis::Bold, style) + text.substr(title) +
         paragraph(confidence_sentence(run), style);
}

std::string differences_section(const Run& run, const TextStyle& style) {
  const std::string sentence = differences_sentence(run);
  if (sentence.empty()) return "";
  Rows rows;
  for (const Difference& one : differences(run, kMostListed, reader_of(style))) {
    rows.push_back({one.pattern, "network " + one.network + ", automaton " + one.automaton,
                    one.words > 0 ? counted(one.words, "word", "words") : ""});
  }
  return paragraph(sentence, style) +
         rows_text({Align::Left, Align::Left, Align::Left}, 2, rows, style);
}

/// The network's errors among the counterexamples, where a target tells errors from the others.
std::string errors_section(const Run& run, const TextStyle& style) {
  if (!run.target) return "";
  std::vector<const Counterexample*> errors;
  for (const Counterexample& one : run.counterexamples) {
    if (one.is_error()) errors.push_back(&one);
  }
  if (errors.empty()) return "";
  std::stable_sort(errors.begin(), errors.end(),
                   [](const auto* a, const auto* b) { return a->word.size() < b->word.size(); });
  std::string text = paragraph(network_errors_sentence(run, errors.size()), style);
  errors.resize(std::min(errors.size(), kMostListed));
  Rows rows;
  const auto verb = [&](Answer answer) {
    return printable(answer_verb(answer, run.network), style.utf8);
  };
  for (const Counterexample* one : errors) {
    rows.push_back({shown_word(run.network.alphabet, one->word, style.width / 2, style.utf8),
                    "network " + verb(one->answer), "target " + verb(*one->target),
                    "found by " + one->oracle});
  }
  return text + rows_text(std::vector<Align>(4, Align::Left), 2, rows, style);
}

std::string oracles_section(const Run& run, const TextStyle& style) {
  if (run.evidence.empty()) return "";
  TextTable table({Align::Left, Align::Left}, {.indent = 2, .width = style.width});
  for (const Evidence& evidence : run.evidence) {
    table.row({evidence.oracle, printable(claim(evidence), style.utf8)});
  }
  const char* const title = run.ended() == Ending::Complete ? "Method" : "Oracles";
  return emphasised(title, Emphasis::Bold, style) + "\n" + table.text();
}

std::string ending_section(const Run& run, const TextStyle& style) {
  std::string text;
  for (const std::string& remark : remarks(run, reader_of(style))) {
    text += paragraph(remark, style);
  }
  text += paragraph(work_sentence(run), style);
  text += paragraph(ending_sentence(run), style);
  return text;
}

}  // namespace

std::string extraction_text(const Run& run, const TextStyle& given) {
  TextStyle style = given;
  style.width = std::max(style.width, kLeastColumns);
  std::string text;
  for (const auto& section :
       {finding_section, automaton_section, agreement_section, differences_section, errors_section,
        oracles_section, ending_section}) {
    const std::string lines = section(run, style);
    if (!text.empty() && !lines.empty()) text += "\n";
    text += lines;
  }
  const std::string next = paragraph(advice(run, reader_of(style)), style);
  return next.empty() ? text : text + "\n" + next;
}

}  // namespace rnnalf
