#include "rnnalf/base/word.hpp"

#include <algorithm>

namespace rnnalf {

bool shortlex_less(WordView a, WordView b) noexcept {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

std::size_t WordHash::operator()(const Word& word) const noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15U ^ word.size();
  for (const Symbol symbol : word) {
    hash ^= index(symbol) + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
    hash *= 0xff51afd7ed558ccdU;
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

Word concat(WordView a, WordView b) {
  Word word;
  word.reserve(a.size() + b.size());
  word.insert(word.end(), a.begin(), a.end());
  word.insert(word.end(), b.begin(), b.end());
  return word;
}

bool next_word(Word& word, std::size_t symbols) noexcept {
  for (std::size_t at = word.size(); at-- > 0;) {
    const std::size_t next = index(word[at]) + 1;
    if (next < symbols) {
      word[at] = static_cast<Symbol>(next);
      return true;
    }
    word[at] = Symbol{0};
  }
  return false;
}

}  // namespace rnnalf
