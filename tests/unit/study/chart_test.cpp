#include "rnnalf/study/chart.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <regex>

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Chart chart() {
  Chart result;
  result.title = "A <b> & (c), `false` \"d\" 'e' \xc3\xa9\xce\xb5";
  result.x = {"time", Scale::Log, {}, {}};
  result.y = {"solved", Scale::Linear, 0, {}};
  result.series = {{"one", SeriesStyle::Lines, {{0.1, 1}, {10, 2}}},
                   {"two", SeriesStyle::Steps, {{1, 1}, {100, 3}}},
                   {"three", SeriesStyle::Points, {{2, 2}}}};
  result.diagonal = true;
  result.notes = {"commit 1234"};
  return result;
}

/// Where the marks of an SVG are, that of the legend last.
std::vector<Point> marks(const std::string& svg) {
  const std::regex mark(R"(<use xlink:href='#gpPt\d+' transform='translate\(([\d.]+),([\d.]+)\))");
  std::vector<Point> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), mark), end; it != end; ++it) {
    found.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chart_of_a_study)

BOOST_AUTO_TEST_CASE(every_text_is_in_the_picture_as_it_is) {
  const std::string svg = svg_figure(gnuplot_script(chart()));
  BOOST_TEST(svg.starts_with("<svg"));
  BOOST_TEST(contains(svg, "A &lt;b> &amp; (c), `false` \"d\" 'e' \xc3\xa9\xce\xb5"));
  for (const char* const text : {"solved", "time", "one", "two", "three", "commit 1234"}) {
    BOOST_TEST(contains(svg, ">" + std::string(text) + "<"), text);
  }
}

BOOST_AUTO_TEST_CASE(a_figure_is_the_same_bytes_every_time) {
  const std::string script = gnuplot_script(chart());
  const std::string pdf = pdf_figure(script);
  BOOST_TEST(pdf.starts_with("%PDF-1."));
  BOOST_TEST(contains(pdf, "/CreationDate (D:19700101000000"));
  BOOST_TEST((pdf == pdf_figure(script)));
}

BOOST_AUTO_TEST_CASE(more_is_further_right_and_higher) {
  Chart rising = chart();
  rising.series = {{"s", SeriesStyle::Points, {{1, 1}, {10, 2}, {100, 3}}}};
  const std::vector<Point> at = marks(svg_figure(gnuplot_script(rising)));
  BOOST_TEST_REQUIRE(at.size() == 4U);
  BOOST_TEST(at[0].x < at[1].x);
  BOOST_TEST(at[0].y > at[1].y);
  // Equal ratios are equal distances.
  BOOST_TEST(at[1].x - at[0].x == at[2].x - at[1].x, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_placed_is_left_out_or_stands_at_the_beginning) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Chart wild = chart();
  wild.diagonal = false;
  wild.series = {{"s",
                  SeriesStyle::Points,
                  {{0, 1}, {5, 2}, {std::numeric_limits<double>::quiet_NaN(), 1}, {7, infinity}}}};
  const std::vector<Point> at = marks(svg_figure(gnuplot_script(wild)));
  BOOST_TEST_REQUIRE(at.size() == 3U);
  BOOST_TEST(at[0].x == at[1].x);
}

BOOST_AUTO_TEST_CASE(a_line_of_many_points_has_few_marks) {
  Chart many;
  Series series{"s", SeriesStyle::Lines, {}};
  for (int i = 0; i <= 500; ++i) series.points.push_back({1.0 * i, 1.0 * i});
  many.series = {series};
  const std::size_t count = marks(svg_figure(gnuplot_script(many))).size();
  BOOST_TEST(count >= 10U);
  BOOST_TEST(count <= 25U);
}

BOOST_AUTO_TEST_CASE(a_heat_map_has_a_box_for_each_cell_the_darker_the_larger_its_share) {
  HeatMap map;
  map.title = "who";
  map.rows = {"first", "second, with a rather long name"};
  map.columns = {"a", "b", "c"};
  map.cells = {{{0, "0"}, {0.5, "5"}, {1, "10"}}, {{1, "x"}, {0, "y"}, {0.25, "z"}}};
  map.notes = {"commit 1234"};
  const std::string svg = svg_figure(gnuplot_script(map));
  const std::regex box(R"(fill = 'rgb\( *(\d+), *\d+, *\d+\)')");
  std::vector<int> red;
  for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end; ++it) {
    red.push_back(std::stoi((*it)[1]));
  }
  BOOST_TEST_REQUIRE(red.size() == 6U);
  BOOST_TEST(red[0] > red[1]);
  BOOST_TEST(red[1] > red[2]);
  for (const char* const text : {"who", "first", "b", "10", "z", "commit 1234"}) {
    BOOST_TEST(contains(svg, ">" + std::string(text) + "<"), text);
  }
}

BOOST_AUTO_TEST_CASE(nothing_to_show_is_no_error) {
  Chart nameless;
  nameless.series.resize(1);
  BOOST_TEST(contains(svg_figure(gnuplot_script(nameless)), "</svg>"));
  BOOST_TEST(contains(svg_figure(gnuplot_script(Chart{})), "</svg>"));
  BOOST_TEST(contains(svg_figure(gnuplot_script(HeatMap{})), "</svg>"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
