#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rnnalf/base/ids.hpp"

namespace rnnalf {

/// A finite sequence of symbols. The empty word is the empty vector.
using Word = std::vector<Symbol>;
using WordView = std::span<const Symbol>;

/// Shortlex order: shorter first, then by symbol index.
[[nodiscard]] bool shortlex_less(WordView a, WordView b) noexcept;

/// How many symbols two words have in common before they differ or one ends.
[[nodiscard]] std::size_t common_prefix(WordView a, WordView b) noexcept;

/// Positions of words in lexicographic order, so that words with a common prefix stand together;
/// equal words in the order given.
[[nodiscard]] std::vector<std::uint32_t> lexicographic_order(std::span<const Word> words);

struct ShortlexLess {
  bool operator()(const Word& a, const Word& b) const noexcept { return shortlex_less(a, b); }
};

struct WordHash {
  std::size_t operator()(const Word& word) const noexcept;
};

[[nodiscard]] Word concat(WordView a, WordView b);

/// Makes the word the next one of its length, over symbols 0 .. symbols-1; false after the last,
/// and the word is the first one again.
[[nodiscard]] bool next_word(Word& word, std::size_t symbols) noexcept;

}  // namespace rnnalf
