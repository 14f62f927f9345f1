#include "rnnalf/study/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/suggestion.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf {
namespace {

std::string stem(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

/// Distinct values, in the order in which they first appear.
template <class Text>
std::vector<std::string> distinct(const std::vector<StudyRow>& rows, Text text) {
  std::vector<std::string> values;
  for (const StudyRow& row : rows) {
    std::string value = text(row);
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(std::move(value));
    }
  }
  return values;
}

/// Rows by the label of their way, in order of appearance.
using Ways = std::vector<std::pair<std::string, std::vector<const StudyRow*>>>;

Ways ways_of(const std::vector<StudyRow>& rows, By by) {
  const std::vector<std::string> labels = labels_of(rows, by);
  Ways ways;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto found = std::find_if(ways.begin(), ways.end(),
                                    [&](const auto& way) { return way.first == labels[i]; });
    if (found == ways.end()) {
      ways.push_back({labels[i], {&rows[i]}});
    } else {
      found->second.push_back(&rows[i]);
    }
  }
  return ways;
}

double cost_of(const ComparisonCell& cell, Cost cost) {
  // On a logarithmic axis: less than a millisecond is not measured.
  return cost == Cost::Steps ? static_cast<double>(cell.rnn_steps) : std::max(cell.seconds, 1e-3);
}

std::string cost_title(Cost cost) {
  return cost == Cost::Steps ? "steps of the network" : "seconds";
}

constexpr const char* kSolved =
    "Solved: the result is the target; where none is known, no oracle refutes the result.";

Chart cactus(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  Chart chart;
  chart.title = "Solved within";
  chart.x = {cost_title(figure.over), Scale::Log, {}, {}};
  chart.y = {"extractions solved", Scale::Linear, 0, {}};
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    std::vector<double> costs;
    for (const StudyRow* const row : of_way) {
      if (is_solved(row->cell)) costs.push_back(cost_of(row->cell, figure.over));
    }
    std::sort(costs.begin(), costs.end());
    Series series{
        fmt::format("{} ({}/{})", label, costs.size(), of_way.size()), SeriesStyle::Lines, {}};
    for (std::size_t i = 0; i < costs.size(); ++i) {
      series.points.push_back({costs[i], static_cast<double>(i + 1)});
    }
    chart.series.push_back(std::move(series));
  }
  chart.notes.emplace_back(kSolved);
  return chart;
}

Chart agreement(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  Chart chart;
  chart.title = "Agreement of result and network";
  chart.x = {"length of uniform words", Scale::Log, {}, {}};
  chart.y = {"share of words, mean over networks and seeds", Scale::Linear, {}, {}};
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    std::map<std::size_t, std::pair<double, double>> by_length;  // sum, number
    for (const StudyRow* const row : of_way) {
      if (!row->cell.has_result()) continue;
      for (const auto& [length, measured] : row->cell.by_length) {
        auto& [sum, number] = by_length[length];
        sum += measured.agreement().value_or(0);
        ++number;
      }
    }
    Series series{label, SeriesStyle::Lines, {}};
    for (const auto& [length, mean] : by_length) {
      series.points.push_back({static_cast<double>(length), mean.first / mean.second});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart size_over_time(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  Chart chart;
  chart.title = "States of the hypotheses, " + stem(rows.front().cell.network);
  chart.x = {"seconds", Scale::Log, {}, {}};
  chart.y = {"states", Scale::Log, {}, {}};
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    Series series{label, SeriesStyle::Steps, {}};
    for (const auto& [seconds, states] : of_way.front()->sizes) {
      series.points.push_back({std::max(seconds, 1e-4), static_cast<double>(states)});
    }
    if (!series.points.empty()) {
      series.points.push_back(
          {std::max(of_way.front()->cell.seconds, series.points.back().x), series.points.back().y});
    }
    chart.series.push_back(std::move(series));
  }
  chart.notes.push_back(fmt::format("Seed {}.", rows.front().cell.seed));
  return chart;
}

Chart scatter(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  const Ways ways = ways_of(rows, figure.by);
  const auto way = [&](const std::string& label) -> const std::vector<const StudyRow*>& {
    std::vector<std::string_view> names;
    for (const auto& [name, of_way] : ways) {
      if (name == label) return of_way;
      names.push_back(name);
    }
    throw OptionError(fmt::format("figure.{}: expected one of {}; found {}{}", figure.name,
                                  fmt::join(names, "; "), in_quotes(label),
                                  suggestion("", label, names)));
  };
  const auto key = [&](const StudyRow& row) { return rest_of(row.cell, figure.by); };
  std::map<std::string, const StudyRow*> others;
  for (const StudyRow* const row : way(figure.y)) others[key(*row)] = row;
  double most = 0;
  for (const StudyRow& row : rows) most = std::max(most, cost_of(row.cell, figure.over));
  Chart chart;
  chart.title = fmt::format("{} of two ways", cost_title(figure.over));
  chart.x = {figure.x, Scale::Log, {}, {}};
  chart.y = {figure.y, Scale::Log, {}, {}};
  chart.diagonal = true;
  Series both{"solved by both", SeriesStyle::Points, {}};
  Series not_both{"not solved by one of them: at the far end", SeriesStyle::Points, {}};
  for (const StudyRow* const x : way(figure.x)) {
    const auto found = others.find(key(*x));
    if (found == others.end()) continue;
    const StudyRow* const y = found->second;
    const auto place = [&](const StudyRow& row) {
      return is_solved(row.cell) ? cost_of(row.cell, figure.over) : 3 * most;
    };
    const bool solved = is_solved(x->cell) && is_solved(y->cell);
    (solved ? both : not_both).points.push_back({place(*x), place(*y)});
  }
  chart.series = {both, not_both};
  chart.notes.emplace_back(kSolved);
  return chart;
}

/// Options that all rows have in common and that say something.
std::string common_options(const std::vector<StudyRow>& rows) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : rows.front().cell.options) {
    const std::string text = option_value::text(value);
    const bool same = std::all_of(rows.begin(), rows.end(), [&, &name = name](const StudyRow& row) {
      const auto& options = row.cell.options;
      const auto found = std::find_if(options.begin(), options.end(),
                                      [&](const UsedOption& one) { return one.first == name; });
      return found != options.end() && option_value::text(found->second) == text;
    });
    if (!same || text == "none" || text == "false") continue;
    texts.push_back(name + " " + text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<StudyRow>& rows, By by) {
  std::set<std::string> learners;
  std::set<std::string> oracles;
  for (const StudyRow& row : rows) {
    if (row.cell.learner.empty()) continue;
    learners.insert(row.cell.learner);
    oracles.insert(row.cell.oracle);
  }
  std::vector<std::string> labels;
  for (const StudyRow& row : rows) {
    const ComparisonCell& cell = row.cell;
    if (by == By::Network) {
      labels.push_back(stem(cell.network));
    } else if (cell.learner.empty()) {
      labels.push_back(cell.method);
    } else if (by != By::Way) {
      labels.push_back(by == By::Learner ? cell.learner : cell.oracle);
    } else if (oracles.size() <= 1) {
      labels.push_back(cell.learner);
    } else {
      labels.push_back(learners.size() <= 1 ? cell.oracle : cell.learner + " " + cell.oracle);
    }
  }
  return labels;
}

std::string rest_of(const ComparisonCell& cell, By by) {
  const std::string learner = by == By::Way || by == By::Learner ? "" : cell.learner;
  const std::string oracle = by == By::Way || by == By::Oracle ? "" : cell.oracle;
  const std::string network = by == By::Network ? "" : cell.network;
  return fmt::format("{}\n{}\n{}\n{}", network, learner, oracle, cell.seed);
}

bool is_solved(const ComparisonCell& cell) {
  if (!cell.has_result()) return false;
  if (cell.equals_target) return *cell.equals_target;
  return cell.verdict == "none-found" || cell.verdict == "settled";
}

std::vector<std::string> provenance(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<std::string> notes;
  const std::string file = std::filesystem::path(study.file).filename().string();
  if (rows.empty()) return {fmt::format("{}: no rows.", file)};
  const auto programs = distinct(rows, [](const StudyRow& row) { return row.cell.program; });
  const auto commits = distinct(rows, [](const StudyRow& row) {
    return row.commit.empty() ? std::string("not known") : row.commit;
  });
  const auto machines = distinct(rows, [](const StudyRow& row) { return row.machine; });
  std::set<std::uint64_t> seeds;
  for (const StudyRow& row : rows) seeds.insert(row.cell.seed);
  const auto networks = distinct(rows, [](const StudyRow& row) { return row.cell.network; });
  notes.push_back(fmt::format(
      "{}: {}, {}, {}.", file, counted(rows.size(), "extraction", "extractions"),
      counted(networks.size(), "network", "networks"), counted(seeds.size(), "seed", "seeds")));
  notes.push_back(
      fmt::format("{}; commit {}.", fmt::join(programs, "; "), fmt::join(commits, ", ")));
  notes.push_back(fmt::format("On: {}.", fmt::join(machines, "; ")));
  notes.push_back(fmt::format("Options: {}.", common_options(rows)));
  return notes;
}

std::vector<std::pair<std::string, Chart>> charts_of(const Study& study, const FigureSpec& figure,
                                                     const std::vector<StudyRow>& rows) {
  std::vector<std::pair<std::string, Chart>> charts;
  if (rows.empty()) return charts;
  const auto add = [&](const std::string& name, Chart chart, const std::vector<StudyRow>& of) {
    for (std::string& note : provenance(study, of)) chart.notes.push_back(std::move(note));
    charts.emplace_back(name, std::move(chart));
  };
  switch (figure.kind) {
    case FigureKind::Cactus:
      add(figure.name, cactus(figure, rows), rows);
      break;
    case FigureKind::Agreement:
      add(figure.name, agreement(figure, rows), rows);
      break;
    case FigureKind::Scatter:
      add(figure.name, scatter(figure, rows), rows);
      break;
    case FigureKind::Size:
      for (const std::string& network :
           distinct(rows, [](const StudyRow& row) { return row.cell.network; })) {
        std::vector<StudyRow> some;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
                     [&](const StudyRow& row) { return row.cell.network == network; });
        add(figure.name + "-" + stem(network), size_over_time(figure, some), some);
      }
      break;
  }
  return charts;
}

std::vector<FigureSpec> figures_of(const Study& study) {
  if (!study.figures.empty()) return study.figures;
  return {{.name = "cactus", .kind = FigureKind::Cactus},
          {.name = "agreement", .kind = FigureKind::Agreement},
          {.name = "size", .kind = FigureKind::Size}};
}

}  // namespace rnnalf
