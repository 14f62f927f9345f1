#include "rnnalf/plot/heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "rnnalf/plot/notes.hpp"

namespace rnnalf {
namespace {

constexpr double kWidth = 460;
constexpr double kRight = 12;
constexpr double kTop = 36;
constexpr double kSize = 8;
constexpr double kTitleSize = 9;
constexpr double kCellHeight = 15;
constexpr double kWidestCell = 40;
constexpr double kGap = 5;
constexpr Colour kInk{40, 40, 40};
constexpr Colour kPale{244, 246, 248};
constexpr Colour kDark{0, 92, 150};

double widest(const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, text_room(text, kSize));
  return width;
}

Colour between(double share) {
  const auto mixed = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + share * (to - from)));
  };
  return {mixed(kPale.red, kDark.red), mixed(kPale.green, kDark.green),
          mixed(kPale.blue, kDark.blue)};
}

}  // namespace

Drawing draw(const HeatMap& map) {
  Drawing drawing = white_paper(kWidth, map.title);
  const auto text = [&](Point at, const std::string& what, Anchor anchor, Colour colour = kInk,
                        double size = kSize) {
    drawing.items.emplace_back(DrawnText{at, what, size, anchor, colour, false, false});
  };
  const double left = std::max(widest(map.rows), text_room(map.rows_title, kTitleSize)) + 16;
  const double top = kTop + widest(map.columns) + kGap;
  const double cell_width =
      std::min(kWidestCell, (kWidth - kRight - left) /
                                static_cast<double>(std::max<std::size_t>(1, map.columns.size())));
  drawing.items.emplace_back(
      DrawnText{{kWidth / 2, 14}, map.title, 10, Anchor::Middle, kInk, false, true});
  text({left, 27}, map.columns_title, Anchor::Start, kInk, kTitleSize);
  text({8, top - kGap}, map.rows_title, Anchor::Start, kInk, kTitleSize);
  for (std::size_t j = 0; j < map.columns.size(); ++j) {
    const double middle = left + (static_cast<double>(j) + 0.5) * cell_width;
    drawing.items.emplace_back(DrawnText{
        {middle + 3, top - kGap}, map.columns[j], kSize, Anchor::Start, kInk, true, false});
  }
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const double above = top + static_cast<double>(i) * kCellHeight;
    const double baseline = above + kCellHeight / 2 + 2.8;
    text({left - 6, baseline}, map.rows[i], Anchor::End);
    for (std::size_t j = 0; j < map.columns.size(); ++j) {
      const HeatMap::Cell& cell = map.cells[i][j];
      const double share = std::clamp(cell.share, 0.0, 1.0);
      const double from = left + static_cast<double>(j) * cell_width;
      drawing.items.emplace_back(
          DrawnBox{{from, above}, cell_width - 1, kCellHeight - 1, between(share)});
      text({from + (cell_width - 1) / 2, baseline}, cell.text, Anchor::Middle,
           share > 0.5 ? Colour{255, 255, 255} : kInk);
    }
  }
  const double bottom = top + static_cast<double>(map.rows.size()) * kCellHeight;
  finish_with_notes(drawing, bottom + 16, map.notes);
  return drawing;
}

}  // namespace rnnalf
