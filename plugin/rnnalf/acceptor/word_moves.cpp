// Operations that move numbers: walks through the result with a stride for each axis into the
// source.

#include "rnnalf/acceptor/word_tensors.hpp"

#include <fmt/core.h>

namespace rnnalf::word_tensors {
namespace {

/// The numbers of `x` at strides of a walk through `sizes`.
void take(const WordTensor& x, Sizes sizes, const std::vector<std::int64_t>& strides,
          std::int64_t offset, WordTensor& to) {
  shape(to, std::move(sizes), x.whole);
  walk<1>(to.sizes, {strides}, {offset}, [&](std::size_t i, const auto& at) {
    to.values[i] = x.values[static_cast<std::size_t>(at[0])];
  });
}

std::size_t entry(double index, std::size_t size) {
  const std::int64_t at = integer(index);
  const std::int64_t found = at < 0 ? at + static_cast<std::int64_t>(size) : at;
  if (found < 0 || found >= static_cast<std::int64_t>(size)) {
    refuse(fmt::format("entry {} of a table of {}", at, size));
  }
  return static_cast<std::size_t>(found);
}

}  // namespace

void transpose(const WordNode& node, const WordTensor& x, WordTensor& to) {
  const std::size_t rank = x.sizes.size();
  const Sizes own = strides_of(x.sizes);
  Sizes sizes;
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < rank; ++i) {
    if (!node.list.empty() && node.list.size() != rank) refuse("a permutation of other axes");
    const std::size_t axis = node.list.empty() ? rank - 1 - i : axis_of(node.list[i], rank);
    sizes.push_back(x.sizes[axis]);
    strides.push_back(static_cast<std::int64_t>(own[axis]));
  }
  if (count_of(sizes) != x.values.size()) refuse("a permutation that repeats an axis");
  take(x, std::move(sizes), strides, 0, to);
}

void expand(const WordTensor& x, const Sizes& wanted, WordTensor& to) {
  Sizes sizes = broadcast(x.sizes, wanted);
  const std::vector<std::int64_t> strides = strides_as(x.sizes, sizes);
  take(x, std::move(sizes), strides, 0, to);
}

void tile(const WordTensor& x, const Sizes& times, WordTensor& to) {
  if (times.size() != x.sizes.size()) refuse("a repetition of other axes");
  Sizes sizes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] > kMostNumbers) refuse("a tensor is too large");
    sizes.push_back(x.sizes[i] * times[i]);
  }
  const Sizes own = strides_of(x.sizes), result = strides_of(sizes);
  shape(to, sizes, x.whole);
  for (std::size_t i = 0; i < to.values.size(); ++i) {
    std::size_t from = 0;
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      from += i / result[a] % sizes[a] % x.sizes[a] * own[a];
    }
    to.values[i] = x.values[from];
  }
}

void reshape(const WordTensor& x, Sizes sizes, WordTensor& to) {
  if (count_of(sizes) != x.values.size()) {
    refuse(fmt::format("{} numbers cannot be arranged anew as asked", x.values.size()));
  }
  shape(to, std::move(sizes), x.whole);
  std::copy(x.values.begin(), x.values.end(), to.values.begin());
}

Sizes reshaped_sizes(const WordTensor& x, const WordTensor& wanted) {
  Sizes sizes;
  std::size_t open = kNoWordNode;
  std::size_t product = 1;
  for (const std::int64_t size : integers(wanted)) {
    if (size == 0 && sizes.size() >= x.sizes.size()) refuse("a size of an axis that is not there");
    if (size < -1 || (size == -1 && open != kNoWordNode)) refuse("a size is negative");
    if (size == -1) open = sizes.size();
    sizes.push_back(size == 0  ? x.sizes[sizes.size()]
                    : size < 0 ? 1
                               : static_cast<std::size_t>(size));
    if (sizes.back() > kMostNumbers) refuse("a tensor is too large");
    product = product > kMostNumbers ? product : product * sizes.back();
  }
  if (open != kNoWordNode && product != 0) sizes[open] = x.values.size() / product;
  return sizes;
}

Sizes squeezed(const WordNode& node, const Sizes& sizes) {
  std::vector<bool> gone(sizes.size(), false);
  for (std::size_t i = 0; i < sizes.size(); ++i) gone[i] = node.list.empty() && sizes[i] == 1;
  for (const std::int64_t axis : node.list) gone[axis_of(axis, sizes.size())] = true;
  Sizes result;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!gone[i]) result.push_back(sizes[i]);
  }
  return result;
}

Sizes unsqueezed(const WordNode& node, const Sizes& sizes) {
  std::vector<bool> added(sizes.size() + node.list.size(), false);
  for (const std::int64_t axis : node.list) added[axis_of(axis, added.size())] = true;
  Sizes result;
  std::size_t next = 0;
  for (const bool one : added) {
    if (!one && next == sizes.size()) refuse("an axis is added twice");
    result.push_back(one ? 1 : sizes[next++]);
  }
  return result;
}

void concat(std::span<const WordTensor* const> inputs, std::int64_t along, WordTensor& to) {
  Sizes sizes = inputs[0]->sizes;
  const std::size_t axis = axis_of(along, sizes.size());
  sizes[axis] = 0;
  bool whole = true;
  for (const WordTensor* const input : inputs) {
    Sizes other = input->sizes;
    if (other.size() != sizes.size()) refuse("tensors of other axes are joined");
    sizes[axis] += std::exchange(other[axis], sizes[axis]);
    other[axis] = sizes[axis];
    if (other != sizes) refuse("tensors of other sizes are joined");
    whole = whole && input->whole;
  }
  shape(to, sizes, whole);
  const auto [before, size, after] = around(sizes, axis);
  double* into = to.values.data();
  for (std::size_t b = 0; b < before; ++b) {
    for (const WordTensor* const input : inputs) {
      const std::size_t block = input->sizes[axis] * after;
      const auto from = input->values.begin() + static_cast<std::ptrdiff_t>(b * block);
      into = std::copy(from, from + static_cast<std::ptrdiff_t>(block), into);
    }
  }
}

void slice(std::span<const WordTensor* const> in, WordTensor& to) {
  const WordTensor& x = *in[0];
  const std::vector<std::int64_t> starts = integers(*in[1]), ends = integers(*in[2]);
  std::vector<std::int64_t> axes, steps(starts.size(), 1);
  for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  if (in.size() > 3 && in[3] != nullptr) axes = integers(*in[3]);
  if (in.size() > 4 && in[4] != nullptr) steps = integers(*in[4]);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    refuse("a slice whose lists differ in length");
  Sizes sizes = x.sizes;
  const Sizes own = strides_of(x.sizes);
  std::vector<std::int64_t> strides(own.begin(), own.end());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = axis_of(axes[i], sizes.size());
    const auto size = static_cast<std::int64_t>(x.sizes[axis]);
    const std::int64_t step = steps[i];
    if (step == 0) refuse("a slice with step 0");
    const auto place = [&](std::int64_t at) {
      return std::clamp(at < 0 ? at + size : at, step > 0 ? std::int64_t{0} : std::int64_t{-1},
                        step > 0 ? size : size - 1);
    };
    const std::int64_t first = place(starts[i]), last = place(ends[i]);
    const std::int64_t count =
        step > 0 ? (last - first + step - 1) / step : (first - last - step - 1) / -step;
    sizes[axis] = count > 0 ? static_cast<std::size_t>(count) : 0;
    offset += first * static_cast<std::int64_t>(own[axis]);
    strides[axis] *= step;
  }
  take(x, std::move(sizes), strides, offset, to);
}

void part(const WordNode& node, const WordTensor& x, WordTensor& to) {
  const std::size_t axis = axis_of(node.list[0], x.sizes.size());
  const auto number = static_cast<std::size_t>(node.list[1]);
  const std::size_t each = x.sizes[axis] / static_cast<std::size_t>(node.list[2]);
  Sizes sizes = x.sizes;
  sizes[axis] = each;
  const Sizes own = strides_of(x.sizes);
  take(x, std::move(sizes), {own.begin(), own.end()},
       static_cast<std::int64_t>(number * each * own[axis]), to);
}

void gather(const WordTensor& x, const WordTensor& at, std::int64_t along, WordTensor& to) {
  const std::size_t axis = axis_of(along, x.sizes.size());
  Sizes sizes(x.sizes.begin(), x.sizes.begin() + static_cast<std::ptrdiff_t>(axis));
  sizes.insert(sizes.end(), at.sizes.begin(), at.sizes.end());
  sizes.insert(sizes.end(), x.sizes.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.sizes.end());
  shape(to, std::move(sizes), x.whole);
  const auto [before, size, after] = around(x.sizes, axis);
  double* into = to.values.data();
  for (std::size_t b = 0; b < before; ++b) {
    for (const double index : at.values) {
      const double* const from = x.values.data() + (b * size + entry(index, size)) * after;
      into = std::copy(from, from + after, into);
    }
  }
}

void gather_elements(const WordTensor& x, const WordTensor& at, std::int64_t along,
                     WordTensor& to) {
  const std::size_t axis = axis_of(along, x.sizes.size());
  if (at.sizes.size() != x.sizes.size()) refuse("entries of other axes are picked");
  for (std::size_t i = 0; i < at.sizes.size(); ++i) {
    if (i != axis && at.sizes[i] > x.sizes[i]) refuse("more entries are picked than there are");
  }
  const Sizes own = strides_of(x.sizes);
  std::vector<std::int64_t> strides(own.begin(), own.end());
  strides[axis] = 0;
  shape(to, at.sizes, x.whole);
  walk<1>(at.sizes, {strides}, {}, [&](std::size_t i, const auto& from) {
    to.values[i] = x.values[static_cast<std::size_t>(from[0]) +
                            entry(at.values[i], x.sizes[axis]) * own[axis]];
  });
}

void running_sum(const WordTensor& x, std::int64_t along, WordTensor& to) {
  const auto [before, size, after] = around(x.sizes, axis_of(along, x.sizes.size()));
  shape(to, x.sizes, x.whole);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const bool first = i / after % size == 0;
    to.values[i] = x.values[i] + (first ? 0 : to.values[i - after]);
  }
}

void range(const WordTensor& start, const WordTensor& limit, const WordTensor& step,
           WordTensor& to) {
  const double from = only(start), by = only(step);
  const double count = std::max(0.0, std::ceil((only(limit) - from) / by));
  if (!(count < static_cast<double>(kMostNumbers))) refuse("a range is too long");
  shape(to, {static_cast<std::size_t>(count)}, start.whole && step.whole);
  for (std::size_t i = 0; i < to.values.size(); ++i)
    to.values[i] = from + by * static_cast<double>(i);
}

void triangle(const WordNode& node, std::span<const WordTensor* const> in, WordTensor& to) {
  const WordTensor& x = *in[0];
  if (x.sizes.size() < 2) refuse("a triangle of less than a matrix");
  const std::int64_t diagonal = in.size() > 1 && in[1] != nullptr ? integer(only(*in[1])) : 0;
  shape(to, x.sizes, x.whole);
  const std::size_t cols = x.sizes.back(), rows = x.sizes[x.sizes.size() - 2];
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const auto above =
        static_cast<std::int64_t>(i % cols) - static_cast<std::int64_t>(i / cols % rows) - diagonal;
    to.values[i] = (node.list[0] != 0 ? above >= 0 : above <= 0) ? x.values[i] : 0;
  }
}

}  // namespace rnnalf::word_tensors
