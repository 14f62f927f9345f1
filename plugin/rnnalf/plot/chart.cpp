#include "rnnalf/plot/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rnnalf/plot/notes.hpp"

namespace rnnalf {
namespace {

constexpr double kWidth = 460;
constexpr double kLeft = 52;
constexpr double kRight = 12;
constexpr double kPlotHeight = 220;
constexpr double kLegendSize = 8;
constexpr std::size_t kMostMarks = 20;
constexpr Colour kInk{40, 40, 40};
constexpr Colour kSoft{120, 120, 120};
constexpr Colour kGrid{225, 225, 225};

// Colours that people with any colour vision tell apart (Okabe and Ito), without yellow, which is
// too pale for lines. Marks and dashes tell apart more than there are colours.
constexpr std::array<Colour, 7> kColours = {
    Colour{0, 114, 178},  Colour{213, 94, 0},  Colour{0, 158, 115}, Colour{204, 121, 167},
    Colour{86, 180, 233}, Colour{230, 159, 0}, Colour{0, 0, 0}};
constexpr std::array<MarkShape, 6> kShapes = {MarkShape::Circle,   MarkShape::Square,
                                              MarkShape::Triangle, MarkShape::Diamond,
                                              MarkShape::Cross,    MarkShape::Plus};

Colour colour_of(std::size_t series) {
  return kColours[series % kColours.size()];
}

MarkShape shape_of(std::size_t series) {
  return kShapes[series % kShapes.size()];
}

std::vector<double> dashes_of(std::size_t series) {
  constexpr std::size_t colours = kColours.size();
  if (series < colours) return {};
  if (series < 2 * colours) return {5, 2};
  return series < 3 * colours ? std::vector<double>{1.5, 2} : std::vector<double>{6, 2, 1.5, 2};
}

/// From the units of an axis to the picture.
struct Mapping {
  Scale scale;
  double least, most;
  double from, to;  // in the picture

  [[nodiscard]] double operator()(double value) const {
    double share = 0;
    if (scale == Scale::Log) {
      const double held = std::max(value, least);
      share = std::log(held / least) / std::log(most / least);
    } else {
      share = (value - least) / (most - least);
    }
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
  }
};

/// Least and greatest of a coordinate; with a logarithmic scale of what is above 0.
std::pair<double, double> range_of(const Chart& chart, double Point::*coordinate, Scale scale) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      const double value = point.*coordinate;
      if (!std::isfinite(value) || (scale == Scale::Log && value <= 0)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  if (least > most) return {scale == Scale::Log ? 1 : 0, scale == Scale::Log ? 10 : 1};
  return {least, most};
}

Ticks log_ticks(double least, double most) {
  Ticks ticks;
  const double first = std::floor(std::log10(least) + 1e-9);
  const double last = std::max(first + 1, std::ceil(std::log10(most) - 1e-9));
  const double step = std::ceil((last - first) / 8);
  ticks.least = std::pow(10, first);
  ticks.most = std::pow(10, last);
  for (double power = first; power <= last + 1e-9; power += step) {
    ticks.at.push_back(std::pow(10, power));
    // A short axis needs more than its powers of ten.
    if (last - first > 2.5 || power + 1 > last) continue;
    ticks.at.push_back(2 * std::pow(10, power));
    ticks.at.push_back(5 * std::pow(10, power));
  }
  return ticks;
}

Ticks linear_ticks(double least, double most) {
  if (most - least < 1e-9 * std::max(1.0, std::abs(most))) {
    least -= 0.5;
    most += 0.5;
  }
  const double rough = (most - least) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  Ticks ticks;
  const double first = std::floor(least / step + 1e-9);
  const double last = std::max(first + 1, std::ceil(most / step - 1e-9));
  ticks.least = first * step;
  ticks.most = last * step;
  for (double i = first; i <= last + 1e-9; ++i) ticks.at.push_back(i * step);
  return ticks;
}

class Picture {
 public:
  explicit Picture(const Chart& chart) : chart_(chart), drawing_(white_paper(kWidth, chart.title)) {
    place_legend();
    top_ = 26 + static_cast<double>(legend_rows_) * 12;
    bottom_ = top_ + kPlotHeight;
  }

  Drawing draw() {
    text({kWidth / 2, 14}, chart_.title, {.size = 10, .anchor = Anchor::Middle, .bold = true});
    const auto [x_least, x_most] = range_of(chart_, &Point::x, chart_.x.scale);
    const auto [y_least, y_most] = range_of(chart_, &Point::y, chart_.y.scale);
    const Ticks x_ticks = ticks_for(chart_.x, x_least, x_most);
    const Ticks y_ticks = ticks_for(chart_.y, y_least, y_most);
    const Mapping x{chart_.x.scale, x_ticks.least, x_ticks.most, kLeft, kWidth - kRight};
    const Mapping y{chart_.y.scale, y_ticks.least, y_ticks.most, bottom_, top_};
    axes(x, x_ticks, y, y_ticks);
    if (chart_.diagonal) {
      const double from = std::max(x.least, y.least);
      const double to = std::min(x.most, y.most);
      line({{x(from), y(from)}, {x(to), y(to)}}, kSoft, 0.7, {3, 3});
    }
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(i, x, y);
    legend();
    finish_with_notes(drawing_, bottom_ + 40, chart_.notes);
    return std::move(drawing_);
  }

 private:
  struct TextLook {
    double size = 8;
    Anchor anchor = Anchor::Start;
    Colour colour = kInk;
    bool upwards = false;
    bool bold = false;
  };

  void text(Point at, std::string text, const TextLook& look) {
    drawing_.items.emplace_back(DrawnText{at, std::move(text), look.size, look.anchor, look.colour,
                                          look.upwards, look.bold});
  }

  void line(std::vector<Point> points, Colour colour, double width,
            std::vector<double> dashes = {}) {
    drawing_.items.emplace_back(DrawnLine{std::move(points), width, colour, std::move(dashes)});
  }

  void axes(const Mapping& x, const Ticks& x_ticks, const Mapping& y, const Ticks& y_ticks) {
    for (const double tick : x_ticks.at) {
      line({{x(tick), top_}, {x(tick), bottom_}}, kGrid, 0.6);
      text({x(tick), bottom_ + 11}, tick_text(tick), {.anchor = Anchor::Middle});
    }
    for (const double tick : y_ticks.at) {
      line({{kLeft, y(tick)}, {kWidth - kRight, y(tick)}}, kGrid, 0.6);
      text({kLeft - 4, y(tick) + 2.8}, tick_text(tick), {.anchor = Anchor::End});
    }
    line({{kLeft, top_}, {kLeft, bottom_}, {kWidth - kRight, bottom_}}, kInk, 0.8);
    text({(kLeft + kWidth - kRight) / 2, bottom_ + 25}, chart_.x.title,
         {.size = 9, .anchor = Anchor::Middle});
    text({14, (top_ + bottom_) / 2}, chart_.y.title,
         {.size = 9, .anchor = Anchor::Middle, .upwards = true});
  }

  void series(std::size_t number, const Mapping& x, const Mapping& y) {
    const Series& series = chart_.series[number];
    std::vector<Point> placed;
    for (const Point& point : series.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      const Point at{x(point.x), y(point.y)};
      if (series.style == SeriesStyle::Steps && !placed.empty()) {
        placed.push_back({at.x, placed.back().y});
      }
      placed.push_back(at);
    }
    if (series.style != SeriesStyle::Points) {
      line(placed, colour_of(number), 1.3, dashes_of(number));
    }
    if (series.style == SeriesStyle::Steps) return;
    // On a line of many points a mark at some of them, the last one included, tells it apart.
    const std::size_t every =
        series.style == SeriesStyle::Lines ? 1 + placed.size() / (kMostMarks + 1) : 1;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      if ((placed.size() - 1 - i) % every != 0) continue;
      drawing_.items.emplace_back(DrawnMark{placed[i], shape_of(number), 4.5, colour_of(number)});
    }
  }

  /// Names from left to right, in as many rows as they need.
  void place_legend() {
    double left = kLeft;
    legend_rows_ = 0;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const std::string& name = chart_.series[i].name;
      if (name.empty()) continue;
      const double width = 24 + text_room(name, kLegendSize) + 10;
      if (legend_rows_ == 0 || left + width > kWidth - kRight) {
        ++legend_rows_;
        left = kLeft;
      }
      legend_.push_back({i, {left, 14 + 12 * static_cast<double>(legend_rows_)}});
      left += width;
    }
  }

  void legend() {
    for (const auto& [number, at] : legend_) {
      const Series& series = chart_.series[number];
      if (series.style != SeriesStyle::Points) {
        line({{at.x, at.y - 3}, {at.x + 18, at.y - 3}}, colour_of(number), 1.3, dashes_of(number));
      }
      if (series.style != SeriesStyle::Steps) {
        drawing_.items.emplace_back(
            DrawnMark{{at.x + 9, at.y - 3}, shape_of(number), 4.5, colour_of(number)});
      }
      text({at.x + 22, at.y}, series.name, {.size = kLegendSize});
    }
  }

  const Chart& chart_;
  Drawing drawing_;
  std::vector<std::pair<std::size_t, Point>> legend_;
  std::size_t legend_rows_ = 0;
  double top_ = 0;
  double bottom_ = 0;
};

}  // namespace

Ticks ticks_for(const Axis& axis, double least, double most) {
  least = axis.least.value_or(least);
  most = std::max(least, axis.most.value_or(most));
  return axis.scale == Scale::Log ? log_ticks(least, most) : linear_ticks(least, most);
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:g}k", value / 1e3);
  if (size < 1e-9) return "0";
  return fmt::format("{:.6g}", value);
}

Drawing draw(const Chart& chart) {
  return Picture(chart).draw();
}

}  // namespace rnnalf
