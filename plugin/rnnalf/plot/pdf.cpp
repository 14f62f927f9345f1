#include <fmt/format.h>

#include <array>

#include "rnnalf/base/text.hpp"
#include "rnnalf/plot/drawing.hpp"
#include "rnnalf/plot/outline.hpp"

namespace rnnalf {
namespace {

// Widths of the characters 32 to 126 in thousandths of the size, from the font's metrics.
constexpr std::array<int, 95> kHelvetica = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<int, 95> kHelveticaBold = {
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};
constexpr int kOther = 556;

/// Latin-1 of a text, which is what the fonts have; ? for all else.
std::string latin_1(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool known = character.bytes > 0 && character.code_point < 0x100 &&
                       (character.code_point < 0x7f || character.code_point >= 0xa0) &&
                       character.code_point >= 0x20;
    result += known ? static_cast<char>(character.code_point) : '?';
    text.remove_prefix(std::max<std::size_t>(1, character.bytes));
  }
  return result;
}

/// A string object.
std::string pdf_string(const std::string& text) {
  std::string result = "(";
  for (const char c : latin_1(text)) {
    if (c == '(' || c == ')' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x80) {
      result += c;
    } else {
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return result + ")";
}

/// The operators that draw the items. PDF counts from below.
class Content {
 public:
  explicit Content(double height) : height_(height) {}

  void draw(const DrawnBox& box) {
    fill(box.colour);
    text_ += fmt::format("{:.2f} {:.2f} {:.2f} {:.2f} re f\n", box.corner.x,
                         height_ - box.corner.y - box.height, box.width, box.height);
  }

  void draw(const DrawnLine& line) {
    if (line.points.size() < 2) return;
    std::string dashes;
    for (const double length : line.dashes) dashes += fmt::format("{:.2f} ", length);
    stroke(line.colour, line.width);
    text_ += fmt::format("[{}] 0 d 1 j\n", dashes);
    path(line.points);
    text_ += "S\n";
  }

  void draw(const DrawnMark& mark) {
    if (mark.shape == MarkShape::Circle) {
      circle(mark);
      return;
    }
    const Outline outline = outline_of(mark);
    if (outline.filled) {
      fill(mark.colour);
    } else {
      stroke(mark.colour, 1.2);
      text_ += "[] 0 d\n";
    }
    for (const std::vector<Point>& part : outline.parts) {
      path(part);
      text_ += outline.filled ? "f\n" : "S\n";
    }
  }

  void draw(const DrawnText& text) {
    const double share = text.anchor == Anchor::Start ? 0 : text.anchor == Anchor::Middle ? 0.5 : 1;
    const double back = share * text_width(text.text, text.size, text.bold);
    const double x = text.at.x - (text.upwards ? 0 : back);
    const double y = height_ - text.at.y - (text.upwards ? back : 0);
    fill(text.colour);
    text_ +=
        fmt::format("BT /{} {:.2f} Tf {} {:.2f} {:.2f} Tm {} Tj ET\n", text.bold ? "F2" : "F1",
                    text.size, text.upwards ? "0 1 -1 0" : "1 0 0 1", x, y, pdf_string(text.text));
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void fill(const Colour& colour) { text_ += numbers(colour) + " rg\n"; }
  void stroke(const Colour& colour, double width) {
    text_ += fmt::format("{} RG {:.2f} w\n", numbers(colour), width);
  }
  static std::string numbers(const Colour& colour) {
    return fmt::format("{:.3f} {:.3f} {:.3f}", colour.red / 255.0, colour.green / 255.0,
                       colour.blue / 255.0);
  }

  void path(const std::vector<Point>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      text_ +=
          fmt::format("{:.2f} {:.2f} {}\n", points[i].x, height_ - points[i].y, i == 0 ? "m" : "l");
    }
  }

  /// Four curves of Bézier, as usual.
  void circle(const DrawnMark& mark) {
    const double r = mark.size / 2;
    const double k = 0.5523 * r;
    const double x = mark.at.x;
    const double y = height_ - mark.at.y;
    fill(mark.colour);
    text_ += fmt::format("{:.2f} {:.2f} m\n", x + r, y);
    const auto curve = [&](double ax, double ay, double bx, double by, double cx, double cy) {
      text_ += fmt::format("{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f} c\n", x + ax, y + ay, x + bx,
                           y + by, x + cx, y + cy);
    };
    curve(r, k, k, r, 0, r);
    curve(-k, r, -r, k, -r, 0);
    curve(-r, -k, -k, -r, 0, -r);
    curve(k, -r, r, -k, r, 0);
    text_ += "f\n";
  }

  double height_;
  std::string text_;
};

}  // namespace

double text_width(const std::string& text, double size, bool bold) {
  int sum = 0;
  for (const char c : latin_1(text)) {
    const auto code = static_cast<unsigned char>(c);
    const bool known = code >= 32 && code < 127;
    sum += known ? (bold ? kHelveticaBold : kHelvetica)[code - 32U] : kOther;
  }
  return sum * size / 1000;
}

std::string pdf_text(const Drawing& drawing) {
  Content content(drawing.height);
  for (const DrawnItem& item : drawing.items) {
    std::visit([&](const auto& one) { content.draw(one); }, item);
  }
  const auto font = [](const char* name) {
    return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>",
                       name);
  };
  const std::array<std::string, 7> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.2f} {:.2f}] /Contents 4 0 R "
                  "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
                  drawing.width, drawing.height),
      fmt::format("<< /Length {} >>\nstream\n{}endstream", content.text().size(), content.text()),
      font("Helvetica"),
      font("Helvetica-Bold"),
      fmt::format("<< /Title {} /Subject {} /Producer (rnnalf) >>", pdf_string(drawing.title),
                  pdf_string(drawing.description))};
  std::string text = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  std::string offsets;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    offsets += fmt::format("{:010} 00000 n \n", text.size());
    text += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const std::size_t table = text.size();
  text += fmt::format(
      "xref\n0 {0}\n0000000000 65535 f \n{1}trailer\n<< /Size {0} /Root 1 0 R /Info 7 0 R "
      ">>\nstartxref\n{2}\n%%EOF\n",
      objects.size() + 1, offsets, table);
  return text;
}

}  // namespace rnnalf
