#pragma once

#include <vector>

#include "rnnalf/plot/drawing.hpp"

namespace rnnalf {

/// A mark as polygons (filled) or lines; a circle is neither and has no parts.
struct Outline {
  bool filled = true;
  std::vector<std::vector<Point>> parts = {};
};

[[nodiscard]] inline Outline outline_of(const DrawnMark& mark) {
  const double r = mark.size / 2;
  const auto at = [&](double x, double y) { return Point{mark.at.x + x * r, mark.at.y + y * r}; };
  switch (mark.shape) {
    case MarkShape::Circle:
      return {};
    case MarkShape::Square:
      return {true, {{at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9)}}};
    case MarkShape::Diamond:
      return {true, {{at(0, -1.2), at(1.2, 0), at(0, 1.2), at(-1.2, 0)}}};
    case MarkShape::Triangle:
      return {true, {{at(0, -1.1), at(1.1, 0.9), at(-1.1, 0.9)}}};
    case MarkShape::Cross:
      return {false, {{at(-0.9, -0.9), at(0.9, 0.9)}, {at(-0.9, 0.9), at(0.9, -0.9)}}};
    case MarkShape::Plus:
      return {false, {{at(-1, 0), at(1, 0)}, {at(0, -1), at(0, 1)}}};
  }
  return {};
}

}  // namespace rnnalf
