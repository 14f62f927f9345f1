#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Figures as values, and as texts that gnuplot draws.
namespace rnnalf {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Scale : std::uint8_t { Linear, Log };

struct Axis {
  std::string title = {};
  Scale scale = Scale::Linear;
  std::optional<double> least = {};  ///< none: of the data, to the next tick
  std::optional<double> most = {};
};

enum class SeriesStyle : std::uint8_t {
  Lines,   ///< from point to point, with marks
  Steps,   ///< a value holds until the next one
  Points,  ///< marks alone
};

struct Series {
  std::string name = {};
  SeriesStyle style = SeriesStyle::Lines;
  std::vector<Point> points = {};  ///< in the units of the axes; not finite ones are left out
};

/// Points over two axes with a legend, and lines of notes below.
struct Chart {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  bool diagonal = false;                ///< a line where both are the same
  std::vector<std::string> notes = {};  ///< where the data came from; wrapped
};

/// A table whose entries are boxes, the darker the larger their share.
struct HeatMap {
  struct Cell {
    double share = 0;       ///< from 0 to 1
    std::string text = {};  ///< in the box
  };

  std::string title = {};
  std::string rows_title = {};
  std::string columns_title = {};
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};      ///< their names are written upwards
  std::vector<std::vector<Cell>> cells = {};  ///< for each row one for each column
  std::vector<std::string> notes = {};        ///< where the data came from; wrapped
};

/// What gnuplot draws the figure from. Every text in it stays text, whatever its characters. On a
/// logarithmic axis, values that are not above 0 stand where the least of the others is.
[[nodiscard]] std::string gnuplot_script(const Chart& chart);
[[nodiscard]] std::string gnuplot_script(const HeatMap& map);

/// The figure as a whole file; the same bytes for the same script. Throws ProgramError.
[[nodiscard]] std::string svg_figure(const std::string& script);
[[nodiscard]] std::string pdf_figure(const std::string& script);

}  // namespace rnnalf
