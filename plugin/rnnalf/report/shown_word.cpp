#include "rnnalf/report/shown_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "rnnalf/report/printable.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLongestPeriod = 16;
constexpr std::size_t kLeastWidth = 12;

/// word[at, at + period) `times` times.
struct Power {
  std::size_t at = 0;
  std::size_t period = 1;
  std::size_t times = 1;
};

/// The repetition that begins at a place and covers most of the word; a shorter period wins ties.
Power best_power(WordView word, std::size_t at) {
  Power best{at, 1, 1};
  for (std::size_t period = 1; period <= kLongestPeriod && at + 2 * period <= word.size();
       ++period) {
    std::size_t end = at + period;
    while (end < word.size() && word[end] == word[end - period]) ++end;
    const std::size_t times = (end - at) / period;
    if (times >= 3 && times * period > best.times * best.period) best = {at, period, times};
  }
  return best;
}

std::vector<Power> powers(WordView word) {
  std::vector<Power> result;
  for (std::size_t at = 0; at < word.size();) {
    result.push_back(best_power(word, at));
    at += result.back().period * result.back().times;
  }
  return result;
}

std::string exponent(std::size_t number, bool utf8) {
  const std::string digits = fmt::format("{}", number);
  if (!utf8) return "^" + digits;
  constexpr std::array<const char*, 10> superscripts = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : digits) text += superscripts[static_cast<std::size_t>(digit - '0')];
  return text;
}

struct Brackets {
  std::string open, close;
};

/// Brackets that are no symbols of the alphabet.
std::optional<Brackets> free_brackets(const Alphabet& alphabet) {
  for (const Brackets& brackets : {Brackets{"(", ")"}, Brackets{"[", "]"}, Brackets{"{", "}"}}) {
    if (!alphabet.find(brackets.open) && !alphabet.find(brackets.close)) return brackets;
  }
  return std::nullopt;
}

std::string with_powers(const Alphabet& alphabet, WordView word, const Brackets& brackets,
                        bool utf8) {
  std::string text;
  bool after_exponent = false;
  for (const auto& [at, period, times] : powers(word)) {
    // In ASCII `(01)^5 0` and `(01)^50` must differ.
    if (!text.empty() && (!alphabet.is_compact() || (after_exponent && !utf8))) text += ' ';
    const std::string once = alphabet.format(word.subspan(at, period));
    text += period > 1 ? brackets.open + once + brackets.close : once;
    if (times > 1) text += exponent(times, utf8);
    after_exponent = times > 1;
  }
  return text;
}

/// The first and last symbols that fit, and the length.
std::string both_ends(const Alphabet& alphabet, WordView word, std::size_t width, bool utf8) {
  const std::string separator = alphabet.is_compact() ? "" : " ";
  const std::string middle = separator + (utf8 ? "…" : "...") + separator;
  const std::string length = fmt::format(" [{}]", word.size());
  const std::size_t fixed = display_width(middle) + length.size();
  const std::size_t room = width > fixed ? width - fixed : 0;
  std::string head;
  std::string tail;
  for (std::size_t i = 0; 2 * i + 1 < word.size(); ++i) {
    const std::string first = printable(alphabet.name(word[i]), utf8);
    const std::string last = printable(alphabet.name(word[word.size() - 1 - i]), utf8);
    const std::string longer_head = head + (i > 0 ? separator : "") + first;
    const std::string longer_tail = last + (i > 0 ? separator : "") + tail;
    if (display_width(longer_head) + display_width(tail) > room) break;
    head = longer_head;
    if (display_width(head) + display_width(longer_tail) > room) break;
    tail = longer_tail;
  }
  return head + middle + tail + length;
}

}  // namespace

std::string shown_word(const Alphabet& alphabet, WordView word, std::size_t width, bool utf8) {
  width = std::max(width, kLeastWidth);
  if (word.empty()) return utf8 && !alphabet.find("ε") ? "ε" : "\"\"";
  // A long word does not fit, so it is not written out first.
  if (word.size() <= width) {
    std::string text = printable(alphabet.format(word), utf8);
    if (display_width(text) <= width) return text;
  }
  if (const auto brackets = free_brackets(alphabet)) {
    std::string text = printable(with_powers(alphabet, word, *brackets, utf8), utf8);
    if (display_width(text) <= width) return text;
  }
  return both_ends(alphabet, word, width, utf8);
}

}  // namespace rnnalf
