#include "rnnalf/study/figures.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

StudyRow row(const std::string& learner, const std::string& network, std::uint64_t seed,
             double seconds, bool solved) {
  StudyRow result;
  result.cell.network = network;
  if (learner.empty()) result.cell.method = parse_method("kmeans:k=3");
  result.cell.learner = learner;
  result.cell.oracle = learner.empty() ? "" : "random";
  result.cell.seed = seed;
  result.cell.states = 4;
  result.cell.rnn_steps = static_cast<std::uint64_t>(seconds * 1000);
  result.cell.seconds = seconds;
  result.cell.equals_target = solved;
  result.cell.by_length = {{10, {100, 80, 100, 80}}, {100, {100, 60, 100, 60}}};
  result.cell.program = "rnnalf 9 bits 00ff";
  result.cell.options = {{"time-limit", OptionValue(5.0)}, {"exact", OptionValue(false)}};
  result.commit = "abcdef";
  result.machine = "a fast one";
  result.sizes = {{0.1, 1}, {0.5, 4}};
  return result;
}

std::vector<StudyRow> rows() {
  return {row("lstar", "a.onnx", 1, 2, true),  row("lstar", "b.onnx", 1, 1, true),
          row("lstar", "c.onnx", 1, 9, false), row("ttt", "a.onnx", 1, 0.5, true),
          row("ttt", "b.onnx", 1, 8, false),   row("ttt", "c.onnx", 1, 3, true)};
}

Study study() {
  return parse_study("networks = 'a'", "folder/s.toml", "/");
}

bool contains(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const auto& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_figures)

BOOST_AUTO_TEST_CASE(a_way_is_named_by_what_tells_it_from_the_others) {
  std::vector<StudyRow> all = {row("lstar", "a", 1, 1, true), row("ttt", "a", 1, 1, true),
                               row("", "a", 1, 1, true)};
  using Labels = std::vector<std::string>;
  BOOST_TEST(labels_of(all, By::Way) == (Labels{"lstar", "ttt", "kmeans:k=3"}),
             boost::test_tools::per_element());
  all[1].cell.learner = "lstar";
  all[1].cell.oracle = "pumping";
  BOOST_TEST(labels_of(all, By::Way) == (Labels{"random", "pumping", "kmeans:k=3"}),
             boost::test_tools::per_element());
  all[1].cell.learner = "ttt";
  BOOST_TEST(labels_of(all, By::Way) == (Labels{"lstar random", "ttt pumping", "kmeans:k=3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_samples_that_all_chains_begin_with_are_left_out) {
  std::vector<StudyRow> all = {row("lstar", "a", 1, 1, true), row("lstar", "a", 1, 1, true),
                               row("", "a", 1, 1, true)};
  all[0].cell.oracle = "samples,random";
  all[1].cell.oracle = "samples,pumping";
  using Labels = std::vector<std::string>;
  BOOST_TEST(labels_of(all, By::Oracle) == (Labels{"random", "pumping", "kmeans:k=3"}),
             boost::test_tools::per_element());
  all[1].cell.oracle = "pumping";
  BOOST_TEST(labels_of(all, By::Oracle) == (Labels{"samples,random", "pumping", "kmeans:k=3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(solved_is_the_target_or_where_none_is_known_what_no_word_refutes) {
  ComparisonCell cell = row("ttt", "a", 1, 1, false).cell;
  const Refutation nothing;
  const Refutation by_another{{3}, false};
  BOOST_TEST(!is_solved(cell, nothing));
  cell.equals_target = true;
  cell.verdict = RunVerdict::TimeLimit;
  BOOST_TEST(is_solved(cell, by_another));
  cell.equals_target.reset();
  BOOST_TEST(!is_solved(cell, nothing));
  for (const RunVerdict verdict : {RunVerdict::NoneFound, RunVerdict::Complete}) {
    cell.verdict = verdict;
    BOOST_TEST(is_solved(cell, nothing));
    BOOST_TEST(!is_solved(cell, by_another));
    BOOST_TEST(!is_solved(cell, (Refutation{{}, true})));
  }
  cell.verdict = RunVerdict::Settled;  // with words that its result gets wrong, and says so
  BOOST_TEST(is_solved(cell, by_another));
  cell.states = 0;
  BOOST_TEST(!is_solved(cell, nothing));
}

BOOST_AUTO_TEST_CASE(a_cactus_plot_counts_what_was_solved_within_a_cost) {
  const auto charts = charts_of(study(), {.name = "c", .kind = FigureKind::Cactus}, rows());
  BOOST_TEST_REQUIRE(charts.size() == 1U);
  const Chart& chart = charts[0].second;
  BOOST_TEST_REQUIRE(chart.series.size() == 2U);
  BOOST_TEST(chart.series[0].name == "lstar (2/3)");
  BOOST_TEST_REQUIRE(chart.series[0].points.size() == 2U);
  BOOST_TEST(chart.series[0].points[0].x == 1);  // the faster one first
  BOOST_TEST(chart.series[0].points[1].x == 2);
  BOOST_TEST(chart.series[0].points[1].y == 2);
  const auto steps =
      charts_of(study(), {.name = "c", .kind = FigureKind::Cactus, .over = Cost::Steps}, rows());
  BOOST_TEST(steps[0].second.series[1].points[0].x == 500);
}

BOOST_AUTO_TEST_CASE(agreement_is_the_mean_over_the_rows_of_a_way) {
  std::vector<StudyRow> two = {row("ttt", "a", 1, 1, true), row("ttt", "b", 1, 1, true)};
  two[1].cell.by_length[0].second.agreed = 100;
  const auto charts = charts_of(study(), {.name = "g", .kind = FigureKind::Agreement}, two);
  const Series& series = charts[0].second.series.front();
  BOOST_TEST(series.points[0].x == 10);
  BOOST_TEST(series.points[0].y == 0.9, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(series.points[1].y == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(charts[0].second.y.most.value() == 1);  // no share is more
  BOOST_TEST(charts[0].second.y.least.value() <= 0.6);
}

BOOST_AUTO_TEST_CASE(size_over_time_is_a_figure_for_each_network) {
  const auto charts = charts_of(study(), {.name = "s", .kind = FigureKind::Size}, rows());
  BOOST_TEST_REQUIRE(charts.size() == 3U);
  BOOST_TEST(charts[1].first == "s-b");
  const Series& series = charts[0].second.series.front();
  BOOST_TEST(series.points[1].y == 4);
  BOOST_TEST(series.points.back().x == 2);  // to the end of the run
}

BOOST_AUTO_TEST_CASE(a_scatter_plot_has_a_point_for_each_network_that_both_were_run_on) {
  FigureSpec figure{.name = "p", .kind = FigureKind::Scatter, .x = "lstar", .y = "ttt"};
  const auto charts = charts_of(study(), figure, rows());
  const Chart& chart = charts[0].second;
  BOOST_TEST(chart.series[0].points.size() == 1U);
  BOOST_TEST(chart.series[0].points[0].x == 2);
  BOOST_TEST(chart.series[0].points[0].y == 0.5);
  BOOST_TEST_REQUIRE(chart.series[1].points.size() == 2U);
  BOOST_TEST(chart.series[1].points[0].y > 9);  // b, which ttt did not solve
  figure.y = "tttt";
  BOOST_CHECK_EXCEPTION(
      (void)charts_of(study(), figure, rows()), OptionError, [](const OptionError& error) {
        return std::string(error.what()).find("did you mean ttt?") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(every_figure_says_where_it_came_from) {
  for (const FigureKind kind :
       {FigureKind::Cactus, FigureKind::Agreement, FigureKind::Size, FigureKind::Scatter}) {
    const FigureSpec figure{.name = "f", .kind = kind, .x = "lstar", .y = "ttt"};
    for (const auto& [name, chart] : charts_of(study(), figure, rows())) {
      BOOST_TEST(contains(chart.notes, "commit abcdef"));
      BOOST_TEST(contains(chart.notes, "bits 00ff"));
      BOOST_TEST(contains(chart.notes, "a fast one"));
      BOOST_TEST(contains(chart.notes, "time-limit 5"));
      BOOST_TEST(contains(chart.notes, "s.toml"));
    }
  }
}

BOOST_AUTO_TEST_CASE(who_refutes_what_whom_missed_is_drawn_with_its_origin) {
  std::vector<StudyRow> all = rows();
  all[2].cell.verdict = RunVerdict::NoneFound;  // of which measured words are wrong
  all[0].counterexamples.resize(1);
  const auto scripts =
      scripts_of(study(), {.name = "r", .kind = FigureKind::Refuted, .by = By::Learner}, all);
  BOOST_TEST_REQUIRE(scripts.size() == 1U);
  BOOST_TEST(scripts[0].first == "r");
  const std::string svg = svg_figure(scripts[0].second);
  BOOST_TEST(svg.find(">lstar (1)<") != std::string::npos);  // missed one
  BOOST_TEST(svg.find("commit abcdef") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_rows_there_are_no_figures) {
  std::vector<FigureSpec> figures = figures_of(study());
  figures.push_back({.name = "r", .kind = FigureKind::Refuted});
  for (const FigureSpec& figure : figures) {
    BOOST_TEST(scripts_of(study(), figure, {}).empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
