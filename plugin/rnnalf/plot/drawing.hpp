#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

// A picture as a value: lines, marks and texts. Written as SVG and as PDF from the same list, so
// that both show the same.
namespace rnnalf {

/// In points (1/72 inch), from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// A line through these points.
struct DrawnLine {
  std::vector<Point> points = {};
  double width = 1;
  Colour colour = {};
  std::vector<double> dashes = {};  ///< lengths of dash, gap, ...; none: not dashed
};

enum class MarkShape : std::uint8_t { Circle, Square, Diamond, Triangle, Cross, Plus };

struct DrawnMark {
  Point at = {};
  MarkShape shape = MarkShape::Circle;
  double size = 5;  ///< from side to side
  Colour colour = {};
};

enum class Anchor : std::uint8_t { Start, Middle, End };

/// A line of text; `at` is on its baseline.
struct DrawnText {
  Point at = {};
  std::string text = {};  ///< UTF-8; PDF shows Latin-1 of it, and ? for the rest
  double size = 9;
  Anchor anchor = Anchor::Start;
  Colour colour = {};
  bool upwards = false;  ///< turned by 90 degrees, read from below
  bool bold = false;
};

/// A filled rectangle.
struct DrawnBox {
  Point corner = {};  ///< the upper left one
  double width = 0;
  double height = 0;
  Colour colour = {255, 255, 255};
};

using DrawnItem = std::variant<DrawnBox, DrawnLine, DrawnMark, DrawnText>;

/// Items are drawn in order, later ones over earlier ones.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string title = {};        ///< for readers that show it: what the picture is
  std::string description = {};  ///< where it came from
  std::vector<DrawnItem> items = {};
};

/// A whole file; no script, no style sheet, nothing from outside.
[[nodiscard]] std::string svg_text(const Drawing& drawing);
/// One page in vectors, with Helvetica, which every reader of PDF has.
[[nodiscard]] std::string pdf_text(const Drawing& drawing);

/// How wide a text is in Helvetica.
[[nodiscard]] double text_width(const std::string& text, double size, bool bold = false);
/// The room to leave for it: readers of SVG without Helvetica take a wider font (DejaVu: by 15 %).
[[nodiscard]] inline double text_room(const std::string& text, double size) {
  return 1.16 * text_width(text, size);
}

}  // namespace rnnalf
