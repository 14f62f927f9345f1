// The report of a run for a terminal, section by section: verdict, ladder, facts, transitions,
// counterexamples, exceptions, what was checked, suggestions. Each section is a function from the
// run to lines. Counterexamples and the table of transitions take the lines that the other sections
// leave of the screen.

#include "rnnalf/report/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>
#include <vector>

#include "rnnalf/report/answer_words.hpp"
#include "rnnalf/report/evidence_words.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"
#include "rnnalf/report/verdict_words.hpp"

namespace rnnalf {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kLeastColumns = 40;
constexpr std::size_t kLargestTable = 12;   // states
constexpr std::size_t kMostExceptions = 5;  // shown; the JSON has all
constexpr std::size_t kMostRules = 5;       // likewise
constexpr std::size_t kLeastCounterexamples = 4;
constexpr std::size_t kMostRungs = 8;  // shown; the JSON has all

enum class Emphasis { None, Bold, Good, Caution };

std::string emphasised(const std::string& text, Emphasis emphasis, const TextStyle& style) {
  if (!style.colour || emphasis == Emphasis::None) return text;
  const char* const code = emphasis == Emphasis::Bold   ? "\033[1m"
                           : emphasis == Emphasis::Good ? "\033[1;32m"
                                                        : "\033[1;33m";
  return code + text + "\033[0m";
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

/// `  name      text`, the text wrapped beside the name.
void add_item(Lines& lines, const std::string& name, std::size_t name_width,
              const std::string& text, const TextStyle& style) {
  const std::size_t indent = 2 + name_width + 2;
  const Lines parts = wrapped(text, style.width - std::min(indent, style.width / 2));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    lines.push_back("  " + padded(i == 0 ? name : "", name_width) + "  " + parts[i]);
  }
}

Lines verdict_lines(const Run& run, const TextStyle& style) {
  const bool good = is_unrefuted(run);
  Lines lines;
  for (const std::string& line : wrapped(verdict_sentence(run), style.width)) {
    lines.push_back(emphasised(line, good ? Emphasis::Good : Emphasis::Caution, style));
  }
  for (const std::string& finding : findings(run, style.width / 3, style.utf8, style.spelling)) {
    for (std::string& line : wrapped(finding, style.width)) lines.push_back(std::move(line));
  }
  return lines;
}

/// What more states buy: a row per rung, the result marked.
Lines ladder_lines(const Run& run, const TextStyle& style) {
  constexpr std::size_t kTableWidth = 76;
  if (run.ladder.size() < 2 || style.width < kTableWidth) return {};
  const Rung* const result = run.rung();
  const std::size_t longest = run.ladder.front().agreement.uniform.size();
  const std::array<std::size_t, 3> lengths = {std::min<std::size_t>(10, longest),
                                              std::min<std::size_t>(25, longest), longest};
  Lines lines = {
      emphasised("Ladder", Emphasis::Bold, style) +
          " (> the result; agreement with the network at some lengths)",
      fmt::format("  {:>7}  {:>14}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}", "states", "explains up to",
                  "at least", lengths[0], lengths[1], lengths[2], "pumped")};
  const auto percent = [](const std::optional<LengthAgreement>& at) {
    if (!at) return std::string("-");
    return fmt::format("{:.1f} %", std::floor(1000 * at->share()) / 10);
  };
  std::size_t left = run.ladder.size() > kMostRungs ? run.ladder.size() - kMostRungs : 0;
  for (const Rung& rung : run.ladder) {
    const bool is_result = &rung == result;
    // Of many, those in the middle are left out.
    if (left > 0 && !is_result && &rung != &run.ladder.front() && &rung != &run.ladder.back()) {
      --left;
      continue;
    }
    lines.push_back(fmt::format(
        "{} {:>7}  {:>14}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}", is_result ? ">" : " ", rung.states,
        rung.horizon, rung.horizon == 0 ? "-" : format_percent_down(rung.assured, 1) + " %",
        percent(weakest_at(rung.agreement, lengths[0])),
        percent(weakest_at(rung.agreement, lengths[1])),
        percent(weakest_at(rung.agreement, lengths[2])), percent(rung.agreement.pumped)));
  }
  return lines;
}

Lines fact_lines(const Run& run, const TextStyle& style) {
  Lines lines;
  for (const auto& [name, text] : facts(run, style.width / 2, style.utf8)) {
    add_item(lines, name, 7, text, style);
  }
  return lines;
}

Lines evidence_lines(const Run& run, const TextStyle& style) {
  if (run.evidence.empty()) return {};
  Lines lines = {emphasised("What was checked", Emphasis::Bold, style)};
  std::size_t name_width = 0;
  for (const Evidence& evidence : run.evidence) {
    name_width = std::max(name_width, display_width(evidence.oracle));
  }
  for (const Evidence& evidence : run.evidence) {
    add_item(lines, evidence.oracle, name_width, printable(claim(evidence), style.utf8), style);
  }
  return lines;
}

/// Which counterexamples to show when not all fit: the network's shortest errors, then those that
/// led to the result, the latest first, then those that came after it.
std::vector<std::size_t> chosen(const Run& run, std::size_t most) {
  const auto& records = run.counterexamples;
  std::vector<std::size_t> errors;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].is_error()) errors.push_back(i);
  }
  std::stable_sort(errors.begin(), errors.end(), [&](std::size_t a, std::size_t b) {
    return records[a].word.size() < records[b].word.size();
  });
  errors.resize(std::min(errors.size(), most));
  std::set<std::size_t> rows(errors.begin(), errors.end());
  const std::size_t led = run.hypotheses[run.recommended].refuted_by.value_or(records.size());
  for (std::size_t i = led; i > 0 && rows.size() < most; --i) rows.insert(i - 1);
  for (std::size_t i = led; i < records.size() && rows.size() < most; ++i) rows.insert(i);
  return {rows.begin(), rows.end()};
}

Lines counterexample_lines(const Run& run, std::size_t most, const TextStyle& style) {
  const auto& records = run.counterexamples;
  if (records.empty()) return {};
  const auto rows = chosen(run, most);
  const bool with_target = std::any_of(records.begin(), records.end(),
                                       [](const auto& r) { return r.target.has_value(); });
  const auto errors = static_cast<std::size_t>(std::count_if(
      records.begin(), records.end(), [](const Counterexample& c) { return c.is_error(); }));

  struct Column {
    std::string title;
    std::vector<std::string> cells;
    std::size_t width = 0;
  };
  std::vector<Column> after_word;  // the least important last: dropped where the line is short
  const auto add_column = [&](const std::string& title, const auto& cell_of) {
    Column column{title, {}, title.size()};
    for (const std::size_t row : rows) {
      column.cells.push_back(cell_of(records[row]));
      column.width = std::max(column.width, display_width(column.cells.back()));
    }
    after_word.push_back(std::move(column));
  };
  const auto said = [&](Answer answer) {
    return printable(answer_name(answer, run.network), style.utf8);
  };
  add_column("network", [&](const auto& record) { return said(record.answer); });
  if (with_target) {
    add_column("target", [&](const auto& record) {
      return record.target ? said(*record.target) : std::string("-");
    });
  }
  add_column("oracle", [](const auto& record) { return record.oracle; });
  add_column("found in", [](const auto& record) { return format_seconds(record.seconds); });

  const std::size_t number_width = std::to_string(records.size()).size();
  const auto room_for_word = [&] {
    std::size_t used = 2 + number_width + 2;
    for (const Column& column : after_word) used += 2 + column.width;
    return style.width > used ? style.width - used : 0;
  };
  const std::size_t needed_columns = with_target ? 2 : 1;
  while (room_for_word() < 14 && after_word.size() > needed_columns) after_word.pop_back();
  const std::size_t room = std::max<std::size_t>(room_for_word(), 12);
  std::vector<std::string> words;
  std::size_t word_width = 4;
  for (const std::size_t row : rows) {
    words.push_back(shown_word(run.network.alphabet, records[row].word, room, style.utf8));
    word_width = std::max(word_width, display_width(words.back()));
  }

  Lines lines;
  std::string title = counted(records.size(), "counterexample", "counterexamples");
  if (rows.size() < records.size()) title += fmt::format(", {} shown", rows.size());
  if (errors > 0) title += fmt::format("; ! marks the network's errors: {}", errors);
  for (const std::string& part : wrapped(title, style.width)) {
    lines.push_back(emphasised(part, Emphasis::Bold, style));
  }
  std::string header = "  " + std::string(number_width, ' ') + "  " + padded("word", word_width);
  for (const Column& column : after_word) header += "  " + padded(column.title, column.width);
  lines.push_back(header.substr(0, header.find_last_not_of(' ') + 1));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string number = std::to_string(rows[i] + 1);
    std::string line = records[rows[i]].is_error() ? "! " : "  ";
    line += std::string(number_width - number.size(), ' ') + number + "  " +
            padded(words[i], word_width);
    for (const Column& column : after_word) line += "  " + padded(column.cells[i], column.width);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(
        emphasised(line, records[rows[i]].is_error() ? Emphasis::Bold : Emphasis::None, style));
  }
  return lines;
}

/// Words that no rule of the families explains are listed, the shortest.
Lines exception_lines(const Run& run, const TextStyle& style) {
  if (run.exceptions.empty()) return {};
  const std::size_t rules = std::min(run.families.size(), kMostRules);
  std::vector<Counterexample> records;  // that no rule explains
  for (const Counterexample& one : run.exceptions) {
    const auto first = run.families.begin();
    const bool known =
        std::any_of(first, first + static_cast<std::ptrdiff_t>(rules),
                    [&](const Family& f) { return explains(f, one.word, run.dfa()); });
    if (!known) records.push_back(one);
  }
  const std::size_t all = run.exceptions.size();
  const std::size_t shown = std::min(records.size(), kMostExceptions);
  Lines lines;
  std::string title =
      fmt::format("{} where result and network differ", counted(all, "known word", "known words"));
  if (rules > 0) {
    title +=
        fmt::format("; {} {:.0f} % of them", counted(rules, "rule covers", "rules cover"),
                    100 * static_cast<double>(all - records.size()) / static_cast<double>(all));
  } else if (shown < all) {
    title += fmt::format(", the {} shortest", shown);
  }
  for (const std::string& part : wrapped(title, style.width)) {
    lines.push_back(emphasised(part, Emphasis::Bold, style));
  }
  for (std::size_t i = 0; i < rules; ++i) {
    const Family& family = run.families[i];
    add_item(lines, "-", 1,
             fmt::format("{}; {} of the words",
                         family_sentence(run, family, style.width / 3, style.utf8),
                         format_count(family.words)),
             style);
  }
  if (rules > 0 && shown > 0) {
    lines.push_back(shown < records.size() ? fmt::format("  the {} shortest of the others", shown)
                                           : std::string("  the others"));
  }
  const std::size_t room = style.width > 60 ? style.width - 35 : 14;
  std::size_t word_width = 0;
  Lines words;
  for (std::size_t i = 0; i < shown; ++i) {
    words.push_back(shown_word(run.network.alphabet, records[i].word, room, style.utf8));
    word_width = std::max(word_width, display_width(words.back()));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    lines.push_back(fmt::format(
        "  {}  network {}{}", padded(words[i], word_width),
        printable(answer_verb(records[i].answer, run.network), style.utf8),
        records[i].probability ? fmt::format(", p = {:.4f}", *records[i].probability) : ""));
  }
  return lines;
}

Lines suggestion_lines(const Run& run, const TextStyle& style) {
  const auto list = suggestions(run, style.spelling);
  if (list.empty()) return {};
  Lines lines = {emphasised("What to try next", Emphasis::Bold, style)};
  for (const std::string& suggestion : list) add_item(lines, "-", 1, suggestion, style);
  return lines;
}

Lines split(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::string transition_table(const NamedDfa& automaton, const TextStyle& style) {
  const auto& [alphabet, dfa, classes] = automaton;
  if (dfa.size() > kLargestTable) return "";
  const auto state_name = [](LState state) { return fmt::format("s{}", index(state)); };
  const std::size_t cell_width = state_name(static_cast<LState>(dfa.size() - 1)).size();
  const std::string margin = "  > * ";
  std::string header = padded("", margin.size() + cell_width);
  std::vector<std::string> rows;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    rows.push_back(std::string("  ") + (state == dfa.initial() ? "> " : "  ") +
                   (!dfa.is_moore() && dfa.accepts(state) ? "* " : "  ") +
                   padded(state_name(state), cell_width));
  }
  if (dfa.is_moore()) {
    const std::string title = "class";
    std::vector<std::string> names;
    std::size_t width = title.size();
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      names.push_back(printable(classes.name(dfa.answer(static_cast<LState>(q))), style.utf8));
      width = std::max(width, display_width(names.back()));
    }
    header += "  " + padded(title, width);
    for (std::size_t q = 0; q < dfa.size(); ++q) rows[q] += "  " + padded(names[q], width);
  }
  for (const std::vector<Symbol>& symbols : symbol_classes(dfa)) {
    const std::string label =
        printable(short_class_label(alphabet, symbols, kClassLabelWidth), style.utf8);
    const std::size_t width = std::max(display_width(label), cell_width);
    header += "  " + padded(label, width);
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      rows[q] += "  " + padded(state_name(dfa.next(static_cast<LState>(q), symbols[0])), width);
    }
  }
  if (display_width(header) > style.width) return "";
  std::string text;
  rows.insert(rows.begin(), header);
  for (const std::string& row : rows) text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  return text;
}

std::string extraction_text(const Run& run, const TextStyle& given) {
  TextStyle style = given;
  style.width = std::max(style.width, kLeastColumns);

  std::vector<Lines> before = {verdict_lines(run, style), ladder_lines(run, style),
                               fact_lines(run, style)};
  std::vector<Lines> after = {exception_lines(run, style), evidence_lines(run, style),
                              suggestion_lines(run, style)};
  const auto lines_of = [](const std::vector<Lines>& sections) {
    std::size_t count = 0;
    for (const Lines& section : sections) count += section.empty() ? 0 : section.size() + 1;
    return count;
  };
  const std::size_t fixed = lines_of(before) + lines_of(after);
  const std::size_t wanted = std::min(run.counterexamples.size(), kLeastCounterexamples);
  const std::size_t room = style.height > fixed + 3 ? style.height - fixed - 3 : 0;

  Lines table = split(transition_table(named(run.network, run.dfa()), style));
  if (!table.empty()) {
    table.insert(table.begin(),
                 emphasised("Transitions", Emphasis::Bold, style) +
                     (run.dfa().is_moore() ? " (> initial)" : " (> initial, * accepting)"));
    // The table is left out where it would push the counterexamples off the screen.
    if (table.size() + 1 + wanted > room) table.clear();
  }
  const std::size_t taken = table.empty() ? 0 : table.size() + 1;
  before.push_back(std::move(table));
  before.push_back(
      counterexample_lines(run, std::max(wanted, room > taken ? room - taken : 0), style));

  std::string text;
  for (const std::vector<Lines>* sections : {&before, &after}) {
    for (const Lines& section : *sections) {
      if (section.empty()) continue;
      if (!text.empty()) text += "\n";
      for (const std::string& line : section) text += line + "\n";
    }
  }
  return text;
}

}  // namespace rnnalf
