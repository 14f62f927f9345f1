#include "rnnalf/base/power_text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace rnnalf {
namespace {

struct Marks {
  std::string_view open, close;
};
constexpr std::array kBrackets = {Marks{"(", ")"}, Marks{"[", "]"}, Marks{"{", "}"},
                                  Marks{"<", ">"}, Marks{"((", "))"}};
constexpr std::array<std::string_view, 3> kPowers = {"^", "**", "^^"};

bool is_used(const Alphabet& alphabet, std::string_view mark) {
  if (alphabet.is_compact()) return alphabet.find(mark).has_value();
  return std::any_of(alphabet.names().begin(), alphabet.names().end(),
                     [&](const std::string& name) { return name.find(mark) != name.npos; });
}

}  // namespace

std::string power_text(const Alphabet& alphabet, WordView once, std::string_view exponent) {
  // The last of each is taken where all occur: nobody has an alphabet of brackets alone.
  const auto power = std::find_if(kPowers.begin(), kPowers.end() - 1,
                                  [&](auto mark) { return !is_used(alphabet, mark); });
  std::string text = alphabet.format(once);
  if (once.size() != 1) {
    const auto brackets =
        std::find_if(kBrackets.begin(), kBrackets.end() - 1, [&](const Marks& marks) {
          return !is_used(alphabet, marks.open) && !is_used(alphabet, marks.close);
        });
    text = std::string(brackets->open) + text + std::string(brackets->close);
  }
  return text.append(*power).append(exponent);
}

std::string pumped_text(const Alphabet& alphabet, WordView prefix, WordView loop,
                        std::string_view exponent, WordView suffix) {
  std::string text;
  for (const std::string& part :
       {alphabet.format(prefix), power_text(alphabet, loop, exponent), alphabet.format(suffix)}) {
    if (!text.empty() && !part.empty()) text += ' ';
    text += part;
  }
  return text;
}

}  // namespace rnnalf
