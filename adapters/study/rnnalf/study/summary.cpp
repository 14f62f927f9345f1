#include "rnnalf/study/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rnnalf/report/text_table.hpp"
#include "rnnalf/study/figures.hpp"

namespace rnnalf {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool is_missed(const ComparisonCell& cell) {
  if (cell.verdict != "none-found") return false;
  const MeasuredWords uniform = cell.uniform();
  return (cell.equals_target && !*cell.equals_target) || uniform.agreed < uniform.words;
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

/// Shares are rounded down: 100.00 means all words.
std::vector<std::string> entries(const StudySummary& one) {
  return {one.group,
          fmt::format("{}", one.runs),
          fmt::format("{}", one.solved),
          fmt::format("{}", one.alone),
          fmt::format("{}", one.missed),
          fmt::format("{}", one.without_result),
          fmt::format("{:.2f}", std::floor(one.agreement * 1e4 + 1e-6) / 100),
          fmt::format("{:g}", one.states),
          fmt::format("{:g}", one.counterexamples),
          one.solved == 0 ? "-" : fmt::format("{:.0f}", one.steps_solved)};
}

/// Of the rows with this label.
StudySummary summary_of(const std::string& label, const std::vector<const ComparisonCell*>& cells,
                        const std::map<std::string, std::size_t>& solved_by, By by) {
  StudySummary one;
  one.group = label;
  std::vector<double> states;
  std::vector<double> counterexamples;
  std::vector<double> steps;
  for (const ComparisonCell* const cell : cells) {
    ++one.runs;
    if (!cell->has_result()) {
      ++one.without_result;
      continue;
    }
    states.push_back(static_cast<double>(cell->states));
    counterexamples.push_back(static_cast<double>(cell->counterexamples));
    one.agreement += cell->uniform().agreement().value_or(0);
    one.missed += is_missed(*cell) ? 1 : 0;
    if (!is_solved(*cell)) continue;
    ++one.solved;
    one.alone += solved_by.at(rest_of(*cell, by)) == 1 ? 1 : 0;
    steps.push_back(static_cast<double>(cell->rnn_steps));
  }
  if (!states.empty()) one.agreement /= static_cast<double>(states.size());
  one.states = median(std::move(states));
  one.counterexamples = median(std::move(counterexamples));
  one.steps_solved = median(std::move(steps));
  return one;
}

}  // namespace

std::vector<StudySummary> summarised(const std::vector<StudyRow>& rows, By by) {
  const std::vector<std::string> labels = labels_of(rows, by);
  std::map<std::string, std::size_t> solved_by;  // how many groups solved what the rest says
  std::vector<std::string> order;
  std::map<std::string, std::vector<const ComparisonCell*>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_solved(rows[i].cell)) ++solved_by[rest_of(rows[i].cell, by)];
    auto& group = groups[labels[i]];
    if (group.empty()) order.push_back(labels[i]);
    group.push_back(&rows[i].cell);
  }
  std::vector<StudySummary> result;
  for (const std::string& label : order) {
    result.push_back(summary_of(label, groups[label], solved_by, by));
  }
  return result;
}

std::string summary_text(const std::vector<StudySummary>& summaries, By by) {
  const std::vector<std::string> headings = {heading(by), "runs",        "solved",  "alone",
                                             "missed",    "no result",   "agree %", "states",
                                             "cex",       "steps solved"};
  std::vector<Align> columns(headings.size(), Align::Right);
  columns.front() = Align::Left;
  TextTable table(columns);
  table.row(headings);
  for (const StudySummary& one : summaries) table.row(entries(one));
  return table.text() +
         "\n"
         "solved: the result is the target; where none is known, no oracle refutes the result.\n"
         "alone: no other row of this table solved the same network in the same way.\n"
         "missed: it ended because no oracle found anything, though the result is wrong.\n"
         "agree: mean share of the measured uniform words; states, cex, steps solved: medians.\n";
}

}  // namespace rnnalf
