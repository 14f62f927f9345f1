#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

void refuse_too_many_axes(const Node& node, std::size_t found) {
  if (found > kMostAxes) {
    node.refuse(fmt::format("expected at most {} axes, found {}", kMostAxes, found));
  }
}

std::vector<Integer> lengths(const Value& value, const Node& node) {
  if (const auto* numbers = std::get_if<Numbers>(&value)) return numbers->dims;
  if (const auto* integers = std::get_if<Integers>(&value)) {
    if (integers->scalar) return {};
    return {known(static_cast<std::int64_t>(integers->entries.size()))};
  }
  if (std::holds_alternative<BatchOrder>(value)) return {known(1)};
  if (const auto* signal = std::get_if<Signal>(&value)) {
    std::vector<Integer> result;
    for (const Axis& axis : signal->axes) result.push_back(axis.length);
    return result;
  }
  node.refuse_input(0, "a tensor with a shape");
}

/// The length of `axis` grows to `length`, by repetition; refused unless it was 1 or is the same.
void stretch(const Node& node, Numbers& numbers, std::size_t axis, const Integer& length) {
  Integer& dim = numbers.dims[axis];
  if (length.is(1) || (dim.value && dim.value == length.value)) return;
  if (!dim.is(1) || (length.value && *length.value < 0)) {
    node.refuse(fmt::format("expected axis {} of length 1 to be repeated, found shape {}", axis,
                            shape_text(numbers.dims)));
  }
  dim = length;
  numbers.strides[axis] = 0;
}

/// a + sign * b, as far as it is known.
Integer sum(const Integer& a, const Integer& b, std::int64_t sign) {
  Integer result;
  std::int64_t signed_b = 0;
  std::int64_t total = 0;
  if (b.value && !__builtin_mul_overflow(*b.value, sign, &signed_b)) {
    if (a.value && !__builtin_add_overflow(*a.value, signed_b, &total)) result.value = total;
    if (a.input_axis && !b.input_axis && !__builtin_add_overflow(a.offset, signed_b, &total)) {
      result.input_axis = a.input_axis;
      result.offset = total;
    }
  }
  if (sign > 0 && b.input_axis && a.value && !a.input_axis &&
      !__builtin_add_overflow(b.offset, *a.value, &total)) {
    result.input_axis = b.input_axis;
    result.offset = total;
  }
  return result;
}

Integer product(const Integer& a, const Integer& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  Integer result;
  std::int64_t value = 0;
  if (a.value && b.value && !__builtin_mul_overflow(*a.value, *b.value, &value))
    result.value = value;
  return result;
}

/// 1 or 0; neither when it depends on the word.
Integer equal(const Integer& a, const Integer& b) {
  if (a.value && b.value) return known(*a.value == *b.value ? 1 : 0);
  // A length of an axis is never negative: exporters compare lengths with -1, "as it is".
  const auto is_length = [](const Integer& x) { return x.input_axis && x.offset == 0; };
  const auto is_negative = [](const Integer& x) { return x.value && *x.value < 0; };
  if ((is_length(a) && is_negative(b)) || (is_length(b) && is_negative(a))) return known(0);
  return {};
}

/// Applies `meaning` entry by entry to `Count` inputs; a single entry stands for as many as needed.
template <std::size_t Count, class Meaning>
Outputs entry_by_entry(const Node& node, Meaning meaning) {
  std::array<Integers, Count> inputs;
  Integers result{.scalar = true, .entries = {}};
  std::size_t size = 1;
  for (std::size_t slot = 0; slot < Count; ++slot) {
    inputs[slot] = node.integers(slot);
    result.scalar = result.scalar && inputs[slot].scalar;
    if (inputs[slot].entries.size() != 1) size = inputs[slot].entries.size();
  }
  for (std::size_t slot = 0; slot < Count; ++slot) {
    if (inputs[slot].entries.size() != size && inputs[slot].entries.size() != 1) {
      node.refuse_input(slot, fmt::format("{} integers", size));
    }
  }
  node.spend(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::array<Integer, Count> entries;
    for (std::size_t slot = 0; slot < Count; ++slot) {
      entries[slot] = inputs[slot].entries[inputs[slot].entries.size() == 1 ? 0 : i];
    }
    result.entries.push_back(meaning(entries));
  }
  return one_output(std::move(result));
}

}  // namespace

Outputs constant(const Node& node) {
  if (auto tensor = node.tensor("value")) return one_output(*std::move(tensor));
  if (node.has_attribute("value_int")) {
    return one_output(Numbers::filled({}, static_cast<double>(node.integer("value_int", 0))));
  }
  if (node.has_attribute("value_float")) {
    return one_output(Numbers::filled({}, node.number("value_float", 0)));
  }
  if (const auto integers = node.integer_list("value_ints")) {
    return one_output(Numbers::contiguous({known(static_cast<std::int64_t>(integers->size()))},
                                          std::vector<double>(integers->begin(), integers->end())));
  }
  node.refuse("expected an attribute 'value', 'value_int', 'value_ints' or 'value_float'");
}

Outputs constant_of_shape(const Node& node) {
  Integers lengths = node.integers(0);
  refuse_too_many_axes(node, lengths.entries.size());
  for (const Integer& length : lengths.entries) {
    if (length.value && *length.value < 0) {
      node.refuse(fmt::format("expected lengths of 0 or more, found {}", *length.value));
    }
  }
  double fill = 0;
  if (const auto value = node.tensor("value")) {
    if (value->count() != 1U) {
      node.refuse("attribute 'value': expected one number, found shape " + shape_text(value->dims));
    }
    fill = value->front();
  }
  return one_output(Numbers::filled(std::move(lengths.entries), fill));
}

Outputs shape(const Node& node) {
  std::vector<Integer> all = lengths(node.input(0), node);
  // Operator set 15: only the axes from start to end.
  const auto rank = static_cast<std::int64_t>(all.size());
  const auto clamped = [rank](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const std::int64_t start = clamped(node.integer("start", 0));
  const std::int64_t end = std::max(start, clamped(node.integer("end", rank)));
  return one_output(Integers{.scalar = false, .entries = {all.begin() + start, all.begin() + end}});
}

Outputs expand(const Node& node) {
  if (const auto* position = node.input_as<Position>(0)) {
    Position result = *position;
    const Integers target = node.integers(1);
    if (target.entries.size() != result.dims.size()) {
      node.refuse(
          fmt::format("expected {} axes, found {}", result.dims.size(), target.entries.size()));
    }
    for (std::size_t i = 0; i < result.dims.size(); ++i) {
      if (result.dims[i].is(1)) result.dims[i] = target.entries[i];
    }
    return one_output(std::move(result));
  }
  Numbers numbers = node.numbers(0, "a constant to repeat");
  const Integers target = node.integers(1);
  refuse_too_many_axes(node, target.entries.size());
  while (numbers.rank() < target.entries.size()) {
    numbers.dims.insert(numbers.dims.begin(), known(1));
    numbers.strides.insert(numbers.strides.begin(), 0);
  }
  const std::size_t skipped = numbers.rank() - target.entries.size();
  for (std::size_t i = 0; i < target.entries.size(); ++i) {
    stretch(node, numbers, skipped + i, target.entries[i]);
  }
  return one_output(std::move(numbers));
}

Outputs tile(const Node& node) {
  Numbers numbers = node.numbers(0, "a constant to repeat");
  const Integers repeats = node.integers(1);
  if (repeats.entries.size() != numbers.rank()) {
    node.refuse(
        fmt::format("expected {} repeats, found {}", numbers.rank(), repeats.entries.size()));
  }
  for (std::size_t axis = 0; axis < numbers.rank(); ++axis) {
    const Integer& repeat = repeats.entries[axis];
    if (repeat.is(1)) continue;
    if (!numbers.dims[axis].is(1)) {
      node.refuse(fmt::format("expected repeats along axes of length 1, found axis {} of shape {}",
                              axis, shape_text(numbers.dims)));
    }
    stretch(node, numbers, axis, repeat);
  }
  return one_output(std::move(numbers));
}

Outputs length_arithmetic(const Node& node) {
  return entry_by_entry<2>(node, [&node](const std::array<Integer, 2>& x) {
    if (node.op() == "Mul") return product(x[0], x[1]);
    if (node.op() == "Equal") return equal(x[0], x[1]);
    // Of lengths, which are integers; constants might be real numbers.
    const bool lengths =
        node.input_as<Integers>(0) != nullptr || node.input_as<Integers>(1) != nullptr;
    if (node.op() == "Div" && lengths && x[0].value && x[1].value && *x[0].value >= 0 &&
        *x[1].value > 0) {
      return known(*x[0].value / *x[1].value);
    }
    if (node.op() != "Add" && node.op() != "Sub") {
      node.refuse_input(0, "something that depends on the word");
    }
    return sum(x[0], x[1], node.op() == "Add" ? 1 : -1);
  });
}

Outputs reduce_prod(const Node& node) {
  const Integers factors = node.integers(0);
  Integer result = known(1);
  for (const Integer& factor : factors.entries) result = product(result, factor);
  return one_output(Integers{.scalar = node.integer("keepdims", 1) == 0, .entries = {result}});
}

Outputs range(const Node& node) {
  std::int64_t bounds[3];
  for (const std::size_t slot : {0U, 1U, 2U}) {
    const auto given = node.known_integers(slot);
    if (given.size() != 1) node.refuse_input(slot, "one known number");
    bounds[slot] = given.front();
  }
  if (bounds[0] != 0 || bounds[1] < 0 || bounds[2] != 1) {
    node.refuse("expected a range from 0 in steps of 1, found another");
  }
  node.spend(static_cast<std::size_t>(bounds[1]));
  Integers result;
  for (std::int64_t i = 0; i < bounds[1]; ++i) result.entries.push_back(known(i));
  return one_output(std::move(result));
}

Outputs where(const Node& node) {
  return entry_by_entry<3>(node, [&node](const std::array<Integer, 3>& x) {
    if (!x[0].value) node.refuse_input(0, "a condition that does not depend on the word");
    return *x[0].value != 0 ? x[1] : x[2];
  });
}

}  // namespace rnnalf::onnx_impl
