#include "rnnalf/base/word.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rnnalf {

bool shortlex_less(WordView a, WordView b) noexcept {
  if (a.size() != b.size()) return a.size() < b.size();
  const std::size_t same = common_prefix(a, b);
  return same < a.size() && a[same] < b[same];
}

std::size_t common_prefix(WordView a, WordView b) noexcept {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t at = 0;
  // Some symbols at a time, as long as they are the same.
  constexpr std::size_t kBlock = 8;
  while (at + kBlock <= size &&
         std::memcmp(a.data() + at, b.data() + at, kBlock * sizeof(Symbol)) == 0) {
    at += kBlock;
  }
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

std::vector<std::uint32_t> lexicographic_order(std::span<const Word> words) {
  std::size_t largest = 0;
  for (const Word& word : words) {
    for (const Symbol symbol : word) largest = std::max(largest, index(symbol));
  }
  // The first symbols of a word in one number, 0 where it has ended: most comparisons are of two
  // such numbers.
  const auto bits = static_cast<std::size_t>(std::bit_width(largest + 1));
  const std::size_t fit = 64 / bits;
  struct Key {
    std::uint64_t begin;
    std::uint32_t word;
  };
  std::vector<Key> keys(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t begin = 0;
    for (std::size_t k = 0; k < fit; ++k) {
      begin = (begin << bits) | (k < words[i].size() ? index(words[i][k]) + 1 : 0);
    }
    keys[i] = {begin, static_cast<std::uint32_t>(i)};
  }
  const auto before = [&](const Key& a, const Key& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    const Word& left = words[a.word];
    const Word& right = words[b.word];
    const std::size_t same = common_prefix(left, right);
    if (same < left.size() && same < right.size()) return left[same] < right[same];
    return left.size() != right.size() ? left.size() < right.size() : a.word < b.word;
  };
  // All words of a length come in order.
  if (!std::is_sorted(keys.begin(), keys.end(), before))
    std::sort(keys.begin(), keys.end(), before);
  std::vector<std::uint32_t> order(words.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.word; });
  return order;
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
