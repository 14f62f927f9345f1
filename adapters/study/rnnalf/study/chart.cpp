#include "rnnalf/study/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/study/process.hpp"

namespace rnnalf {
namespace {

constexpr double kWidth = 640;
constexpr double kPlotHeight = 380;
constexpr double kNoteHeight = 13;
constexpr std::size_t kNoteColumns = 120;
constexpr std::size_t kMostMarks = 20;
const std::string kNothing = "set xrange [1:10]\nset yrange [1:10]\nplot NaN notitle\n";
constexpr const char* kSoft = "rgb '#777777'";

/// In single quotes gnuplot replaces nothing but the quote itself, written twice.
std::string in_gnuplot(const std::string& text) {
  std::string result = "'";
  for (const char c : printable(text, true)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// The size, and the notes in lines below the plot.
std::string page(const std::string& title, double plot_height,
                 const std::vector<std::string>& notes) {
  std::string text = "set title " + in_gnuplot(title) + "\n";
  std::vector<std::string> lines;
  for (const std::string& note : notes) {
    for (const std::string& line : wrapped(note, kNoteColumns)) lines.push_back(line);
  }
  const double below = kNoteHeight * static_cast<double>(lines.size()) + 8;
  const double height = plot_height + below;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("set label {} at screen 0.01, screen {:.5f} font ',8' textcolor {}\n",
                        in_gnuplot(lines[i]),
                        (below - kNoteHeight * (static_cast<double>(i) + 1)) / height, kSoft);
  }
  return fmt::format("width = {}; height = {}\n", kWidth, height) + text +
         fmt::format("set bmargin at screen {:.5f}\n", (below + 48) / height);
}

std::string axis_text(char name, const Axis& axis) {
  const auto bound = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "*";
  };
  return fmt::format("set {0}label {1}\n{2}set {0}range [{3}:{4}]\n", name, in_gnuplot(axis.title),
                     axis.scale == Scale::Log ? fmt::format("set logscale {}\n", name) : "",
                     bound(axis.least), bound(axis.most));
}

/// The least value above 0 of a coordinate.
double least_above_zero(const Chart& chart, double Point::*coordinate) {
  double least = std::numeric_limits<double>::infinity();
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      if (point.*coordinate > 0) least = std::min(least, point.*coordinate);
    }
  }
  return std::isfinite(least) ? least : 1;
}

std::string drawn(const std::string& terminal, const std::string& script) {
  constexpr std::chrono::seconds most{60};
  const std::size_t sizes_end = script.find('\n') + 1;
  return output_of(
      {"gnuplot"}, "gnuplot-nox",
      script.substr(0, sizes_end) + "set terminal " + terminal + "\n" + script.substr(sizes_end),
      most);
}

}  // namespace

std::string gnuplot_script(const Chart& chart) {
  const double least_x = least_above_zero(chart, &Point::x);
  const double least_y = least_above_zero(chart, &Point::y);
  std::string data;
  std::size_t points = 0;
  std::string plots =
      chart.diagonal ? fmt::format("x with lines dashtype 2 linecolor {} notitle", kSoft) : "";
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    std::size_t count = 0;
    data += fmt::format("$series{} << END\n", i);
    for (const Point& point : series.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      data +=
          fmt::format("{} {}\n", chart.x.scale == Scale::Log ? std::max(point.x, least_x) : point.x,
                      chart.y.scale == Scale::Log ? std::max(point.y, least_y) : point.y);
      ++count;
    }
    // A series without a point has an undefined one, so that the legend has its name.
    data += count == 0 ? "NaN NaN\nEND\n" : "END\n";
    points += count;
    const std::string style =
        series.style == SeriesStyle::Steps ? "steps"
        : series.style == SeriesStyle::Points
            ? "points"
            : fmt::format("linespoints pointinterval {}", 1 + count / (kMostMarks + 1));
    // Colours that people with any colour vision tell apart; dashes tell apart more than eight.
    plots += fmt::format("{}$series{} with {} linetype {} dashtype {} title {}",
                         plots.empty() ? "" : ", ", i, style, i % 8 + 1, 1 + i / 8 % 5,
                         in_gnuplot(series.name));
  }
  return page(chart.title, kPlotHeight, chart.notes) +
         "set colorsequence podo\nset border 3\nset tics nomirror\nset grid linecolor rgb "
         "'#e1e1e1'\nset key above left maxcols 3\n" +
         axis_text('x', chart.x) + axis_text('y', chart.y) +
         (points == 0 ? kNothing : data + "plot " + plots + "\n");
}

std::string gnuplot_script(const HeatMap& map) {
  const auto ticks = [](char axis, const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_gnuplot(names[i]), i);
    }
    return fmt::format("set {0}tics ({1})\nset {0}range [-0.5:{2}]\n", axis, text,
                       static_cast<double>(std::max<std::size_t>(1, names.size())) - 0.5);
  };
  std::string cells = "$cells << END\n";
  std::string texts;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    for (std::size_t j = 0; j < map.cells[i].size(); ++j) {
      const HeatMap::Cell& cell = map.cells[i][j];
      cells += fmt::format("{} {} {}\n", j, i, std::clamp(cell.share, 0.0, 1.0));
      texts += fmt::format("set label {} at {}, {} center front\n", in_gnuplot(cell.text), j, i);
    }
  }
  return page(map.title, 200 + 22 * static_cast<double>(map.rows.size()), map.notes) +
         "set palette defined (0 '#ffffff', 1 '#56b4e9')\nset cbrange [0:1]\nunset colorbox\n"
         "unset key\nset xtics rotate by 90 right\n" +
         ticks('x', map.columns) + ticks('y', map.rows) + "set yrange reverse\n" +
         fmt::format("set bmargin at screen 0.5\nset x2label {}\nset ylabel {}\n",
                     in_gnuplot(map.columns_title), in_gnuplot(map.rows_title)) +
         (map.cells.empty() ? kNothing
                            : texts + cells + "END\nplot $cells using 1:2:3 with image pixels\n");
}

std::string svg_figure(const std::string& script) {
  const std::string svg =
      drawn("svg noenhanced size width, height font 'Helvetica,12' background '#ffffff'", script);
  return svg.substr(std::min(svg.find("<svg"), svg.size()));
}

std::string pdf_figure(const std::string& script) {
  std::string pdf =
      drawn("pdfcairo noenhanced size width / 100., height / 100. font 'Helvetica,9'", script);
  // The date alone differs from run to run.
  constexpr std::string_view date = "/CreationDate (D:";
  if (const std::size_t at = pdf.find(date); at != std::string::npos) {
    pdf.replace(at + date.size(), 14, "19700101000000");
  }
  return pdf;
}

}  // namespace rnnalf
