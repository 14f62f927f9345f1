#include "rnnalf/study/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rnnalf/study/figures.hpp"
#include "rnnalf/study/words_table.hpp"

namespace rnnalf {
namespace {

constexpr const char* kMissed =
    "missed: it ended with a result that a word measured or found by another run refutes.";

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Which group each row is of.
struct Grouping {
  std::vector<std::string> names;  ///< in order of appearance
  std::vector<std::size_t> of_row;
};

Grouping grouped(const std::vector<StudyRow>& rows, By by) {
  Grouping result;
  std::map<std::string, std::size_t> number;
  for (const std::string& label : labels_of(rows, by)) {
    const auto [found, is_new] = number.emplace(label, result.names.size());
    if (is_new) result.names.push_back(label);
    result.of_row.push_back(found->second);
  }
  return result;
}

/// The groups that refute what a row missed; empty: it missed nothing that a run found.
std::set<std::size_t> refuting_groups(const StudyRow& row, const Refutation& refutation,
                                      const Grouping& groups) {
  std::set<std::size_t> refuting;
  if (!stands_by_result(row.cell)) return refuting;
  for (const std::size_t by : refutation.by) refuting.insert(groups.of_row[by]);
  return refuting;
}

bool is_missed(const StudyRow& row, const Refutation& refutation) {
  return stands_by_result(row.cell) && refutation.known();
}

bool found_error(const StudyRow& row) {
  return std::any_of(row.counterexamples.begin(), row.counterexamples.end(),
                     [](const FoundWord& word) { return word.is_error(); });
}

const char* heading(By by) {
  switch (by) {
    case By::Way:
      return "way";
    case By::Learner:
      return "learner";
    case By::Oracle:
      return "oracle";
    case By::Network:
      return "network";
  }
  return "";
}

/// A column of a summary.
struct Entry {
  const char* heading;
  std::string text;
};

/// Shares are rounded down: 100.00 means all words.
std::vector<Entry> entries(const StudySummary& one, By by, bool some_without_result) {
  const auto number = [](std::size_t value) { return fmt::format("{}", value); };
  std::vector<Entry> all = {{heading(by), one.group},
                            {"runs", number(one.runs)},
                            {"ended", number(one.ended)},
                            {"solved", number(one.solved)},
                            {"missed", number(one.missed)}};
  if (by != By::Network) all.push_back({"alone", number(one.alone)});
  all.push_back({"errors", number(one.errors)});
  if (some_without_result) all.push_back({"no result", number(one.without_result)});
  all.push_back({"agree %", fmt::format("{:.2f}", std::floor(one.agreement * 1e4 + 1e-6) / 100)});
  all.push_back({"states", fmt::format("{:g}", one.states)});
  all.push_back({"cex", fmt::format("{:g}", one.counterexamples)});
  all.push_back({"steps", one.solved == 0 ? "-" : fmt::format("{:.0f}", one.steps_solved)});
  return all;
}

}  // namespace

std::vector<StudySummary> summarised(const std::vector<StudyRow>& rows, By by) {
  const Grouping groups = grouped(rows, by);
  const std::vector<Refutation> refuted = refutations(rows);
  std::vector<StudySummary> result(groups.names.size());
  std::vector<std::vector<double>> states(result.size());
  std::vector<std::vector<double>> counterexamples(result.size());
  std::vector<std::vector<double>> steps(result.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t group = groups.of_row[i];
    const ComparisonCell& cell = rows[i].cell;
    StudySummary& one = result[group];
    ++one.runs;
    if (!cell.has_result()) {
      ++one.without_result;
      continue;
    }
    one.ended += stands_by_result(cell) || cell.verdict == RunVerdict::Settled ? 1 : 0;
    one.missed += is_missed(rows[i], refuted[i]) ? 1 : 0;
    one.errors += found_error(rows[i]) ? 1 : 0;
    const std::set<std::size_t> refuting = refuting_groups(rows[i], refuted[i], groups);
    if (refuting.size() == 1 && *refuting.begin() != group) ++result[*refuting.begin()].alone;
    one.agreement += cell.uniform().agreement().value_or(0);
    states[group].push_back(static_cast<double>(cell.states));
    counterexamples[group].push_back(static_cast<double>(cell.counterexamples));
    if (!is_solved(cell, refuted[i])) continue;
    ++one.solved;
    steps[group].push_back(static_cast<double>(cell.rnn_steps));
  }
  for (std::size_t group = 0; group < result.size(); ++group) {
    StudySummary& one = result[group];
    one.group = groups.names[group];
    if (!states[group].empty()) one.agreement /= static_cast<double>(states[group].size());
    one.states = median(std::move(states[group]));
    one.counterexamples = median(std::move(counterexamples[group]));
    one.steps_solved = median(std::move(steps[group]));
  }
  return result;
}

PlainTable summary_table(const std::vector<StudySummary>& summaries, By by) {
  const bool some_without_result =
      std::any_of(summaries.begin(), summaries.end(),
                  [](const StudySummary& one) { return one.without_result > 0; });
  PlainTable table;
  for (const StudySummary& one : summaries) {
    std::vector<std::string> row;
    table.headings.clear();
    for (Entry& entry : entries(one, by, some_without_result)) {
      table.headings.emplace_back(entry.heading);
      row.push_back(std::move(entry.text));
    }
    table.rows.push_back(std::move(row));
  }
  table.columns.assign(table.headings.size(), Align::Right);
  if (!table.columns.empty()) table.columns.front() = Align::Left;
  table.notes = {"ended: by itself, not by a limit.",
                 "solved: the result is the target; where none is known, the run settled, or ended "
                 "with a result that no word measured or found in these runs refutes.",
                 kMissed};
  if (by != By::Network) {
    table.notes.emplace_back(
        "alone: results that runs of other rows missed, refuted by no word but those found here.");
  }
  table.notes.emplace_back("errors: runs that found a word on which network and target differ.");
  table.notes.emplace_back(
      "agree: mean share of the measured uniform words; states, cex: medians; steps: median of the "
      "solved.");
  return table;
}

RefutationMatrix refutation_matrix(const std::vector<StudyRow>& rows, By by) {
  const Grouping groups = grouped(rows, by);
  const std::vector<Refutation> refuted = refutations(rows);
  const std::size_t size = groups.names.size();
  const std::vector<std::size_t> zeros(size);
  RefutationMatrix matrix{groups.names, zeros, zeros, std::vector(size, zeros)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t group = groups.of_row[i];
    matrix.missed[group] += is_missed(rows[i], refuted[i]) ? 1 : 0;
    matrix.words[group] += rows[i].counterexamples.size();
    for (const std::size_t by_group : refuting_groups(rows[i], refuted[i], groups)) {
      ++matrix.refuted[by_group][group];
    }
  }
  return matrix;
}

PlainTable matrix_table(const RefutationMatrix& matrix, By by) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < matrix.groups.size(); ++i) {
    if (matrix.missed[i] > 0) missing.push_back(i);
  }
  PlainTable table;
  table.headings = {"", fmt::format("words found with this {}", heading(by))};
  table.columns = {Align::Left, Align::Left};
  for (const std::size_t i : missing) {
    table.headings.push_back(column_letters(i));
    table.columns.push_back(Align::Right);
  }
  const auto add = [&](const std::string& first, const std::string& name,
                       const std::vector<std::size_t>& numbers) {
    std::vector<std::string> row = {first, name};
    for (const std::size_t i : missing) row.push_back(fmt::format("{}", numbers[i]));
    table.rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < matrix.groups.size(); ++i) {
    if (matrix.words[i] > 0 || matrix.missed[i] > 0) {
      add(column_letters(i), matrix.groups[i], matrix.refuted[i]);
    }
  }
  add("", "missed in all", matrix.missed);
  table.notes = {
      fmt::format("Row, column: of what runs of the column's {} missed, the number of results "
                  "are refuted by words that runs of the row's {} found.",
                  heading(by), heading(by)),
      kMissed};
  return table;
}

PlainTable study_table(const TableSpec& table, const std::vector<StudyRow>& rows) {
  if (table.words) return words_table(rows, *table.words);
  if (table.errors) return errors_table(rows, *table.errors);
  return table.refutes ? matrix_table(refutation_matrix(rows, *table.refutes), *table.refutes)
                       : summary_table(summarised(rows, *table.summary), *table.summary);
}

}  // namespace rnnalf
