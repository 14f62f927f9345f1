#pragma once

#include <cstddef>
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
