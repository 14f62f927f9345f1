// These operators move axes and change no number. Of a signal the order of the axes is kept, with
// the role of each (time, batch, features); words are run one at a time, so an axis of length 1 may
// come and go. A reshape is followed where every axis of the result is one axis of the signal and
// any number of single ones.

#include <fmt/core.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

std::string axis_text(const Axis& axis) {
  switch (axis.role) {
    case Role::Unit:
      return "an axis of length 1";
    case Role::Input:
      return "an axis of the graph input";
    case Role::Time:
      return "the time axis";
    case Role::Batch:
      return "the batch axis";
    case Role::Feature:
      return "the feature axis";
  }
  return "an axis";
}

std::vector<std::size_t> sorted_axes(const Node& node, const std::vector<std::int64_t>& axes,
                                     std::size_t rank) {
  std::vector<std::size_t> result;
  for (const std::int64_t axis : axes) result.push_back(node.axis(axis, rank));
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    node.refuse("expected each axis once, found one twice");
  }
  return result;
}

template <class List>
void erase_at(List& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class List, class Element>
void insert_at(List& list, std::size_t at, Element element) {
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(element));
}

Outputs squeeze_numbers(const Node& node, Numbers numbers,
                        const std::optional<std::vector<std::int64_t>>& listed) {
  std::vector<std::size_t> axes;
  if (listed) {
    axes = sorted_axes(node, *listed, numbers.rank());
  } else {
    for (std::size_t i = 0; i < numbers.rank(); ++i) {
      if (numbers.dims[i].is(1)) axes.push_back(i);
    }
  }
  for (std::size_t i = axes.size(); i-- > 0;) {
    // An axis of unknown length holds one number repeated: the batch, of which we run one.
    if (numbers.dims[axes[i]].value && !numbers.dims[axes[i]].is(1)) {
      node.refuse(fmt::format("expected axis {} of length 1, found shape {}", axes[i],
                              shape_text(numbers.dims)));
    }
    erase_at(numbers.dims, axes[i]);
    erase_at(numbers.strides, axes[i]);
  }
  return one_output(std::move(numbers));
}

Outputs squeeze_signal(const Node& node, Signal signal,
                       const std::optional<std::vector<std::int64_t>>& listed) {
  std::vector<std::size_t> axes;
  if (listed) {
    axes = sorted_axes(node, *listed, signal.axes.size());
  } else {
    for (std::size_t i = 0; i < signal.axes.size(); ++i) {
      if (is_single(signal.axes[i])) axes.push_back(i);
    }
  }
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Axis& axis = signal.axes[axes[i]];
    // An input axis of free length that is squeezed can only be a batch of one. A single score may
    // lose its axis; the dense layer remembers that it is one.
    const bool single_score = axis.role == Role::Feature && axis.length.is(1);
    const bool free_input = axis.role == Role::Input && !axis.length.value;
    if (!is_single(axis) && !single_score && !free_input) {
      node.refuse(fmt::format("expected an axis of length 1 at {}, found {} of {}", axes[i],
                              axis_text(axis), describe(signal)));
    }
    erase_at(signal.axes, axes[i]);
  }
  return one_output(std::move(signal));
}

/// The axes of `signal` in groups, one per axis of the result: each group may hold at most one axis
/// that is not single, and becomes that axis.
Signal merged(const Node& node, const Signal& signal,
              const std::vector<std::pair<std::size_t, std::size_t>>& groups) {
  Signal result = signal;
  result.axes.clear();
  for (const auto& [begin, end] : groups) {
    Axis axis{.role = Role::Unit, .length = known(1)};
    for (std::size_t i = begin; i < end; ++i) {
      const Axis& merging = signal.axes[i];
      if (is_single(merging) && axis.role != Role::Unit) continue;
      if (is_single(merging) && merging.role == Role::Unit) continue;
      if (!is_single(merging) && !is_single(axis)) {
        node.refuse("expected a change of shape that keeps " + axis_text(axis) + " and " +
                    axis_text(merging) + " of " + describe(signal) +
                    " apart, found one that mixes them");
      }
      axis = merging;
    }
    result.axes.push_back(axis);
  }
  return result;
}

/// Which axes of a signal each entry of a Reshape target takes, left to right.
class ReshapeMatcher {
 public:
  ReshapeMatcher(const Node& node, const Signal& signal, const std::vector<Integer>& target)
      : node_(node), signal_(signal), target_(target), end_(signal.axes.size()) {}

  std::vector<std::pair<std::size_t, std::size_t>> groups() {
    const auto rest = std::find_if(target_.begin(), target_.end(),
                                   [](const Integer& entry) { return entry.is(-1); });
    const auto before = static_cast<std::size_t>(rest - target_.begin());
    std::vector<std::pair<std::size_t, std::size_t>> result(target_.size());
    for (std::size_t i = 0; i < before; ++i) result[i] = take_front(i);
    if (rest == target_.end()) {
      if (!all_single(begin_, end_)) refuse();  // what is left over is dropped
      return result;
    }
    for (std::size_t i = target_.size() - 1; i > before; --i) result[i] = take_back(i);
    result[before] = {begin_, end_};
    return result;
  }

 private:
  [[noreturn]] void refuse() const {
    std::vector<Integer> found;
    for (const Axis& axis : signal_.axes) found.push_back(axis.length);
    node_.refuse("expected a change of shape that only drops or adds axes of length 1, found " +
                 shape_text(found) + " to " + shape_text(target_));
  }

  bool all_single(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_single(signal_.axes[i])) return false;
    }
    return true;
  }

  bool fits(const Integer& entry, std::size_t at) const {
    const Axis& axis = signal_.axes[at];
    if (entry.input_axis && entry.input_axis == axis.length.input_axis) {
      return entry.offset == axis.length.offset;
    }
    return entry.value && entry.value == axis.length.value;
  }

  std::pair<std::size_t, std::size_t> take_front(std::size_t i) {
    const Integer& entry = target_[i];
    const std::size_t first = begin_;
    if (entry.is(0)) {  // the axis at the same position
      if (i < begin_ || i >= end_ || !all_single(begin_, i)) refuse();
      begin_ = i + 1;
      return {first, begin_};
    }
    if (begin_ < end_ && fits(entry, begin_)) return {first, ++begin_};
    // Single axes in front of the one that fits are dropped.
    std::size_t at = begin_;
    while (at < end_ && is_single(signal_.axes[at]) && !fits(entry, at)) ++at;
    if (at < end_ && fits(entry, at)) {
      begin_ = at + 1;
      return {first, begin_};
    }
    if (!entry.is(1)) refuse();
    return {first, first};
  }

  std::pair<std::size_t, std::size_t> take_back(std::size_t i) {
    const Integer& entry = target_[i];
    const std::size_t last = end_;
    std::size_t at = end_;
    while (at > begin_ && is_single(signal_.axes[at - 1]) && !fits(entry, at - 1)) --at;
    if (at > begin_ && fits(entry, at - 1)) {
      end_ = at - 1;
      return {end_, last};
    }
    if (!entry.is(1)) refuse();
    return {last, last};
  }

  const Node& node_;
  const Signal& signal_;
  const std::vector<Integer>& target_;
  std::size_t begin_ = 0;  // axes not yet taken
  std::size_t end_;
};

Outputs reshape_numbers(const Node& node, const Numbers& numbers, std::vector<Integer> target) {
  std::size_t product = 1;
  std::optional<std::size_t> rest;
  bool all_known = true;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i].is(0) && i < numbers.rank()) target[i] = numbers.dims[i];
    if (target[i].is(-1)) {
      if (rest) node.refuse("expected one -1 at most, found two");
      rest = i;
      continue;
    }
    if (!target[i].value) {
      all_known = false;
    } else if (*target[i].value < 0 ||
               __builtin_mul_overflow(product, static_cast<std::size_t>(*target[i].value),
                                      &product)) {
      node.refuse("expected sizes that fit in memory, found shape " + shape_text(target));
    }
  }
  const auto count = numbers.count();
  if (!count || !all_known) {
    if (!numbers.is_uniform() || rest) {
      node.refuse("expected known sizes, found " + shape_text(numbers.dims) + " to " +
                  shape_text(target));
    }
    return one_output(Numbers::filled(std::move(target), numbers.front()));
  }
  if (rest && product != 0 && *count % product == 0) {
    target[*rest] = known(static_cast<std::int64_t>(*count / product));
    product = *count;
  }
  if (product != *count || (rest && target[*rest].is(-1))) {
    node.refuse(
        fmt::format("expected a shape of {} numbers, found {}", *count, shape_text(target)));
  }
  if (numbers.is_uniform()) return one_output(Numbers::filled(std::move(target), numbers.front()));
  return one_output(Numbers::contiguous(std::move(target), node.entries(numbers)));
}

}  // namespace

Outputs pass(const Node& node) {
  return {node.shared_input(0)};
}

Outputs dropout(const Node& node) {
  if (node.has_input(2)) {
    const Numbers& training = node.numbers(2, "a constant that says whether to train");
    if (training.count() != 1U || training.front() != 0) {
      node.refuse_unsupported("dropout in training mode", "its answers are random");
    }
  }
  return {node.shared_input(0)};
}

Outputs cast(const Node& node) {
  using ::onnx::TensorProto;
  const std::int64_t to = node.integer("to", TensorProto::UNDEFINED);
  const bool real = to == TensorProto::FLOAT || to == TensorProto::DOUBLE ||
                    to == TensorProto::FLOAT16 || to == TensorProto::BFLOAT16;
  const bool whole = to == TensorProto::INT64 || to == TensorProto::INT32;
  if (real) return {node.shared_input(0)};
  if (!whole)
    node.refuse(fmt::format("expected a cast to float or integer numbers, found type {}", to));
  if (const auto* signal = node.input_as<Signal>(0)) {
    if (signal->stage != Stage::Input && signal->stage != Stage::OneHot) {
      node.refuse_unsupported("rounding " + describe(*signal) + " to integers",
                              "no part of a network does it");
    }
  } else if (const auto* numbers = node.input_as<Numbers>(0)) {
    std::vector<double> values =
        numbers->is_uniform() ? std::vector<double>{numbers->front()} : node.entries(*numbers);
    for (double& value : values) value = std::trunc(value);
    if (numbers->is_uniform()) return one_output(Numbers::filled(numbers->dims, values.front()));
    return one_output(Numbers::contiguous(numbers->dims, std::move(values)));
  }
  return {node.shared_input(0)};
}

Outputs transpose(const Node& node) {
  const auto permuted = [](const auto& list, const std::vector<std::size_t>& order) {
    auto result = list;
    for (std::size_t i = 0; i < order.size(); ++i) result[i] = list[order[i]];
    return result;
  };
  const auto order = [&node](std::size_t rank) {
    std::vector<std::int64_t> perm(rank);
    for (std::size_t i = 0; i < rank; ++i) perm[i] = static_cast<std::int64_t>(rank - 1 - i);
    if (const auto given = node.integer_list("perm")) perm = *given;
    if (perm.size() != rank || sorted_axes(node, perm, rank).size() != rank) {
      node.refuse(fmt::format("attribute 'perm': expected {} axes, found {}", rank, perm.size()));
    }
    std::vector<std::size_t> result;
    for (const std::int64_t axis : perm) result.push_back(node.axis(axis, rank));
    return result;
  };
  if (const auto* signal = node.input_as<Signal>(0)) {
    Signal result = *signal;
    result.axes = permuted(signal->axes, order(signal->axes.size()));
    return one_output(std::move(result));
  }
  Numbers result = node.numbers(0, "a constant or a signal");
  const auto axes = order(result.rank());
  result.dims = permuted(result.dims, axes);
  result.strides = permuted(result.strides, axes);
  return one_output(std::move(result));
}

Outputs squeeze(const Node& node) {
  const auto axes = node.axes(1);
  if (const auto* step = node.input_as<LoopIndex>(0)) {
    return one_output(LoopIndex{step->scope, step->length, true});
  }
  if (const auto* signal = node.input_as<Signal>(0)) return squeeze_signal(node, *signal, axes);
  if (node.input_as<Integers>(0) != nullptr) {
    Integers integers = node.integers(0);
    if (integers.entries.size() != 1) node.refuse("expected one length to squeeze, found several");
    integers.scalar = true;
    return one_output(std::move(integers));
  }
  return squeeze_numbers(node, node.numbers(0, "a constant or a signal"), axes);
}

Outputs unsqueeze(const Node& node) {
  const auto listed = node.axes(1);
  if (!listed) node.refuse("expected axes, found none");
  const auto checked = [&](std::size_t rank) {
    if (rank + listed->size() > kMostAxes) {
      node.refuse(
          fmt::format("expected at most {} axes, found {}", kMostAxes, rank + listed->size()));
    }
    return sorted_axes(node, *listed, rank + listed->size());
  };
  if (const auto* signal = node.input_as<Signal>(0)) {
    Signal result = *signal;
    for (const std::size_t axis : checked(signal->axes.size())) {
      insert_at(result.axes, axis, Axis{.role = Role::Unit, .length = known(1)});
    }
    return one_output(std::move(result));
  }
  if (const auto* step = node.input_as<LoopIndex>(0)) {
    if (!step->scalar || checked(0).size() != 1) node.refuse_input(0, "a single number");
    return one_output(LoopIndex{step->scope, step->length, false});
  }
  if (const auto* position = node.input_as<Position>(0)) {
    Position result = *position;
    for (const std::size_t axis : checked(result.dims.size())) {
      insert_at(result.dims, axis, known(1));
    }
    return one_output(std::move(result));
  }
  if (node.input_as<Integers>(0) != nullptr) {
    Integers integers = node.integers(0);
    if (!integers.scalar && integers.entries.size() == 1) {
      Position result{integers.entries.front(), {known(1)}};
      for (const std::size_t axis : checked(1)) insert_at(result.dims, axis, known(1));
      return one_output(std::move(result));
    }
    if (!integers.scalar || checked(0).size() != 1) {
      node.refuse("expected one length to become a row, found " + describe(node.input(0)));
    }
    integers.scalar = false;
    return one_output(std::move(integers));
  }
  Numbers result = node.numbers(0, "a constant or a signal");
  for (const std::size_t axis : checked(result.rank())) {
    insert_at(result.dims, axis, known(1));
    insert_at(result.strides, axis, std::size_t{0});
  }
  return one_output(std::move(result));
}

Outputs reshape(const Node& node) {
  if (node.integer("allowzero", 0) != 0) {
    node.refuse_unsupported("attribute 'allowzero'", "an empty tensor has no use in a network");
  }
  // Before operator set 5 the target was an attribute.
  Integers target;
  if (const auto listed = node.integer_list("shape")) {
    for (const std::int64_t entry : *listed) target.entries.push_back(known(entry));
  } else {
    target = node.integers(1);
  }
  if (target.entries.size() > kMostAxes) {
    node.refuse(
        fmt::format("expected at most {} axes, found {}", kMostAxes, target.entries.size()));
  }
  if (const auto* signal = node.input_as<Signal>(0)) {
    return one_output(
        merged(node, *signal, ReshapeMatcher(node, *signal, target.entries).groups()));
  }
  if (const auto* step = node.input_as<LoopIndex>(0);
      step != nullptr && target.entries.size() < 2) {
    return one_output(LoopIndex{step->scope, step->length, target.entries.empty()});
  }
  if (node.input_as<Integers>(0) != nullptr) {
    Integers integers = node.integers(0);
    if (target.entries.size() > 1 && integers.entries.size() == 1) {
      // Of one word: the same index in a tensor of single entries.
      return one_output(Position{integers.entries.front(),
                                 std::vector<Integer>(target.entries.size(), known(1))});
    }
    if (target.entries.size() > 1) node.refuse("expected lengths in a row, found a table of them");
    integers.scalar = target.entries.empty() && integers.entries.size() == 1;
    return one_output(std::move(integers));
  }
  return reshape_numbers(node, node.numbers(0, "a constant or a signal"),
                         std::move(target.entries));
}

Outputs flatten(const Node& node) {
  const auto* signal = node.input_as<Signal>(0);
  if (signal == nullptr) node.refuse_input(0, "a signal");
  const std::size_t rank = signal->axes.size();
  const std::int64_t axis = node.integer("axis", 1);
  const std::size_t at = axis == static_cast<std::int64_t>(rank) ? rank : node.axis(axis, rank);
  return one_output(merged(node, *signal, {{0, at}, {at, rank}}));
}

}  // namespace rnnalf::onnx_impl
