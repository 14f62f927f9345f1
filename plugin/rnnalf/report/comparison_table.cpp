// A table of a comparison has a list of fields: what tells rows apart, then what came out. Each
// field has a name, a kind and a function of a cell. CSV has every field of every cell. Tables for
// people group the repetitions of one extraction, show medians with their range, leave out columns
// that say the same in every row, and make the rest fit the width.

#include "rnnalf/report/comparison_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <variant>

#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/plain_table.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf {
namespace {

using Value = std::variant<std::monostate, std::string, double, bool>;

enum class ColumnKind { Text, Count, Seconds, Share, YesNo };

constexpr int kMostImportant = 10;
constexpr int kAlways = kMostImportant + 1;

/// Something that can be said about an extraction.
struct Field {
  std::string name;     ///< in CSV and --columns
  std::string heading;  ///< in tables
  ColumnKind kind;
  int importance;  ///< in tables without chosen columns; 0: not there
  std::function<Value(const ComparisonCell&)> value;
};

template <typename T>
Value or_nothing(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

Field count_field(std::string name, std::string heading, int importance,
                  std::uint64_t ComparisonCell::*member) {
  return {std::move(name), std::move(heading), ColumnKind::Count, importance,
          [member](const ComparisonCell& cell) { return static_cast<double>(cell.*member); }};
}

/// What the measured words show, under names such as coverage_50 or words_coverage.
void add_shares(std::vector<Field>& fields, const std::string& before, const std::string& after,
                const std::string& of_what, int importance,
                const std::function<std::optional<MeasuredWords>(const ComparisonCell&)>& words) {
  const auto add = [&](const std::string& name, const std::string& heading, int how_important,
                       std::optional<double> (MeasuredWords::*share)() const) {
    fields.push_back({before + name + after, heading, ColumnKind::Share, how_important,
                      [words, share](const ComparisonCell& cell) -> Value {
                        const auto measured = words(cell);
                        return measured ? or_nothing(((*measured).*share)()) : Value();
                      }});
  };
  const std::string what = of_what.empty() ? "%" : of_what + " %";
  add("agreement", "agree " + what, importance, &MeasuredWords::agreement);
  add("coverage", "cover " + what, importance, &MeasuredWords::coverage);
  add("covered_agreement", "agree covered " + what, 0, &MeasuredWords::covered_agreement);
}

std::vector<Field> results(std::span<const std::size_t> lengths) {
  std::vector<Field> fields = {
      {"verdict", "verdict", ColumnKind::Text, 8,
       [](const ComparisonCell& cell) { return std::string(cell.verdict_name()); }},
      count_field("states", "states", 10, &ComparisonCell::states),
      count_field("last_states", "last", 3, &ComparisonCell::last_states),
      count_field("a_states", "A-states", 0, &ComparisonCell::a_states),
      count_field("counterexamples", "cex", 5, &ComparisonCell::counterexamples),
      count_field("membership_queries", "queries", 2, &ComparisonCell::membership_queries),
      count_field("equivalence_queries", "rounds", 0, &ComparisonCell::equivalence_queries),
      count_field("rnn_steps", "steps", 1, &ComparisonCell::rnn_steps),
      {"seconds", "seconds", ColumnKind::Seconds, 9,
       [](const ComparisonCell& cell) { return cell.seconds; }}};
  add_shares(fields, "", "", "", 7, [](const ComparisonCell& cell) { return cell.uniform(); });
  for (const std::size_t length : lengths) {
    add_shares(fields, "", fmt::format("_{}", length), fmt::format("{}", length), 0,
               [length](const ComparisonCell& cell) -> std::optional<MeasuredWords> {
                 for (const auto& [of_length, measured] : cell.by_length) {
                   if (of_length == length) return measured;
                 }
                 return std::nullopt;
               });
  }
  add_shares(fields, "words_", "", "words", 6,
             [](const ComparisonCell& cell) { return cell.given; });
  fields.push_back({"equals_target", "target", ColumnKind::YesNo, 9,
                    [](const ComparisonCell& cell) { return or_nothing(cell.equals_target); }});
  fields.push_back({"milestone", "milestone", ColumnKind::Text, 9,
                    [](const ComparisonCell& cell) { return or_nothing(cell.milestone); }});
  // Where nothing came out there is nothing to count: 0 states would look like a result.
  for (Field& field : fields) {
    if (field.name == "verdict") continue;
    field.value = [value = std::move(field.value)](const ComparisonCell& cell) {
      return cell.has_result() ? value(cell) : Value();
    };
  }
  return fields;
}

std::string stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

/// What tells rows apart, in the order of the columns. A learner stands for its method: the
/// baselines have none.
std::vector<Field> settings() {
  return {{"network", "network", ColumnKind::Text, kAlways,
           [](const ComparisonCell& cell) { return stem(cell.network); }},
          {"method", "method", ColumnKind::Text, kAlways,
           [](const ComparisonCell& cell) {
             return cell.method.is_baseline() ? cell.method.text() : cell.learner;
           }},
          {"oracle", "oracle", ColumnKind::Text, kAlways,
           [](const ComparisonCell& cell) { return cell.oracle; }}};
}

std::vector<std::size_t> measured_lengths(const std::vector<ComparisonCell>& cells) {
  std::set<std::size_t> lengths;
  for (const ComparisonCell& cell : cells) {
    for (const auto& [length, measured] : cell.by_length) lengths.insert(length);
  }
  return {lengths.begin(), lengths.end()};
}

// ---------------------------------------------------------------- CSV

std::string csv_value(const Value& value, ColumnKind kind) {
  if (const auto* const text = std::get_if<std::string>(&value)) return csv_field(*text);
  if (const auto* const yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  const auto* const number = std::get_if<double>(&value);
  if (number == nullptr) return "";
  // Without a format: the shortest text that reads back as the same number.
  return kind == ColumnKind::Count ? fmt::format("{}", std::llround(*number))
                                   : fmt::format("{}", *number);
}

// ---------------------------------------------------------------- tables

/// Repetitions of one extraction.
using Group = std::vector<const ComparisonCell*>;

/// Numbers as tables show them. Shares are rounded down: 100.00 means all words.
std::string shown(double value, ColumnKind kind) {
  if (kind == ColumnKind::Share) return fmt::format("{:.2f}", std::floor(value * 1e4 + 1e-6) / 100);
  if (kind == ColumnKind::Seconds) return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1);
  return fmt::format("{:.{}f}", value, std::floor(value) == value ? 0 : 1);
}

double median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// What a table says of a group: the median with the range, how many said yes, or each text with
/// its number. Empty: nothing.
std::string shown(const Group& group, const Field& field) {
  std::vector<double> numbers;
  std::map<std::string, std::size_t> texts;
  std::size_t yes = 0, answers = 0;
  for (const ComparisonCell* const cell : group) {
    const Value value = field.value(*cell);
    if (const auto* const text = std::get_if<std::string>(&value)) ++texts[*text];
    if (const auto* const number = std::get_if<double>(&value)) numbers.push_back(*number);
    if (const auto* const is_so = std::get_if<bool>(&value)) {
      ++answers;
      yes += *is_so ? 1 : 0;
    }
  }
  if (answers > 0) {
    if (yes == 0 || yes == answers) return yes == 0 ? "no" : "yes";
    return fmt::format("{}/{}", yes, answers);
  }
  if (!numbers.empty()) {
    std::sort(numbers.begin(), numbers.end());
    std::string least = shown(numbers.front(), field.kind);
    const std::string most = shown(numbers.back(), field.kind);
    if (least == most) return least;
    return fmt::format("{} ({}-{})", shown(median(numbers), field.kind), least, most);
  }
  std::vector<std::pair<std::string, std::size_t>> often(texts.begin(), texts.end());
  std::stable_sort(often.begin(), often.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (often.size() == 1) return often.front().first;
  std::vector<std::string> all;
  for (const auto& [text, times] : often) {
    all.push_back(fmt::format("{} {}x", text.empty() ? "-" : text, times));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

struct Column {
  std::string heading;
  bool number;
  bool setting;  ///< tells rows apart
  int importance;
  std::vector<std::string> entries;
};

/// A comparison, ready to be laid out.
struct Table {
  std::vector<std::string> notes;  ///< what all rows have in common, what columns mean
  std::vector<Column> columns;
  std::size_t rows = 0;
};

std::vector<Group> groups_of(const std::vector<ComparisonCell>& cells) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> number;
  for (const ComparisonCell& cell : cells) {
    const auto [found, is_new] = number.emplace(row_key(cell), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(&cell);
  }
  return groups;
}

std::string option(const ComparisonCell& cell, std::string_view name) {
  for (const auto& [of_name, value] : cell.options) {
    if (of_name == name) return option_value::text(value);
  }
  return "";
}

/// "Each row is ...": how often each extraction was run.
std::string repetitions_note(const std::vector<Group>& groups) {
  std::size_t least = groups.front().size(), most = least;
  std::set<std::uint64_t> seeds;
  for (const Group& group : groups) {
    least = std::min(least, group.size());
    most = std::max(most, group.size());
    for (const ComparisonCell* const cell : group) seeds.insert(cell->seed);
  }
  if (most == 1) return fmt::format("One run each, seed {}.", *seeds.begin());
  return fmt::format("Each row: median (least-most) of {} runs, seeds {} to {}{}.", most,
                     *seeds.begin(), *seeds.rbegin(),
                     least < most ? fmt::format("; some have fewer, as few as {}", least) : "");
}

std::vector<std::string> words_notes(const std::vector<ComparisonCell>& cells, bool partial) {
  const ComparisonCell& cell = cells.front();
  std::vector<std::string> notes;
  if (!cell.by_length.empty()) {
    std::vector<std::size_t> lengths;
    for (const auto& [length, measured] : cell.by_length) lengths.push_back(length);
    notes.push_back(
        fmt::format("agree: DFA and network agree, of {} uniform words of each length {}.",
                    format_count(cell.by_length.front().second.words), fmt::join(lengths, ", ")));
  }
  if (cell.given) {
    notes.push_back(fmt::format("agree words: the same on {}.", given_words_text(cells)));
  }
  if (partial) {
    notes.emplace_back("cover: the DFA knows their path; a partial DFA rejects all other words.");
  }
  return notes;
}

Table table_of(const std::vector<ComparisonCell>& cells, const std::vector<std::string>& chosen) {
  Table table;
  if (cells.empty()) return table;
  const std::vector<Group> groups = groups_of(cells);
  table.rows = groups.size();
  const bool partial = std::any_of(cells.begin(), cells.end(), [](const ComparisonCell& cell) {
    const MeasuredWords uniform = cell.uniform();
    return uniform.covered < uniform.words;
  });
  const auto add = [&](const Field& field, int importance, bool setting) {
    Column column{field.heading, field.kind != ColumnKind::Text, setting, importance, {}};
    for (const Group& group : groups) column.entries.push_back(shown(group, field));
    table.columns.push_back(std::move(column));
  };

  table.notes.push_back(repetitions_note(groups));
  std::vector<std::string> common;
  for (const Field& field : settings()) {
    std::set<std::string> values;
    for (const ComparisonCell& cell : cells)
      values.insert(std::get<std::string>(field.value(cell)));
    // Baselines have no oracle.
    const bool for_some = values.size() > 1 && values.erase("") > 0;
    if (values.size() > 1) {
      add(field, field.importance, true);
    } else if (!values.begin()->empty()) {
      common.push_back(fmt::format("{} {}{}", field.name, *values.begin(),
                                   for_some ? " where one is asked" : ""));
    }
  }
  if (const std::string limit = option(cells.front(), "time-limit"); !limit.empty()) {
    common.push_back(fmt::format("time limit {} s", limit));
  }
  if (!common.empty()) {
    table.notes.push_back(fmt::format("All rows: {}.", fmt::join(common, "; ")));
  }
  for (std::string& note : words_notes(cells, partial)) {
    table.notes.push_back(std::move(note));
  }

  const std::vector<Field> fields = results(measured_lengths(cells));
  if (!chosen.empty()) {
    for (const std::string& name : chosen) {
      const auto found = std::find_if(fields.begin(), fields.end(),
                                      [&](const Field& field) { return field.name == name; });
      if (found != fields.end()) add(*found, kAlways, false);
    }
    return table;
  }
  for (const Field& field : fields) {
    if (field.importance == 0) continue;
    if (field.name.ends_with("coverage") && !partial) continue;
    add(field, field.importance, false);
    const auto& entries = table.columns.back().entries;
    if (std::all_of(entries.begin(), entries.end(), [](const auto& text) { return text.empty(); }))
      table.columns.pop_back();
  }
  return table;
}

// ---------------------------------------------------------------- text

std::size_t width_of(const Column& column) {
  std::size_t width = display_width(column.heading);
  for (const std::string& entry : column.entries) width = std::max(width, display_width(entry));
  return width;
}

std::size_t width_of(const Table& table) {
  std::size_t width = 0;
  for (const Column& column : table.columns) width += width_of(column) + 2;
  return width - std::min<std::size_t>(width, 2);
}

/// Long texts, such as chains of oracles, become letters that the notes explain.
void abbreviate(Column& column, std::vector<std::string>& notes) {
  std::map<std::string, std::string> letter_of;
  for (std::string& entry : column.entries) {
    if (entry.empty()) continue;
    const auto [found, is_new] = letter_of.emplace(entry, column_letters(letter_of.size()));
    if (is_new) notes.push_back(fmt::format("{} {}: {}", column.heading, found->second, entry));
    entry = found->second;
  }
}

/// Makes the table fit: long texts become letters, then the columns that matter least are left out.
/// Chosen columns and what tells rows apart stay.
void narrow(Table& table, std::size_t width, Spelling spelling) {
  constexpr std::size_t long_text = 16;
  std::vector<std::string> explained;
  while (width_of(table) > width) {
    const auto widest = std::max_element(table.columns.begin(), table.columns.end(),
                                         [](const Column& a, const Column& b) {
                                           const auto of_setting = [](const Column& column) {
                                             return column.setting ? width_of(column) : 0;
                                           };
                                           return of_setting(a) < of_setting(b);
                                         });
    if (!widest->setting || width_of(*widest) <= long_text) break;
    abbreviate(*widest, explained);
  }
  table.notes.insert(table.notes.begin(), explained.begin(), explained.end());
  std::vector<std::string> left_out;
  while (width_of(table) > width) {
    const auto least = std::min_element(
        table.columns.begin(), table.columns.end(),
        [](const Column& a, const Column& b) { return a.importance < b.importance; });
    if (least->importance > kMostImportant) break;
    left_out.push_back(least->heading);
    table.columns.erase(least);
  }
  if (left_out.empty()) return;
  table.notes.push_back(
      fmt::format("Not shown, too wide: {} ({}).", fmt::join(left_out, ", "),
                  with_option_names("`columns` chooses, `csv` has all", spelling)));
}

PlainTable laid_out(const Table& table) {
  PlainTable plain;
  plain.notes = table.notes;
  plain.rows.resize(table.rows);
  for (const Column& column : table.columns) {
    plain.columns.push_back(column.number ? Align::Right : Align::Left);
    plain.headings.push_back(column.heading);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const std::string& entry = column.entries[row];
      plain.rows[row].push_back(entry.empty() ? "-" : entry);
    }
  }
  return plain;
}

}  // namespace

std::string given_words_text(const std::vector<ComparisonCell>& cells) {
  if (cells.empty() || !cells.front().given) return "";
  std::string text = counted(cells.front().given->words, "given word", "given words");
  std::vector<std::string> made;
  for (const ComparisonCell& cell : cells) {
    const Method method = cell.method.method;
    if (method != Method::KMeans && method != Method::Rpni && method != Method::Biermann) continue;
    const std::string text_of_method = cell.method.text();
    const std::string name = text_of_method.substr(0, text_of_method.find(':'));
    if (std::find(made.begin(), made.end(), name) == made.end()) made.push_back(name);
  }
  if (made.empty()) return text;
  return fmt::format("{}, from which {} made {}", text, fmt::join(made, " and "),
                     made.size() == 1 ? "its DFA" : "their DFAs");
}

std::vector<std::string> comparison_columns(std::span<const std::size_t> lengths) {
  std::vector<std::string> names;
  for (const Field& field : results(lengths)) names.push_back(field.name);
  return names;
}

std::string csv_field(const std::string& text) {
  // Spreadsheets take a cell that begins so for a formula, in quotes too; after ' it is text.
  const bool formula = text.find_first_of("=+-@\t\r") == 0;
  std::string cell = formula ? "'" + text : text;
  if (!formula && cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  return "\"" + replaced(cell, "\"", "\"\"") + "\"";
}

std::string comparison_csv(const std::vector<ComparisonCell>& cells) {
  const auto text_field = [](std::string name, auto value) {
    return Field{std::move(name), "", ColumnKind::Text, 0, value};
  };
  std::vector<Field> fields = {
      text_field("network", [](const ComparisonCell& cell) { return cell.network; }),
      text_field("method", [](const ComparisonCell& cell) { return cell.method.text(); }),
      text_field("learner", [](const ComparisonCell& cell) { return cell.learner; }),
      text_field("oracle", [](const ComparisonCell& cell) { return cell.oracle; }),
      text_field("seed", [](const ComparisonCell& cell) { return fmt::format("{}", cell.seed); })};
  for (Field& field : results(measured_lengths(cells))) fields.push_back(std::move(field));
  fields.push_back(text_field("options", [](const ComparisonCell& cell) {
    std::vector<std::string> all;
    for (const auto& [name, value] : cell.options) {
      all.push_back(fmt::format("{}={}", name, option_value::text(value)));
    }
    return fmt::format("{}", fmt::join(all, " "));
  }));
  fields.push_back(text_field("program", [](const ComparisonCell& cell) { return cell.program; }));

  std::vector<std::string> entries;
  for (const Field& field : fields) entries.push_back(field.name);
  std::string text = fmt::format("{}\n", fmt::join(entries, ","));
  for (const ComparisonCell& cell : cells) {
    entries.clear();
    for (const Field& field : fields) {
      entries.push_back(csv_value(field.value(cell), field.kind));
    }
    text += fmt::format("{}\n", fmt::join(entries, ","));
  }
  return text;
}

std::string comparison_text(const std::vector<ComparisonCell>& cells,
                            const std::vector<std::string>& columns, const TextStyle& style) {
  if (cells.empty()) return "No extraction was completed.\n";
  Table table = table_of(cells, columns);
  for (Column& column : table.columns) {
    for (std::string& entry : column.entries) entry = printable(entry, style.utf8);
  }
  narrow(table, style.width, style.spelling);
  for (std::string& note : table.notes) note = printable(note, style.utf8);
  return plain_text(laid_out(table), style.width);
}

std::string comparison_latex(const std::vector<ComparisonCell>& cells,
                             const std::vector<std::string>& columns) {
  return plain_latex(laid_out(table_of(cells, columns)));
}

}  // namespace rnnalf
