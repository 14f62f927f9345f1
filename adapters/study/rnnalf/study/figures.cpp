// Rows are grouped by the way they were extracted (or by learner, oracle or network), each group
// under the shortest name that tells it from the others. A figure is then a series of points for
// each group, with the sentences below it that say where the rows came from.

#include "rnnalf/study/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/suggestion.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/study/summary.hpp"

namespace rnnalf {
namespace {

std::string stem(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

/// Chains of oracles mostly begin with the words that are given.
constexpr std::string_view kSamples = "samples,";

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

struct WayRow {
  const StudyRow* row;
  bool solved;
};

/// Rows by the label of their way, in order of appearance.
using Ways = std::vector<std::pair<std::string, std::vector<WayRow>>>;

Ways ways_of(const std::vector<StudyRow>& rows, By by) {
  const std::vector<std::string> labels = labels_of(rows, by);
  const std::vector<Refutation> refuted = refutations(rows);
  Ways ways;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto found = std::find_if(ways.begin(), ways.end(),
                                    [&](const auto& way) { return way.first == labels[i]; });
    const WayRow row{&rows[i], is_solved(rows[i].cell, refuted[i])};
    if (found == ways.end()) {
      ways.push_back({labels[i], {row}});
    } else {
      found->second.push_back(row);
    }
  }
  return ways;
}

/// The rest of what a row is: rows of two groups with the same rest are the same but for the group.
std::string rest_of(const ComparisonCell& cell, By by) {
  const std::string learner = by == By::Way || by == By::Learner ? "" : cell.learner;
  const std::string oracle = by == By::Way || by == By::Oracle ? "" : cell.oracle;
  const std::string network = by == By::Network ? "" : cell.network;
  return fmt::format("{}\n{}\n{}\n{}", network, learner, oracle, cell.seed);
}

double cost_of(const ComparisonCell& cell, Cost cost) {
  // On a logarithmic axis: less than a millisecond is not measured.
  return cost == Cost::Steps ? static_cast<double>(cell.rnn_steps) : std::max(cell.seconds, 1e-3);
}

std::string cost_title(Cost cost) {
  return cost == Cost::Steps ? "steps of the network" : "seconds";
}

constexpr const char* kSolved =
    "Solved: the result is the target; where none is known, the run settled, or ended by itself "
    "with "
    "a result that no word known here refutes.";

Chart cactus(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  Chart chart;
  chart.title = "Solved within";
  chart.x = {cost_title(figure.over), Scale::Log, {}, {}};
  chart.y = {"extractions solved", Scale::Linear, 0, {}};
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    std::vector<double> costs;
    for (const auto& [row, solved] : of_way) {
      if (solved) costs.push_back(cost_of(row->cell, figure.over));
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
  double least = 0.99;
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    std::map<std::size_t, std::pair<double, double>> by_length;  // sum, number
    for (const auto& [row, solved] : of_way) {
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
      least = std::min(least, series.points.back().y);
    }
    chart.series.push_back(std::move(series));
  }
  // Shares end at 1; small differences are seen where all are near it.
  chart.y.least = std::floor(10 * least) / 10;
  chart.y.most = 1;
  return chart;
}

Chart size_over_time(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  Chart chart;
  chart.title = "States of the hypotheses, " + stem(rows.front().cell.network);
  chart.x = {"seconds", Scale::Log, {}, {}};
  chart.y = {"states", Scale::Log, {}, {}};
  for (const auto& [label, of_way] : ways_of(rows, figure.by)) {
    Series series{label, SeriesStyle::Steps, {}};
    const StudyRow& first = *of_way.front().row;
    for (const auto& [seconds, states] : first.sizes) {
      series.points.push_back({std::max(seconds, 1e-4), static_cast<double>(states)});
    }
    if (!series.points.empty()) {
      series.points.push_back(
          {std::max(first.cell.seconds, series.points.back().x), series.points.back().y});
    }
    chart.series.push_back(std::move(series));
  }
  chart.notes.push_back(fmt::format("Seed {}.", rows.front().cell.seed));
  return chart;
}

Chart scatter(const FigureSpec& figure, const std::vector<StudyRow>& rows) {
  const Ways ways = ways_of(rows, figure.by);
  const auto way = [&](const std::string& label) -> const std::vector<WayRow>& {
    std::vector<std::string_view> names;
    for (const auto& [name, of_way] : ways) {
      if (name == label) return of_way;
      names.push_back(name);
    }
    throw OptionError(fmt::format("figure.{}: expected one of {}; found {}{}", figure.name,
                                  fmt::join(names, "; "), in_quotes(label),
                                  suggestion("", label, names)));
  };
  std::map<std::string, WayRow> others;
  for (const WayRow& y : way(figure.y)) others[rest_of(y.row->cell, figure.by)] = y;
  double most = 0;
  for (const StudyRow& row : rows) most = std::max(most, cost_of(row.cell, figure.over));
  Chart chart;
  chart.title = fmt::format("Price of two ways, in {}", cost_title(figure.over));
  chart.x = {figure.x, Scale::Log, {}, {}};
  chart.y = {figure.y, Scale::Log, {}, {}};
  chart.diagonal = true;
  Series both{"solved by both", SeriesStyle::Points, {}};
  Series not_both{"not solved by one of them: at the far end", SeriesStyle::Points, {}};
  for (const WayRow& x : way(figure.x)) {
    const auto found = others.find(rest_of(x.row->cell, figure.by));
    if (found == others.end()) continue;
    const WayRow& y = found->second;
    const auto place = [&](const WayRow& one) {
      return one.solved ? cost_of(one.row->cell, figure.over) : 3 * most;
    };
    (x.solved && y.solved ? both : not_both).points.push_back({place(x), place(y)});
  }
  for (Series* const series : {&both, &not_both}) {
    if (!series->points.empty()) chart.series.push_back(std::move(*series));
  }
  chart.notes.emplace_back(kSolved);
  return chart;
}

HeatMap refuted_map(const RefutationMatrix& matrix) {
  HeatMap map;
  map.title = "Who finds what others miss";
  map.rows_title = "found by";
  map.columns_title = "missed by (number of results)";
  for (std::size_t j = 0; j < matrix.groups.size(); ++j) {
    if (matrix.missed[j] == 0) continue;
    map.columns.push_back(fmt::format("{} ({})", matrix.groups[j], matrix.missed[j]));
  }
  for (std::size_t i = 0; i < matrix.groups.size(); ++i) {
    if (matrix.words[i] == 0) continue;
    map.rows.push_back(matrix.groups[i]);
    std::vector<HeatMap::Cell>& cells = map.cells.emplace_back();
    for (std::size_t j = 0; j < matrix.groups.size(); ++j) {
      if (matrix.missed[j] == 0) continue;
      const auto refuted = static_cast<double>(matrix.refuted[i][j]);
      cells.push_back({refuted / static_cast<double>(matrix.missed[j]),
                       fmt::format("{}", matrix.refuted[i][j])});
    }
  }
  map.notes.emplace_back(
      "Missed: it ended with a result that a word measured or found by another run refutes. "
      "Number: "
      "of these results, how many are refuted by words that runs of the row found; dark: all.");
  return map;
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
    if (row.cell.method.is_baseline()) continue;
    learners.insert(row.cell.learner);
    oracles.insert(row.cell.oracle);
  }
  // What all chains begin with tells nothing apart.
  const bool shortened =
      oracles.size() > 1 && std::all_of(oracles.begin(), oracles.end(), [](const std::string& one) {
        return one.starts_with(kSamples);
      });
  const auto oracle_of = [&](const ComparisonCell& cell) {
    return shortened ? cell.oracle.substr(kSamples.size()) : cell.oracle;
  };
  std::vector<std::string> labels;
  for (const StudyRow& row : rows) {
    const ComparisonCell& cell = row.cell;
    if (by == By::Network) {
      labels.push_back(stem(cell.network));
    } else if (cell.method.is_baseline()) {
      labels.push_back(cell.method.text());
    } else if (by != By::Way) {
      labels.push_back(by == By::Learner ? cell.learner : oracle_of(cell));
    } else if (oracles.size() <= 1) {
      labels.push_back(cell.learner);
    } else {
      labels.push_back(learners.size() <= 1 ? oracle_of(cell)
                                            : cell.learner + " " + oracle_of(cell));
    }
  }
  return labels;
}

bool is_solved(const ComparisonCell& cell, const Refutation& refutation) {
  if (!cell.has_result()) return false;
  if (cell.equals_target) return *cell.equals_target;
  return cell.verdict == RunVerdict::Settled || (stands_by_result(cell) && !refutation.known());
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
    case FigureKind::Refuted:
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

std::vector<std::pair<std::string, std::string>> scripts_of(const Study& study,
                                                            const FigureSpec& figure,
                                                            const std::vector<StudyRow>& rows) {
  std::vector<std::pair<std::string, std::string>> scripts;
  for (const auto& [name, chart] : charts_of(study, figure, rows)) {
    scripts.emplace_back(name, gnuplot_script(chart));
  }
  if (figure.kind == FigureKind::Refuted && !rows.empty()) {
    HeatMap map = refuted_map(refutation_matrix(rows, figure.by));
    for (std::string& note : provenance(study, rows)) map.notes.push_back(std::move(note));
    scripts.emplace_back(figure.name, gnuplot_script(map));
  }
  return scripts;
}

std::vector<FigureSpec> figures_of(const Study& study) {
  if (!study.figures.empty()) return study.figures;
  return {{.name = "cactus", .kind = FigureKind::Cactus},
          {.name = "agreement", .kind = FigureKind::Agreement},
          {.name = "size", .kind = FigureKind::Size}};
}

}  // namespace rnnalf
