#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rnnalf/plot/drawing.hpp"

namespace rnnalf {

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
  std::string name = {};  ///< in the legend; empty: not there
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

/// On a logarithmic axis values that are not above 0 stand at its beginning.
[[nodiscard]] Drawing draw(const Chart& chart);

/// Where an axis is marked, and how far it goes.
struct Ticks {
  std::vector<double> at = {};
  double least = 0;
  double most = 1;
};

/// Multiples of 1, 2 or 5 times a power of ten, or powers of ten: at least two, few enough to read.
[[nodiscard]] Ticks ticks_for(const Axis& axis, double least, double most);

/// A number beside a tick: 1000, 0.25, 2k, 3M.
[[nodiscard]] std::string tick_text(double value);

}  // namespace rnnalf
