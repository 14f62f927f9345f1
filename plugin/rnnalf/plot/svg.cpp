#include <fmt/format.h>

#include "rnnalf/base/markup.hpp"
#include "rnnalf/plot/drawing.hpp"
#include "rnnalf/plot/outline.hpp"

namespace rnnalf {
namespace {

std::string colour_text(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text += fmt::format("{}{:.2f},{:.2f}", text.empty() ? "" : " ", point.x, point.y);
  }
  return text;
}

std::string element(const DrawnBox& box) {
  return fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)",
                     box.corner.x, box.corner.y, box.width, box.height, colour_text(box.colour));
}

std::string element(const DrawnLine& line) {
  std::string dashes;
  for (const double length : line.dashes) {
    dashes += fmt::format("{}{:.2f}", dashes.empty() ? "" : " ", length);
  }
  if (!dashes.empty()) dashes = fmt::format(R"( stroke-dasharray="{}")", dashes);
  return fmt::format(
      R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="{:.2f}" stroke-linejoin="round"{}/>)",
      points_text(line.points), colour_text(line.colour), line.width, dashes);
}

std::string element(const DrawnMark& mark) {
  const std::string colour = colour_text(mark.colour);
  if (mark.shape == MarkShape::Circle) {
    return fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="{}"/>)", mark.at.x,
                       mark.at.y, mark.size / 2, colour);
  }
  std::string result;
  const Outline outline = outline_of(mark);
  for (const std::vector<Point>& part : outline.parts) {
    result +=
        outline.filled
            ? fmt::format(R"(<polygon points="{}" fill="{}"/>)", points_text(part), colour)
            : fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.2"/>)",
                          points_text(part), colour);
  }
  return result;
}

std::string element(const DrawnText& text) {
  constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
  const std::string turned =
      text.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", text.at.x, text.at.y)
                   : "";
  // Places were computed for Helvetica; where a reader has a wider font, texts keep their width.
  const std::string width =
      text.text.empty() ? ""
                        : fmt::format(R"( textLength="{:.2f}" lengthAdjust="spacingAndGlyphs")",
                                      text_width(text.text, text.size, text.bold));
  return fmt::format(
      R"(<text x="{:.2f}" y="{:.2f}" font-size="{:.2f}" text-anchor="{}" fill="{}"{}{}{}>{}</text>)",
      text.at.x, text.at.y, text.size, anchors[static_cast<std::size_t>(text.anchor)],
      colour_text(text.colour), text.bold ? R"( font-weight="bold")" : "", turned, width,
      escaped_markup(text.text));
}

}  // namespace

std::string svg_text(const Drawing& drawing) {
  std::string text = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}pt" height="{1:.0f}pt" viewBox="0 0 {0:.0f} {1:.0f}" role="img" font-family="Helvetica, Arial, sans-serif">)"
      "\n<title>{2}</title>\n<desc>{3}</desc>\n",
      drawing.width, drawing.height, escaped_markup(drawing.title),
      escaped_markup(drawing.description));
  for (const DrawnItem& item : drawing.items) {
    text += std::visit([](const auto& one) { return element(one); }, item) + "\n";
  }
  return text + "</svg>\n";
}

}  // namespace rnnalf
