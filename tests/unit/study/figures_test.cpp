#include "rnnalf/study/figures.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/summary.hpp"

namespace rnnalf {
namespace {

StudyRow row(const std::string& learner, const std::string& network, std::uint64_t seed,
             double seconds, bool solved) {
  StudyRow result;
  result.cell.network = network;
  result.cell.method = learner.empty() ? "kmeans:k=3" : "abstraction-refinement";
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

BOOST_AUTO_TEST_CASE(solved_is_the_target_or_where_none_is_known_what_no_oracle_refutes) {
  ComparisonCell cell = row("ttt", "a", 1, 1, false).cell;
  BOOST_TEST(!is_solved(cell));
  cell.equals_target = true;
  cell.verdict = "time-limit";
  BOOST_TEST(is_solved(cell));
  cell.equals_target.reset();
  BOOST_TEST(!is_solved(cell));
  cell.verdict = "none-found";
  BOOST_TEST(is_solved(cell));
  cell.states = 0;
  BOOST_TEST(!is_solved(cell));
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

BOOST_AUTO_TEST_CASE(a_summary_counts_what_each_group_solved_alone_and_missed) {
  std::vector<StudyRow> all = rows();
  all[2].cell.verdict = "none-found";  // lstar on c: wrong, and nobody noticed
  const auto summaries = summarised(all, By::Learner);
  BOOST_TEST_REQUIRE(summaries.size() == 2U);
  BOOST_TEST(summaries[0].group == "lstar");
  BOOST_TEST(summaries[0].runs == 3U);
  BOOST_TEST(summaries[0].solved == 2U);
  BOOST_TEST(summaries[0].alone == 1U);  // b
  BOOST_TEST(summaries[0].missed == 1U);
  BOOST_TEST(summaries[0].steps_solved == 1500);
  BOOST_TEST(summaries[1].alone == 1U);  // c
  BOOST_TEST(summaries[1].missed == 0U);
  BOOST_TEST(summaries[0].agreement == 0.7, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(summarised(all, By::Network)[0].solved == 2U);
}

BOOST_AUTO_TEST_CASE(without_rows_there_are_no_figures) {
  for (const FigureSpec& figure : figures_of(study())) {
    BOOST_TEST(charts_of(study(), figure, {}).empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
