#include "rnnalf/report/symbol_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

bool is_between(char low, char c, char high) {
  return low <= c && c <= high;
}

/// Whether `next` follows `previous` in 0-9, a-z or A-Z.
bool follows(const std::string& previous, const std::string& next) {
  if (previous.size() != 1 || next.size() != 1) return false;
  const char p = previous[0];
  const char n = next[0];
  const bool same_kind = (is_between('0', p, '9') && is_between('0', n, '9')) ||
                         (is_between('a', p, 'z') && is_between('a', n, 'z')) ||
                         (is_between('A', p, 'Z') && is_between('A', n, 'Z'));
  return same_kind && n - p == 1;
}

/// The symbols with rows of three and more written as first-last.
std::string with_ranges(const Alphabet& alphabet, std::span<const Symbol> symbols,
                        const char* separator) {
  std::string text;
  for (std::size_t i = 0; i < symbols.size();) {
    std::size_t end = i + 1;
    while (end < symbols.size() &&
           follows(alphabet.name(symbols[end - 1]), alphabet.name(symbols[end]))) {
      ++end;
    }
    if (!text.empty()) text += separator;
    text += alphabet.name(symbols[i]);
    if (end - i >= 3) {
      text += "-" + alphabet.name(symbols[end - 1]);
      i = end;
    } else {
      ++i;
    }
  }
  return text;
}

}  // namespace

std::string class_label(const Alphabet& alphabet, std::span<const Symbol> symbols) {
  if (symbols.size() == alphabet.size() && symbols.size() >= 3) return "any";
  std::string listed = with_ranges(alphabet, symbols, " ");
  std::vector<Symbol> others;
  for (std::size_t a = 0; a < alphabet.size(); ++a) {
    const auto symbol = static_cast<Symbol>(a);
    if (!std::binary_search(symbols.begin(), symbols.end(), symbol)) others.push_back(symbol);
  }
  // The complement only where it is the plainer one: few symbols left out of many.
  if (others.size() * 3 > symbols.size()) return listed;
  std::string complement =
      fmt::format("[^{}]", with_ranges(alphabet, others, alphabet.is_compact() ? "" : " "));
  return complement.size() < listed.size() ? complement : listed;
}

std::string short_class_label(const Alphabet& alphabet, std::span<const Symbol> symbols,
                              std::size_t width) {
  // A label of thousands of symbols does not fit, so it is not made first.
  constexpr std::size_t kMostWithPattern = 200;
  if (symbols.size() <= kMostWithPattern || symbols.size() == alphabet.size()) {
    std::string whole = class_label(alphabet, symbols);
    if (display_width(whole) <= width || symbols.size() < 3) return whole;
  }
  const std::string rest = fmt::format("... ({})", symbols.size());
  std::string text = alphabet.name(symbols[0]);
  for (std::size_t i = 1; i < symbols.size(); ++i) {
    const std::string more = text + " " + alphabet.name(symbols[i]);
    if (display_width(more) + 1 + rest.size() > width) break;
    text = more;
  }
  return text + " " + rest;
}

std::vector<std::vector<Symbol>> symbol_classes(const Dfa& dfa) {
  std::map<std::vector<LState>, std::size_t> class_of;  // by the column of next states
  std::vector<std::vector<Symbol>> classes;
  for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
    const auto symbol = static_cast<Symbol>(a);
    std::vector<LState> column;
    for (std::size_t q = 0; q < dfa.size(); ++q) {
      column.push_back(dfa.next(static_cast<LState>(q), symbol));
    }
    const auto [found, is_new] = class_of.emplace(std::move(column), classes.size());
    if (is_new) classes.emplace_back();
    classes[found->second].push_back(symbol);
  }
  return classes;
}

std::vector<MergedTransition> merged_transitions(const Dfa& dfa) {
  std::vector<MergedTransition> merged;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto from = static_cast<LState>(q);
    std::map<LState, std::size_t> edge_to;
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      const LState to = dfa.next(from, symbol);
      const auto [found, is_new] = edge_to.emplace(to, merged.size());
      if (is_new) merged.push_back({from, to, {}});
      merged[found->second].symbols.push_back(symbol);
    }
  }
  return merged;
}

}  // namespace rnnalf
