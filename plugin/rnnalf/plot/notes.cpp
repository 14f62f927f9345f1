#include "rnnalf/plot/notes.hpp"

#include <algorithm>

namespace rnnalf {
namespace {

constexpr double kSize = 6.5;
constexpr double kLine = kSize + 2;
constexpr double kMargin = 8;
constexpr Colour kSoft{120, 120, 120};

/// The text in lines that fit.
std::vector<std::string> wrapped_to(const std::string& text, double width) {
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (text_room(longer, kSize) <= width || lines.back().empty()) {
      lines.back() = longer;
    } else {
      lines.push_back(word);
    }
    begin = end + 1;
  }
  return lines;
}

}  // namespace

Drawing white_paper(double width, const std::string& title) {
  Drawing drawing;
  drawing.width = width;
  drawing.title = title;
  drawing.items.emplace_back(DrawnBox{{0, 0}, width, 0, {255, 255, 255}});
  return drawing;
}

void finish_with_notes(Drawing& drawing, double top, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    drawing.description += (drawing.description.empty() ? "" : " ") + note;
    for (std::string& line : wrapped_to(note, drawing.width - 2 * kMargin)) {
      drawing.items.emplace_back(
          DrawnText{{kMargin, top}, std::move(line), kSize, Anchor::Start, kSoft, false, false});
      top += kLine;
    }
  }
  drawing.height = top + 4;
  std::get<DrawnBox>(drawing.items.front()).height = drawing.height;
}

}  // namespace rnnalf
