#include "rnnalf/report/shown_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rnnalf/base/power_text.hpp"
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

std::string with_powers(const Alphabet& alphabet, WordView word) {
  std::string text;
  Word once;  // symbols that are not repeated, since the last power
  const auto end_part = [&](const std::string& part) {
    if (!text.empty() && !part.empty()) text += ' ';
    text += part;
  };
  for (const auto& [at, period, times] : powers(word)) {
    if (times == 1) {
      once.push_back(word[at]);
      continue;
    }
    end_part(alphabet.format(once));
    once.clear();
    end_part(power_text(alphabet, word.subspan(at, period), fmt::format("{}", times)));
  }
  end_part(alphabet.format(once));
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
  std::string text = printable(with_powers(alphabet, word), utf8);
  if (display_width(text) <= width) return text;
  return both_ends(alphabet, word, width, utf8);
}

std::string family_pattern(const Alphabet& alphabet, const Family& family) {
  const auto pumped = [&](const std::string& exponent) {
    return pumped_text(alphabet, family.prefix, family.loop, exponent, family.suffix);
  };
  if (family.to == family.from) return pumped(fmt::format("{}", family.from));
  return family.to ? fmt::format("{}, {} <= k <= {}", pumped("k"), family.from, *family.to)
                   : fmt::format("{}, k >= {}", pumped("k"), family.from);
}

}  // namespace rnnalf
