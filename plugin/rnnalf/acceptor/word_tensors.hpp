#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/word_operations.hpp"

// What the operations of word graphs share: sizes, strides, walks through tensors; and the
// operations that only move numbers.

namespace rnnalf::word_tensors {

using Op = WordOperation;
using Sizes = std::vector<std::size_t>;

constexpr std::size_t kMostNumbers = std::size_t{1} << 22U;
constexpr std::size_t kMostAxes = 12;

[[noreturn]] inline void refuse(const std::string& message) {
  throw WordGraphError(message);
}

inline std::size_t count_of(const Sizes& sizes) {
  std::size_t count = 1;
  if (sizes.size() > kMostAxes) refuse("a tensor has too many axes");
  for (const std::size_t size : sizes) {
    if (size != 0 && count > kMostNumbers / size) refuse("a tensor is too large");
    count *= size;
  }
  return count;
}

inline void shape(WordTensor& to, Sizes sizes, bool whole) {
  to.values.resize(count_of(sizes));
  to.sizes = std::move(sizes);
  to.whole = whole;
}

inline std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  const std::int64_t found = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
  if (found < 0 || found >= static_cast<std::int64_t>(rank)) refuse("an axis does not exist");
  return static_cast<std::size_t>(found);
}

/// A tensor around one axis.
struct Around {
  std::size_t before = 1, size = 1, after = 1;
};

inline Around around(const Sizes& sizes, std::size_t axis) {
  Around result{.size = sizes[axis]};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != axis) (i < axis ? result.before : result.after) *= sizes[i];
  }
  return result;
}

/// A double of the graph as an integer.
inline std::int64_t integer(double value) {
  if (!(std::abs(value) < 9e15))
    return value < 0 ? std::numeric_limits<std::int64_t>::min() / 2
                     : std::numeric_limits<std::int64_t>::max() / 2;
  return static_cast<std::int64_t>(value);
}

inline double only(const WordTensor& tensor) {
  if (tensor.values.size() != 1) refuse("one number is expected, there are others");
  return tensor.values[0];
}

inline std::vector<std::int64_t> integers(const WordTensor& tensor) {
  std::vector<std::int64_t> list;
  for (const double value : tensor.values) list.push_back(integer(value));
  return list;
}

inline Sizes sizes_in(const WordTensor& tensor) {
  Sizes sizes;
  for (const std::int64_t size : integers(tensor)) {
    if (size < 0) refuse("a size is negative");
    sizes.push_back(static_cast<std::size_t>(size));
  }
  return sizes;
}

inline Sizes strides_of(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

/// Calls use(i, offset) for every number of a tensor of these sizes, `offset` moving by `strides`.
template <std::size_t Count, class Use>
void walk(const Sizes& sizes, const std::array<std::vector<std::int64_t>, Count>& strides,
          std::array<std::int64_t, Count> offset, Use use) {
  const std::size_t count = count_of(sizes);
  Sizes at(sizes.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    use(i, offset);
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      for (std::size_t k = 0; k < Count; ++k) offset[k] += strides[k][axis];
      if (++at[axis] < sizes[axis]) break;
      for (std::size_t k = 0; k < Count; ++k) {
        offset[k] -= strides[k][axis] * static_cast<std::int64_t>(sizes[axis]);
      }
      at[axis] = 0;
    }
  }
}

inline Sizes broadcast(const Sizes& a, const Sizes& b) {
  Sizes result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::size_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      refuse("sizes " + std::to_string(x) + " and " + std::to_string(y) + " do not fit");
    };
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

/// Strides into a tensor that stands for one of the sizes `as`.
inline std::vector<std::int64_t> strides_as(const Sizes& sizes, const Sizes& as) {
  const Sizes own = strides_of(sizes);
  std::vector<std::int64_t> strides(as.size(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t axis = as.size() - sizes.size() + i;
    strides[axis] = sizes[i] == 1 ? 0 : static_cast<std::int64_t>(own[i]);
  }
  return strides;
}

// word_moves.cpp: `to` is overwritten
void transpose(const WordNode& node, const WordTensor& x, WordTensor& to);
void expand(const WordTensor& x, const Sizes& wanted, WordTensor& to);
void tile(const WordTensor& x, const Sizes& times, WordTensor& to);
void reshape(const WordTensor& x, Sizes sizes, WordTensor& to);
Sizes reshaped_sizes(const WordTensor& x, const WordTensor& wanted);
Sizes squeezed(const WordNode& node, const Sizes& sizes);
Sizes unsqueezed(const WordNode& node, const Sizes& sizes);
void concat(std::span<const WordTensor* const> inputs, std::int64_t along, WordTensor& to);
void slice(std::span<const WordTensor* const> in, WordTensor& to);
void part(const WordNode& node, const WordTensor& x, WordTensor& to);
void gather(const WordTensor& x, const WordTensor& at, std::int64_t along, WordTensor& to);
void gather_elements(const WordTensor& x, const WordTensor& at, std::int64_t along, WordTensor& to);
void running_sum(const WordTensor& x, std::int64_t along, WordTensor& to);
void range(const WordTensor& start, const WordTensor& limit, const WordTensor& step,
           WordTensor& to);
void triangle(const WordNode& node, std::span<const WordTensor* const> in, WordTensor& to);

}  // namespace rnnalf::word_tensors
