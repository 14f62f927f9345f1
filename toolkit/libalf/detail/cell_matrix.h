#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace libalf::detail {

inline std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The cells of an observation table, packed: one bit for a bool answer, 32 bits (a number given to
/// each distinct answer) for all others. Every cell starts as 0: false, or the first answer ever
/// set.
template <class answer>
class cell_matrix {
 public:
  using word = std::uint64_t;
  static constexpr std::size_t bits = std::is_same_v<answer, bool> ? 1 : 32;
  static constexpr std::size_t cells_per_word = 64 / bits;

  std::size_t words() const { return words_for(columns_); }
  const word* row(std::size_t r) const { return data_.data() + r * stride_; }

  void resize(std::size_t rows, std::size_t columns) {
    columns_ = columns;
    if (words_for(columns) > stride_) {
      const std::size_t wider = std::max(words_for(columns), 2 * stride_);
      std::vector<word> moved(std::max(rows, rows_) * wider);
      for (std::size_t r = 0; r < rows_; ++r) {
        std::copy(row(r), row(r) + stride_, moved.begin() + static_cast<std::ptrdiff_t>(r * wider));
      }
      data_.swap(moved);
      stride_ = wider;
    }
    rows_ = rows;
    data_.resize(rows * stride_);
  }

  void clear() { *this = cell_matrix(); }

  /// Sets a cell that is still 0. Returns the cell's share of the row's hash: xor it in.
  std::uint64_t set(std::size_t r, std::size_t column, const answer& value) {
    const word code = code_of(value);
    data_[r * stride_ + column / cells_per_word] |= code << (column % cells_per_word * bits);
    return code == 0 ? 0 : mix(column << 32 | code);
  }

  answer get(std::size_t r, std::size_t column) const {
    const word code = row(r)[column / cells_per_word] >> (column % cells_per_word * bits);
    if constexpr (bits == 1) {
      return (code & 1) != 0;
    } else {
      return answers_[static_cast<std::uint32_t>(code)];
    }
  }

  bool equal(std::size_t a, std::size_t b) const {
    return std::equal(row(a), row(a) + words(), row(b));
  }

  /// The first column in which two different rows differ.
  std::size_t first_difference(std::size_t a, std::size_t b) const {
    std::size_t w = 0;
    while (row(a)[w] == row(b)[w]) ++w;
    const auto bit = static_cast<std::size_t>(__builtin_ctzll(row(a)[w] ^ row(b)[w]));
    return w * cells_per_word + bit / bits;
  }

  std::size_t bytes() const { return data_.capacity() * sizeof(word); }

 private:
  static std::size_t words_for(std::size_t columns) {
    return (columns + cells_per_word - 1) / cells_per_word;
  }

  word code_of(const answer& value) {
    if constexpr (bits == 1) {
      return value ? 1 : 0;
    } else {
      const auto known = std::find(answers_.begin(), answers_.end(), value);
      if (known == answers_.end()) {
        answers_.push_back(value);
        return answers_.size() - 1;
      }
      return static_cast<word>(known - answers_.begin());
    }
  }

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;  // words reserved per row
  std::vector<word> data_;
  std::vector<answer> answers_;  // by number; unused for bool
};

}  // namespace libalf::detail
