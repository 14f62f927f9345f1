#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "rnnalf/plot/chart.hpp"
#include "rnnalf/plot/heat_map.hpp"
#include "support/seeded_random.hpp"

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Chart chart() {
  Chart result;
  result.title = "A <b> & (c)";
  result.x = {"time", Scale::Log, {}, {}};
  result.y = {"solved", Scale::Linear, 0, {}};
  result.series = {{"one", SeriesStyle::Lines, {{0.1, 1}, {10, 2}}},
                   {"two", SeriesStyle::Steps, {{1, 1}, {100, 3}}},
                   {"three", SeriesStyle::Points, {{2, 2}}}};
  result.notes = {"commit 1234"};
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plot)

BOOST_AUTO_TEST_CASE(ticks_are_round_and_hold_all_of_the_data) {
  support::SeededRandom random(3);
  for (int world = 0; world < 500; ++world) {
    const double least = (static_cast<double>(random.below(20'000)) - 10'000) / 7;
    const double most = least + static_cast<double>(random.below(1'000'000)) / 91;
    const Ticks ticks = ticks_for({}, least, most);
    BOOST_TEST(ticks.least <= least + 1e-6);
    BOOST_TEST(ticks.most >= most - 1e-6);
    BOOST_TEST(ticks.at.size() >= 2U);
    BOOST_TEST(ticks.at.size() <= 9U);
    const double step = ticks.at[1] - ticks.at[0];
    const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    BOOST_TEST((std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                std::abs(mantissa - 5) < 1e-6),
               step);
  }
}

BOOST_AUTO_TEST_CASE(logarithmic_axes_go_from_power_to_power_of_ten) {
  const Ticks ticks = ticks_for({"", Scale::Log, {}, {}}, 0.02, 700);
  BOOST_TEST(ticks.least == 0.01, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(ticks.most == 1000, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(ticks.at.size() == 6U);
  const Ticks one = ticks_for({"", Scale::Log, {}, {}}, 10, 10);
  BOOST_TEST(one.most > one.least);
}

BOOST_AUTO_TEST_CASE(numbers_beside_ticks_are_short) {
  BOOST_TEST(tick_text(0) == "0");
  BOOST_TEST(tick_text(0.25) == "0.25");
  BOOST_TEST(tick_text(1000) == "1000");
  BOOST_TEST(tick_text(20'000) == "20k");
  BOOST_TEST(tick_text(3'500'000) == "3.5M");
}

BOOST_AUTO_TEST_CASE(every_point_is_inside_of_the_picture) {
  support::SeededRandom random(4);
  for (int world = 0; world < 50; ++world) {
    Chart wild;
    wild.x.scale = world % 2 == 0 ? Scale::Log : Scale::Linear;
    wild.y.scale = world % 3 == 0 ? Scale::Log : Scale::Linear;
    Series series{"s", world % 5 == 0 ? SeriesStyle::Steps : SeriesStyle::Lines, {}};
    for (int i = 0; i < 20; ++i) {
      series.points.push_back({std::pow(10, static_cast<double>(random.below(12)) - 6),
                               static_cast<double>(random.below(100)) - 50});
    }
    series.points.push_back({std::numeric_limits<double>::quiet_NaN(), 1});
    series.points.push_back({0, std::numeric_limits<double>::infinity()});
    wild.series = {series};
    const Drawing drawing = draw(wild);
    const auto check = [&](const Point& at) {
      BOOST_TEST((at.x >= 0 && at.x <= drawing.width && at.y >= 0 && at.y <= drawing.height));
    };
    for (const DrawnItem& item : drawing.items) {
      if (const auto* const mark = std::get_if<DrawnMark>(&item)) check(mark->at);
      if (const auto* const line = std::get_if<DrawnLine>(&item)) {
        for (const Point& point : line->points) check(point);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(more_is_further_right_and_higher) {
  Chart rising = chart();
  rising.series = {{"", SeriesStyle::Points, {{1, 1}, {10, 2}, {100, 3}}}};
  std::vector<Point> marks;
  for (const DrawnItem& item : draw(rising).items) {
    if (const auto* const mark = std::get_if<DrawnMark>(&item)) marks.push_back(mark->at);
  }
  BOOST_TEST_REQUIRE(marks.size() == 3U);
  BOOST_TEST(marks[0].x < marks[1].x);
  BOOST_TEST(marks[0].y > marks[1].y);
  // Equal ratios are equal distances.
  BOOST_TEST(marks[1].x - marks[0].x == marks[2].x - marks[1].x,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(both_files_have_every_text_and_nothing_from_outside) {
  const Drawing drawing = draw(chart());
  const std::string svg = svg_text(drawing);
  BOOST_TEST(contains(svg, "A &lt;b&gt; &amp; (c)"));
  BOOST_TEST(!contains(svg, "<b>"));
  BOOST_TEST(count_of(svg, "http") == 1U);  // the name of the format
  BOOST_TEST(!contains(svg, "style="));
  const std::string pdf = pdf_text(drawing);
  BOOST_TEST(contains(pdf, "(A <b> & \\(c\\)) Tj"));
  for (const char* const text : {"solved", "one", "two", "three", "commit 1234"}) {
    BOOST_TEST(contains(svg, text));
    BOOST_TEST(contains(pdf, text));
  }
}

BOOST_AUTO_TEST_CASE(the_table_at_the_end_of_a_pdf_says_where_its_objects_are) {
  const std::string pdf = pdf_text(draw(chart()));
  const std::size_t start = pdf.rfind("startxref\n");
  BOOST_TEST_REQUIRE(start != std::string::npos);
  const std::size_t table = std::stoul(pdf.substr(start + 10));
  BOOST_TEST(pdf.substr(table, 5) == "xref\n");
  std::size_t line = pdf.find('\n', table + 5) + 1 + 20;  // after the free entry
  for (int object = 1; object <= 7; ++object, line += 20) {
    const std::size_t at = std::stoul(pdf.substr(line, 10));
    BOOST_TEST(pdf.substr(at, 7) == std::to_string(object) + " 0 obj");
  }
  const std::size_t length_at = pdf.find("/Length ") + 8;
  const std::size_t stream = pdf.find("stream\n", length_at) + 7;
  BOOST_TEST(pdf.substr(stream + std::stoul(pdf.substr(length_at)), 9) == "endstream");
}

BOOST_AUTO_TEST_CASE(widths_are_those_of_helvetica) {
  // From the metrics that Adobe published: H 722, e 556, l 222, o 556; i 222 and, bold, 278.
  BOOST_TEST(text_width("Hello", 1000) == 722 + 556 + 222 + 222 + 556);
  BOOST_TEST(text_width("i", 10, true) == 2.78, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(text_width("", 10) == 0);
}

BOOST_AUTO_TEST_CASE(text_beyond_latin_1_is_marked_in_a_pdf_and_kept_in_an_svg) {
  Drawing drawing{100, 100, "t", "", {DrawnText{{1, 1}, "\xc3\xa9\xce\xb5", 9}}};
  BOOST_TEST(contains(pdf_text(drawing), "(\\351?) Tj"));
  BOOST_TEST(contains(svg_text(drawing), "\xc3\xa9\xce\xb5"));
}

BOOST_AUTO_TEST_CASE(a_line_of_many_points_has_few_marks_and_one_at_its_end) {
  Chart many;
  Series series{"s", SeriesStyle::Lines, {}};
  for (int i = 0; i <= 500; ++i) series.points.push_back({1.0 * i, 1.0 * i});
  many.series = {series};
  std::vector<Point> marks;
  double furthest = 0;
  for (const DrawnItem& item : draw(many).items) {
    if (const auto* const mark = std::get_if<DrawnMark>(&item)) marks.push_back(mark->at);
    const auto* const line = std::get_if<DrawnLine>(&item);
    if (line == nullptr || line->points.size() != 501) continue;
    for (const Point& point : line->points) furthest = std::max(furthest, point.x);
  }
  BOOST_TEST(marks.size() >= 10U);
  BOOST_TEST(marks.size() <= 25U);  // that of the legend included
  BOOST_TEST(
      (std::any_of(marks.begin(), marks.end(), [&](const Point& at) { return at.x == furthest; })));
}

BOOST_AUTO_TEST_CASE(a_heat_map_has_a_box_for_each_cell_the_darker_the_larger_its_share) {
  HeatMap map;
  map.title = "who";
  map.rows = {"first", "second, with a rather long name"};
  map.columns = {"a", "b", "c"};
  map.cells = {{{0, "0"}, {0.5, "5"}, {1, "10"}}, {{1, "x"}, {0, "y"}, {0.25, "z"}}};
  map.notes = {"commit 1234"};
  const Drawing drawing = draw(map);
  std::vector<DrawnBox> boxes;
  std::vector<std::string> texts;
  for (const DrawnItem& item : drawing.items) {
    if (const auto* const box = std::get_if<DrawnBox>(&item)) boxes.push_back(*box);
    if (const auto* const text = std::get_if<DrawnText>(&item)) texts.push_back(text->text);
  }
  BOOST_TEST_REQUIRE(boxes.size() == 1U + 6U);  // the first is the paper
  BOOST_TEST(boxes[0].height == drawing.height);
  for (const DrawnBox& box : boxes) {
    BOOST_TEST(box.corner.x >= 0);
    BOOST_TEST(box.corner.x + box.width <= drawing.width);
    BOOST_TEST(box.corner.y + box.height <= drawing.height);
  }
  BOOST_TEST(boxes[1].colour.red > boxes[2].colour.red);
  BOOST_TEST(boxes[2].colour.red > boxes[3].colour.red);
  for (const char* const text : {"who", "first", "b", "10", "z", "commit 1234"}) {
    BOOST_TEST((std::find(texts.begin(), texts.end(), text) != texts.end()), text);
  }
  BOOST_TEST(drawing.description == "commit 1234");
  BOOST_TEST(draw(HeatMap{}).items.size() >= 1U);  // nothing to show is no error
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
