// Selecting means different things by the axis it is done on. On the axis of time only the last
// step can be taken; on an axis of features any part; on the axis of the input one symbol after
// another, as a loop that is written out reads them; on stacked states one of them. Constants and
// lengths are computed. Everything else is refused with the node's name.

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

/// Exporters write "to the end" as a number no axis reaches.
constexpr std::int64_t kBeyondEveryEnd = std::numeric_limits<std::int32_t>::max();

/// Whether `at` is the last position of an axis, however the graph expresses it.
bool is_last(const Integer& at, const Integer& length) {
  if (at.is(-1)) return true;
  if (at.input_axis == kWordLength) return at.offset == -1;
  if (at.input_axis && at.input_axis == length.input_axis) return at.offset == length.offset - 1;
  return at.value && length.value && *at.value == *length.value - 1;
}

bool is_end(const Integer& at, const Integer& length) {
  if (at.input_axis == kWordLength) return at.offset >= 0;
  if (at.value && *at.value >= kBeyondEveryEnd) return true;
  if (at.input_axis && at.input_axis == length.input_axis) return at.offset >= length.offset;
  return at.value && length.value && *at.value >= *length.value;
}

/// One index of an axis of `size` entries, counted from the front.
std::size_t index_below(const Node& node, const Integer& at, std::size_t size) {
  const auto end = static_cast<std::int64_t>(size);
  if (!at.value || *at.value < -end || *at.value >= end) {
    node.refuse(fmt::format("expected an index below {}, found {}", size,
                            at.value ? std::to_string(*at.value) : "a length"));
  }
  return static_cast<std::size_t>(*at.value < 0 ? *at.value + end : *at.value);
}

/// Start and end of a slice of `size` entries, as Slice clamps them.
std::pair<std::size_t, std::size_t> clamped(const Node& node, const Integer& start,
                                            const Integer& end, std::size_t size) {
  if (!start.value || !end.value) node.refuse("expected known bounds of a slice, found a length");
  const auto last = static_cast<std::int64_t>(size);
  const auto clamp = [last](std::int64_t at) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at < 0 ? at + last : at, 0, last));
  };
  const std::size_t from = clamp(*start.value);
  return {from, std::max(from, clamp(*end.value))};
}

Numbers slice_numbers(const Node& node, Numbers numbers, std::size_t axis, const Integer& start,
                      const Integer& end) {
  Integer& dim = numbers.dims[axis];
  if (start.is(0) && is_end(end, dim)) return numbers;
  if (!dim.value)
    node.refuse("expected a slice of an axis of known length, found one of the batch");
  const auto [from, to] = clamped(node, start, end, static_cast<std::size_t>(*dim.value));
  numbers.offset += from * numbers.strides[axis];
  dim = known(static_cast<std::int64_t>(to - from));
  return numbers;
}

/// One entry of an axis, which becomes an axis of length 1 or goes.
Signal one_entry(Signal signal, std::size_t at, bool keep_axis) {
  if (keep_axis) {
    signal.axes[at] = Axis{.role = Role::Unit, .length = known(1)};
  } else {
    signal.axes.erase(signal.axes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return signal;
}

/// Entries [from, to) of the features.
Signal part_of_features(const Node& node, Signal signal, std::size_t at, std::size_t from,
                        std::size_t to) {
  signal = with_features(std::move(signal));
  if (to == from) node.refuse("expected some entries of " + describe(signal) + ", found none");
  const std::size_t link = link_of(node, signal);
  signal.axes[at].length = known(static_cast<std::int64_t>(to - from));
  signal.stage = Stage::Dense;
  signal.link = node.context.links.size();
  node.context.links.push_back({SlicePart{from, to - from}, {link}});
  return signal;
}

/// Whether a signal is a state that the caller gives: zero at the start of a word, and so is every
/// part of it.
bool is_given_state(const Node& node, const Signal& signal) {
  if (!signal.link) return false;
  const auto* state = std::get_if<StatePart>(&node.context.links[*signal.link].part);
  return state != nullptr && node.context.states[state->number].is_input;
}

/// One row of a state that the caller gives, such as that of one layer.
Signal row_of_state(const Node& node, Signal signal, std::size_t at, bool keep_axis) {
  const auto& state = std::get<StatePart>(node.context.links[*signal.link].part);
  CarriedState row = node.context.states[state.number];
  row.is_part = true;
  node.spend(row.size);
  signal.link = node.context.links.size();
  node.context.links.push_back({StatePart{node.context.states.size()}, {}});
  node.context.states.push_back(std::move(row));
  return one_entry(std::move(signal), at, keep_axis);
}

/// What a loop that is written out step by step reads of the word at one position.
Signal at_position(const Node& node, Signal signal, std::size_t at, const Integer& index,
                   bool keep_axis) {
  const Integer length = signal.axes[at].length;
  const bool batch_of_one =
      length.is(1) && std::any_of(signal.axes.begin(), signal.axes.end(), [&](const Axis& other) {
        return other.role == Role::Input && !other.length.is(1);
      });
  if (batch_of_one) {
    static_cast<void>(index_below(node, index, 1));
    return one_entry(std::move(signal), at, keep_axis);
  }
  WrittenOut& loop = node.context.written_out;
  const bool from_front = index.value && (length.value || *index.value >= 0);
  if (!from_front || signal.position || (loop.axis && loop.axis != length.input_axis)) {
    node.refuse(
        fmt::format("expected the symbols of the word one by one, counted from the front of one "
                    "axis, found entry {} of axis {} of {}",
                    index.value ? std::to_string(*index.value) : "?", at, describe(signal)));
  }
  loop = {length.input_axis, length};
  const std::size_t position =
      length.value ? index_below(node, index, static_cast<std::size_t>(*length.value))
                   : static_cast<std::size_t>(*index.value);
  if (signal.link) {
    node.context.links.push_back({PickPart{}, {*signal.link}, position, node.output_name(0)});
    signal.link = node.context.links.size() - 1;
  }
  signal.position = position;
  return one_entry(std::move(signal), at, keep_axis);
}

Signal slice_signal(const Node& node, Signal signal, std::size_t at, const Integer& start,
                    const Integer& end) {
  Axis& axis = signal.axes[at];
  if (start.is(0) && is_end(end, axis.length)) return signal;
  if (axis.role == Role::Unit) {
    const auto [from, to] = clamped(node, start, end, 1);
    if (to == from) node.refuse("expected one entry of " + describe(signal) + ", found none");
    return signal;
  }
  if (axis.role == Role::Input && start.value && end.value) {
    const bool last = axis.length.value && is_end(end, axis.length) &&
                      (start.is(-1) || *start.value == *axis.length.value - 1);
    if (last || *end.value - 1 == *start.value) {
      return at_position(node, std::move(signal), at, start, true);
    }
  }
  if (axis.role == Role::Batch && axis.length.value && is_given_state(node, signal)) {
    const auto [from, to] = clamped(node, start, end, static_cast<std::size_t>(*axis.length.value));
    if (to != from + 1) node.refuse("expected one row of " + describe(signal) + ", found others");
    return row_of_state(node, std::move(signal), at, true);
  }
  if (axis.role == Role::Feature && axis.length.value && signal.stage != Stage::Cell &&
      signal.stage != Stage::Scores) {
    const auto [from, to] = clamped(node, start, end, static_cast<std::size_t>(*axis.length.value));
    return part_of_features(node, std::move(signal), at, from, to);
  }
  if (axis.role != Role::Time) {
    node.refuse(fmt::format("expected a slice of the time axis, found one of axis {} of {}", at,
                            describe(signal)));
  }
  if (!is_last(start, axis.length) || !is_end(end, axis.length)) {
    node.refuse("expected the last time step of " + describe(signal) +
                ", found a slice that does not start at -1 and go to the end");
  }
  axis = Axis{.role = Role::Unit, .length = known(1)};
  return signal;
}

Signal gather_signal(const Node& node, Signal signal, std::size_t at, const Integer& index,
                     bool keep_axis) {
  const Axis& axis = signal.axes[at];
  switch (axis.role) {
    case Role::Time:
      if (!is_last(index, axis.length)) {
        node.refuse(fmt::format("expected the last time step (-1) of {}, found index {}",
                                describe(signal),
                                index.value ? std::to_string(*index.value) : "a length"));
      }
      break;
    case Role::Unit:
      static_cast<void>(index_below(node, index, 1));
      break;
    case Role::Batch:
      if (axis.length.value && is_given_state(node, signal)) {
        static_cast<void>(index_below(node, index, static_cast<std::size_t>(*axis.length.value)));
        return row_of_state(node, std::move(signal), at, keep_axis);
      }
      break;  // every word of a batch is treated the same
    case Role::Feature:
      if (signal.stage == Stage::Dense || signal.stage == Stage::Scores) {
        node.refuse_unsupported("one class picked from " + describe(signal),
                                "select the class that accepts with `accept-class`; end the graph "
                                "in the scores of all classes");
      }
      node.refuse(fmt::format(
          "expected the last time step of a recurrent layer, found entry {} of axis {} of {}",
          index.value ? std::to_string(*index.value) : "?", at, describe(signal)));
    case Role::Input:
      return at_position(node, std::move(signal), at, index, keep_axis);
  }
  return one_entry(std::move(signal), at, keep_axis);
}

Outputs gather_numbers(const Node& node, Numbers numbers, std::size_t axis, const Integer& index,
                       bool keep_axis) {
  const Integer& dim = numbers.dims[axis];
  if (dim.value) {
    const std::size_t at = index_below(node, index, static_cast<std::size_t>(*dim.value));
    numbers.offset += at * numbers.strides[axis];
  }
  if (keep_axis) {
    numbers.dims[axis] = known(1);
  } else {
    const auto at = static_cast<std::ptrdiff_t>(axis);
    numbers.dims.erase(numbers.dims.begin() + at);
    numbers.strides.erase(numbers.strides.begin() + at);
  }
  return one_output(std::move(numbers));
}

/// Entries of a row of integers, by a list of indices.
Outputs gather_integers(const Node& node, const Integers& row, const Integers& indices) {
  if (row.scalar) node.refuse_input(0, "integers in a row");
  Integers result{.scalar = indices.scalar, .entries = {}};
  for (const Integer& index : indices.entries) {
    result.entries.push_back(row.entries[index_below(node, index, row.entries.size())]);
  }
  return one_output(std::move(result));
}

/// The slices a node asks for: attributes before operator set 10, inputs after.
struct Slices {
  std::vector<Integer> starts;
  std::vector<Integer> ends;
  std::optional<std::vector<std::int64_t>> axes;
};

Slices slices_of(const Node& node) {
  Slices slices;
  if (const auto starts = node.integer_list("starts")) {
    for (const std::int64_t start : *starts) slices.starts.push_back(known(start));
    for (const std::int64_t end : node.integer_list("ends").value_or(std::vector<std::int64_t>{})) {
      slices.ends.push_back(known(end));
    }
    slices.axes = node.integer_list("axes");
  } else {
    slices.starts = node.integers(1).entries;
    slices.ends = node.integers(2).entries;
    if (node.has_input(3)) slices.axes = node.known_integers(3);
    if (node.has_input(4)) {
      for (const std::int64_t step : node.known_integers(4)) {
        if (step != 1) node.refuse(fmt::format("expected steps of 1, found {}", step));
      }
    }
  }
  if (slices.starts.size() != slices.ends.size() ||
      (slices.axes && slices.axes->size() != slices.starts.size())) {
    node.refuse(fmt::format("expected as many starts as ends and axes, found {} and {}",
                            slices.starts.size(), slices.ends.size()));
  }
  if (slices.starts.size() > kMostAxes) {
    node.refuse(fmt::format("expected slices of at most {} axes, found {}", kMostAxes,
                            slices.starts.size()));
  }
  return slices;
}

/// The part of a signal that belongs to the current step of a loop.
Outputs gather_step(const Node& node, const LoopIndex& step, std::int64_t axis) {
  const auto* found = node.input_as<Signal>(0);
  if (found == nullptr) node.refuse_input(0, "the word's symbols or a part of the network");
  Signal signal = *found;
  const std::size_t at = node.axis(axis, signal.axes.size());
  const Axis& steps = signal.axes[at];
  const bool runs_over = steps.role == Role::Time || steps.role == Role::Input;
  const bool as_long =
      (step.length.input_axis && step.length.input_axis == steps.length.input_axis &&
       step.length.offset == steps.length.offset) ||
      step.length.input_axis == kWordLength;
  if (!runs_over || !as_long || signal.scope != 0) {
    node.refuse(fmt::format(
        "expected step after step of the axis that the loop runs over, found axis {} of {}", at,
        describe(signal)));
  }
  signal.scope = step.scope;
  return one_output(one_entry(std::move(signal), at, !step.scalar));
}

/// The sizes of the parts of a Split of `length` entries.
std::vector<std::int64_t> part_sizes(const Node& node, const Integer& length) {
  if (const auto listed = node.integer_list("split")) return *listed;
  if (node.has_input(1)) return node.known_integers(1);
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, node.output_count()));
  node.spend(static_cast<std::size_t>(count));
  const std::int64_t size = length.value.value_or(0);
  // Rounded up, in a way that no length overflows.
  const std::int64_t part = size / count + (size % count == 0 ? 0 : 1);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), part);
  sizes.back() = size - part * (count - 1);
  return sizes;
}

Outputs symbols_one_by_one(const Node& node, const Signal& word, std::size_t at,
                           std::size_t count) {
  Outputs symbols;
  for (std::size_t i = 0; i < count; ++i) {
    const Integer position = known(static_cast<std::int64_t>(i));
    symbols.push_back(std::make_shared<const Value>(at_position(node, word, at, position, true)));
  }
  return symbols;
}

}  // namespace

Outputs gather(const Node& node) {
  const std::int64_t axis = node.integer("axis", 0);
  if (const auto* step = node.input_as<LoopIndex>(1)) return gather_step(node, *step, axis);
  if (node.input_as<BatchOrder>(1) != nullptr) {
    const auto* signal = node.input_as<Signal>(0);
    if (signal == nullptr) node.refuse_input(0, "words or states to put in another order");
    Signal result = *signal;
    Axis& batch = result.axes[node.axis(axis, result.axes.size())];
    if (batch.role != Role::Input && batch.role != Role::Batch && batch.role != Role::Unit) {
      node.refuse_input(0, fmt::format("a batch on axis {}", axis));
    }
    if (batch.role == Role::Input) batch.role = Role::Batch;
    return one_output(std::move(result));
  }
  if (const auto* symbols = node.input_as<Signal>(1)) {
    const Numbers& table = node.numbers(0, "the table of an embedding");
    if (table.rank() != 2 || node.axis(axis, 2) != 0) {
      node.refuse_input(0, "an embedding of shape [symbols, width], looked up along axis 0");
    }
    return embed(node, table, *symbols);
  }
  if (node.has_input(1) && node.input_as<Numbers>(1) != nullptr &&
      node.input_as<Numbers>(1)->rank() > 1) {
    node.refuse_input(1, "one index");
  }
  const Integers indices = node.integers(1);
  if (node.input_as<Integers>(0) != nullptr) {
    static_cast<void>(node.axis(axis, 1));
    return gather_integers(node, node.integers(0), indices);
  }
  if (indices.entries.size() != 1) {
    // Several entries of a constant row, as in a shape that is computed.
    const auto* row = node.input_as<Numbers>(0);
    if (row == nullptr || row->rank() != 1) node.refuse_input(1, "one index");
    return gather_integers(node, node.integers(0), indices);
  }
  const Integer& index = indices.entries.front();
  const bool keep_axis = !indices.scalar;
  if (const auto* stack = node.input_as<Stack>(0)) {
    if (node.axis(axis, stack->parts.front().axes.size()) != stack->axis) {
      node.refuse("expected one of " + describe(node.input(0)) +
                  ", found an index on another axis");
    }
    return one_output(one_entry(stack->parts[index_below(node, index, stack->parts.size())],
                                stack->axis, keep_axis));
  }
  if (const auto* signal = node.input_as<Signal>(0)) {
    return one_output(
        gather_signal(node, *signal, node.axis(axis, signal->axes.size()), index, keep_axis));
  }
  const Numbers& numbers = node.numbers(0, "a constant, a shape or a signal");
  return gather_numbers(node, numbers, node.axis(axis, numbers.rank()), index, keep_axis);
}

Outputs slice(const Node& node) {
  const Slices slices = slices_of(node);
  const auto axis_at = [&](std::size_t i, std::size_t rank) {
    return node.axis(slices.axes ? (*slices.axes)[i] : static_cast<std::int64_t>(i), rank);
  };
  if (const auto* integers = node.input_as<Integers>(0)) {
    if (integers->scalar || slices.starts.size() != 1) node.refuse_input(0, "integers in a row");
    static_cast<void>(axis_at(0, 1));
    const Integers row = node.integers(0);
    const auto [from, to] =
        clamped(node, slices.starts.front(), slices.ends.front(), row.entries.size());
    return one_output(Integers{.scalar = false,
                               .entries = {row.entries.begin() + static_cast<std::ptrdiff_t>(from),
                                           row.entries.begin() + static_cast<std::ptrdiff_t>(to)}});
  }
  if (const auto* stack = node.input_as<Stack>(0)) {
    if (slices.starts.size() != 1 || axis_at(0, stack->parts.front().axes.size()) != stack->axis) {
      node.refuse("expected one of " + describe(node.input(0)) + ", found a slice of other axes");
    }
    const auto [from, to] =
        clamped(node, slices.starts.front(), slices.ends.front(), stack->parts.size());
    if (to != from + 1) {
      node.refuse(
          fmt::format("expected one of {}, found {} of them", describe(node.input(0)), to - from));
    }
    return one_output(stack->parts[from]);
  }
  if (const auto* signal = node.input_as<Signal>(0)) {
    Signal result = *signal;
    for (std::size_t i = 0; i < slices.starts.size(); ++i) {
      const std::size_t axis = axis_at(i, result.axes.size());
      result = slice_signal(node, std::move(result), axis, slices.starts[i], slices.ends[i]);
    }
    return one_output(std::move(result));
  }
  Numbers result = node.numbers(0, "a constant, a shape or a signal");
  for (std::size_t i = 0; i < slices.starts.size(); ++i) {
    const std::size_t axis = axis_at(i, result.rank());
    result = slice_numbers(node, std::move(result), axis, slices.starts[i], slices.ends[i]);
  }
  return one_output(std::move(result));
}

Outputs gather_elements(const Node& node) {
  const auto* signal = node.input_as<Signal>(0);
  const auto* position = node.input_as<Position>(1);
  if (signal == nullptr) node.refuse_input(0, "a recurrent layer");
  if (position == nullptr || position->dims.size() != signal->axes.size()) {
    node.refuse_input(1, "the index of the last time step");
  }
  const std::size_t axis = node.axis(node.integer("axis", 0), signal->axes.size());
  for (std::size_t i = 0; i < signal->axes.size(); ++i) {
    const bool whole = i == axis ? position->dims[i].is(1)
                                 : signal->axes[i].role != Role::Feature ||
                                       position->dims[i].value == signal->axes[i].length.value;
    if (!whole) node.refuse_input(1, "one index for all entries of " + describe(*signal));
  }
  return one_output(gather_signal(node, *signal, axis, position->at, true));
}

Outputs split(const Node& node) {
  if (const auto* given = node.input_as<Signal>(0);
      given != nullptr && is_given_state(node, *given)) {
    const std::size_t at = node.axis(node.integer("axis", 0), given->axes.size());
    if (given->axes[at].role == Role::Batch &&
        given->axes[at].length.is(static_cast<std::int64_t>(node.output_count()))) {
      Outputs rows;
      for (std::size_t i = 0; i < node.output_count(); ++i) {
        rows.push_back(std::make_shared<const Value>(row_of_state(node, *given, at, true)));
      }
      return rows;
    }
  }
  if (const auto* word = node.input_as<Signal>(0)) {
    const std::size_t at = node.axis(node.integer("axis", 0), word->axes.size());
    if (word->axes[at].role == Role::Input) {
      const auto steps = part_sizes(node, word->axes[at].length);
      const bool one_by_one =
          std::all_of(steps.begin(), steps.end(), [](std::int64_t part) { return part == 1; });
      if (one_by_one) return symbols_one_by_one(node, *word, at, steps.size());
    }
  }
  const Signal signal = featured_input(node, 0, "features to split");
  const std::size_t axis = node.axis(node.integer("axis", 0), signal.axes.size());
  if (feature_axis(node, 0, signal) != axis) {
    node.refuse(fmt::format("expected features to split on axis {}, found another axis of {}", axis,
                            describe(signal)));
  }
  const auto size = static_cast<std::size_t>(signal.axes[axis].length.value.value_or(0));
  const std::vector<std::int64_t> sizes = part_sizes(node, signal.axes[axis].length);
  Outputs outputs;
  std::size_t from = 0;
  for (const std::int64_t part : sizes) {
    if (part < 1 || static_cast<std::size_t>(part) > size - from) {
      node.refuse(fmt::format("expected parts of {} entries, found others", size));
    }
    const std::size_t to = from + static_cast<std::size_t>(part);
    outputs.push_back(
        std::make_shared<const Value>(part_of_features(node, signal, axis, from, to)));
    from = to;
  }
  return outputs;
}

Outputs top_k(const Node& node) {
  const Integers lengths = node.integers(0);
  if (lengths.entries.size() != 1 || lengths.entries.front().input_axis != kWordLength) {
    node.refuse_input(0, "the lengths of the words");
  }
  return {node.shared_input(0), std::make_shared<const Value>(BatchOrder{})};
}

Outputs scatter_elements(const Node& node) {
  if (node.input_as<BatchOrder>(1) == nullptr) node.refuse_input(1, "an order of the batch");
  return {node.shared_input(1)};
}

}  // namespace rnnalf::onnx_impl
