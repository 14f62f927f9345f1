#include <fmt/core.h>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

/// Features one behind the other.
Outputs joined_signals(const Node& node) {
  Signal result;
  Link link{JoinPart{}, {}};
  std::int64_t size = 0;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    const Signal signal = featured_input(node, slot, "a signal like the other inputs");
    const std::size_t axis = node.axis(node.integer("axis", 0), signal.axes.size());
    if (feature_axis(node, slot, signal) != axis) {
      node.refuse_input(slot, fmt::format("features to join on axis {}", axis));
    }
    link.inputs.push_back(link_of(node, signal));
    size += signal.axes[axis].length.value.value_or(0);
    if (slot == 0) {
      result = signal;
    } else {
      Signal as_wide = signal;
      as_wide.axes[axis].length = result.axes[axis].length;
      result.axes = combined_axes(node, result, as_wide);
    }
  }
  node.spend(static_cast<std::size_t>(size));  // a vector joined to itself doubles
  result.axes[feature_axis(node, 0, result)].length = known(size);
  return output_signal(node, std::move(result), Stage::Dense, std::move(link));
}

Outputs stack_of_signals(const Node& node) {
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    const auto* first = node.input_as<Signal>(slot);
    if (first == nullptr) continue;
    const Signal signal = with_features(*first);
    const std::size_t axis = node.axis(node.integer("axis", 0), signal.axes.size());
    if (signal.axes[axis].role == Role::Feature) return joined_signals(node);
    break;
  }
  Stack stack;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    const auto* signal = node.input_as<Signal>(slot);
    if (signal == nullptr) node.refuse_input(slot, "a signal like the other inputs");
    stack.axis = node.axis(node.integer("axis", 0), signal->axes.size());
    const Axis& axis = signal->axes[stack.axis];
    if (axis.role != Role::Unit) {
      node.refuse_unsupported("joining " + describe(node.input(0)) + " and " + describe(*signal),
                              "a network is read as a chain of layers; only final states can be "
                              "stacked, and one of them picked");
    }
    if (signal->axes.size() != std::get<Signal>(node.input(0)).axes.size()) {
      node.refuse("expected inputs with the same axes, found different ones");
    }
    stack.parts.push_back(*signal);
  }
  return one_output(std::move(stack));
}

Outputs joined_numbers(const Node& node) {
  const Numbers& first = node.numbers(0, "a constant");
  const std::size_t axis = node.axis(node.integer("axis", 0), first.rank());
  std::vector<Integer> dims = first.dims;
  std::size_t along = 0;
  std::size_t outer = 1;
  std::vector<std::vector<double>> parts;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    const Numbers& part = node.numbers(slot, "a constant like the other inputs");
    if (part.rank() != first.rank()) node.refuse_input(slot, "shape " + shape_text(first.dims));
    for (std::size_t i = 0; i < part.rank(); ++i) {
      if (i != axis && part.dims[i].value != first.dims[i].value) {
        node.refuse_input(slot,
                          fmt::format("shape {} but for axis {}", shape_text(first.dims), axis));
      }
    }
    parts.push_back(node.entries(part));
    along += static_cast<std::size_t>(*part.dims[axis].value);
  }
  for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(*dims[i].value);
  std::size_t total = 0;
  for (const auto& part : parts) total += part.size();
  node.spend(total);
  std::vector<double> values;
  values.reserve(total);
  for (std::size_t row = 0; row < outer && total > 0; ++row) {
    for (const auto& part : parts) {
      const std::size_t run = part.size() / outer;
      const auto begin = part.begin() + static_cast<std::ptrdiff_t>(row * run);
      values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(run));
    }
  }
  dims[axis] = known(static_cast<std::int64_t>(along));
  return one_output(Numbers::contiguous(std::move(dims), std::move(values)));
}

}  // namespace

Outputs concat(const Node& node) {
  if (node.input_count() == 1) return {node.shared_input(0)};
  bool lengths = false;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    if (node.input_as<Signal>(slot) != nullptr) return stack_of_signals(node);
    lengths = lengths || node.input_as<Integers>(slot) != nullptr;
  }
  if (!lengths) return joined_numbers(node);
  Integers result;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    const Integers part = node.integers(slot);
    if (part.scalar) node.refuse_input(slot, "integers in a row");
    result.entries.insert(result.entries.end(), part.entries.begin(), part.entries.end());
  }
  return one_output(std::move(result));
}

}  // namespace rnnalf::onnx_impl
