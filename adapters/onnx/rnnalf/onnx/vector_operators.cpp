// Arithmetic on signals. Two signals are combined entry by entry; a signal and a constant become a
// scale and a shift, which later fold into a dense layer. A reduction over time becomes a mean, sum
// or maximum that is collected step by step; a sum divided by the length of the word is recognised
// as a mean.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

constexpr const char* kVector = "a part of the network or a constant";

StepOperation operation_of(const Node& node) {
  struct Known {
    std::string_view op;
    StepOperation operation;
  };
  constexpr Known operations[] = {
      {"Add", StepOperation::Add},      {"Sub", StepOperation::Subtract},
      {"Mul", StepOperation::Multiply}, {"Div", StepOperation::Divide},
      {"Max", StepOperation::Maximum},  {"Min", StepOperation::Minimum}};
  for (const Known& entry : operations) {
    if (entry.op == node.op()) return entry.operation;
  }
  node.refuse_unsupported("this operator on " + describe(node.input(0)),
                          "a step is read as products and operations on vectors");
}

Outputs rescaled(const Node& node, Signal signal, std::vector<double> scale,
                 std::vector<double> shift) {
  const std::size_t input = link_of(node, signal);
  return output_signal(node, std::move(signal), Stage::Dense,
                       {RescalePart{std::move(scale), std::move(shift)}, {input}});
}

/// A signal and a constant, in the order of the node's inputs.
Outputs with_constant(const Node& node, std::size_t slot, std::vector<double> constant) {
  Signal signal = featured_input(node, slot, kVector);
  const StepOperation operation = operation_of(node);
  const bool first = slot == 0;
  const std::vector<double> ones(constant.size(), 1);
  const std::vector<double> zeros(constant.size(), 0);
  switch (operation) {
    case StepOperation::Add:
      return rescaled(node, std::move(signal), ones, std::move(constant));
    case StepOperation::Multiply:
      return rescaled(node, std::move(signal), std::move(constant), zeros);
    case StepOperation::Subtract: {
      std::vector<double> scale = ones;
      for (double& number : first ? constant : scale) number = -number;
      return rescaled(node, std::move(signal), std::move(scale), std::move(constant));
    }
    case StepOperation::Divide:
      if (!first) break;
      for (double& number : constant) number = 1 / number;
      return rescaled(node, std::move(signal), std::move(constant), zeros);
    default:
      break;
  }
  const std::size_t input = link_of(node, signal);
  node.context.links.push_back({ConstantPart{std::move(constant)}, {}});
  const std::size_t other = node.context.links.size() - 1;
  Link link{CombinePart{operation}, {input, other}};
  if (!first) std::swap(link.inputs[0], link.inputs[1]);
  return output_signal(node, std::move(signal), Stage::Dense, std::move(link));
}

Outputs power(const Node& node) {
  const Signal signal = featured_input(node, 0, kVector);
  const Numbers& exponent = node.numbers(1, "a constant exponent");
  if (exponent.count() != 1U) node.refuse_input(1, "one exponent");
  const std::size_t x = link_of(node, signal);
  const auto features =
      static_cast<std::size_t>(signal.axes[feature_axis(node, 0, signal)].length.value.value_or(0));
  if (exponent.front() == 0.5) {
    return output_signal(node, signal, Stage::Dense,
                         {DensePart{{}, 1, features, {}, Activation::Sqrt, 0}, {x}});
  }
  if (exponent.front() != 2 && exponent.front() != 3) {
    node.refuse_unsupported("a power other than 0.5, 2 or 3", "no layer of a network needs it");
  }
  std::size_t result = x;
  for (int i = 1; i < static_cast<int>(exponent.front()); ++i) {
    node.context.links.push_back({CombinePart{StepOperation::Multiply}, {result, x}});
    result = node.context.links.size() - 1;
  }
  Signal powered = signal;
  powered.stage = Stage::Dense;
  powered.link = result;
  powered.name = node.output_name(0);
  return one_output(std::move(powered));
}

/// The sum over the word divided by its length.
std::optional<Outputs> mean_of_sum(const Node& node) {
  const auto* sum = node.input_as<Signal>(0);
  const auto* length = node.input_as<Integers>(1);
  if (node.op() != "Div" || sum == nullptr || !sum->link || length == nullptr ||
      length->entries.size() != 1 || !length->entries.front().input_axis ||
      length->entries.front().offset != 0) {
    return std::nullopt;
  }
  Link link = node.context.links[*sum->link];
  auto* collected = std::get_if<CollectPart>(&link.part);
  if (collected == nullptr || collected->from != HeadFrom::Sum) return std::nullopt;
  const Integer& divisor = length->entries.front();
  if (divisor.input_axis != kWordLength && divisor.input_axis != collected->over) {
    return std::nullopt;
  }
  collected->from = HeadFrom::Mean;
  return output_signal(node, *sum, Stage::Dense, std::move(link));
}

std::vector<double> parameters(const Node& node, std::size_t slot, std::size_t features,
                               const char* what) {
  const Numbers& numbers = node.numbers(slot, std::string("constant ") + what);
  if (numbers.rank() != 1 || !numbers.dims[0].is(static_cast<std::int64_t>(features))) {
    node.refuse_input(slot, fmt::format("{} numbers ({})", features, what));
  }
  return node.entries(numbers);
}

/// The one axis of `listed` that is not single; none when all are.
std::optional<std::size_t> reduced_axis(const Node& node, const Signal& signal,
                                        const std::vector<std::size_t>& listed) {
  std::optional<std::size_t> found;
  for (const std::size_t axis : listed) {
    if (is_single(signal.axes[axis])) continue;
    if (found) node.refuse("expected one axis to reduce, found several of " + describe(signal));
    found = axis;
  }
  return found;
}

}  // namespace

std::size_t feature_axis(const Node& node, std::size_t slot, const Signal& signal) {
  for (std::size_t i = signal.axes.size(); i-- > 0;) {
    if (signal.axes[i].role == Role::Feature) return i;
  }
  node.refuse_input(slot, "a vector of features");
}

std::vector<double> feature_constant(const Node& node, std::size_t slot, const Signal& signal) {
  Numbers constant = node.numbers(slot, kVector);
  const std::size_t axis = feature_axis(node, 1 - slot, signal);
  const std::size_t behind = signal.axes.size() - axis;  // axes from the features on
  bool fits = constant.rank() <= signal.axes.size();
  for (std::size_t i = 0; fits && i < constant.rank(); ++i) {
    const bool features = constant.rank() - i == behind;
    if (!features && constant.strides[i] == 0) constant.dims[i] = known(1);  // the same for a batch
    fits = constant.dims[i].is(1) ||
           (features && constant.dims[i].value == signal.axes[axis].length.value);
  }
  if (!fits) node.refuse_input(slot, "one number, or one for every feature");
  return node.entries(constant);
}

std::vector<Axis> combined_axes(const Node& node, const Signal& a, const Signal& b) {
  const auto refuse = [&]() {
    node.refuse("expected " + describe(a) + " and " + describe(b) +
                " to be combined entry by entry and step by step, found axes that do not fit");
  };
  if (a.scope != b.scope) {
    node.refuse_unsupported("combining " + describe(a) + " and " + describe(b),
                            "one belongs to a step of a loop and the other does not");
  }
  const Signal& longer = a.axes.size() >= b.axes.size() ? a : b;
  const Signal& shorter = a.axes.size() >= b.axes.size() ? b : a;
  std::vector<Axis> axes = longer.axes;
  const std::size_t extra = longer.axes.size() - shorter.axes.size();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i < extra) {
      if (!is_single(axes[i])) refuse();
      continue;
    }
    const Axis& other = shorter.axes[i - extra];
    Axis& axis = axes[i];
    if (axis.role == Role::Feature || other.role == Role::Feature) {
      if (axis.role != other.role) refuse();
      const bool equal = axis.length.value == other.length.value;
      if (!equal && !axis.length.is(1) && !other.length.is(1)) refuse();
      if (axis.length.is(1)) axis.length = other.length;
      continue;
    }
    const bool same_length = axis.length.input_axis && other.length.input_axis
                                 ? axis.length.input_axis == other.length.input_axis
                                 : true;
    if (axis.role == Role::Time || other.role == Role::Time) {
      // Either may still be an axis of the input, of which it is not yet known what it is.
      const bool fits = (axis.role == Role::Time || axis.role == Role::Input) &&
                        (other.role == Role::Time || other.role == Role::Input) && same_length;
      if (!fits) refuse();
      if (other.role == Role::Time) axis = other;
      continue;
    }
    if (is_single(axis) != is_single(other)) {
      if (axis.role != Role::Input && other.role != Role::Input) refuse();
      if (axis.role == Role::Input && !axis.length.is(1) && other.role == Role::Unit) refuse();
      if (other.role == Role::Input && !other.length.is(1) && axis.role == Role::Unit) refuse();
    }
    if (axis.role == Role::Unit || (axis.role == Role::Input && other.role == Role::Batch)) {
      axis = other;
    }
  }
  return axes;
}

Outputs arithmetic(const Node& node) {
  const bool first = node.input_as<Signal>(0) != nullptr;
  const bool second = node.input_as<Signal>(1) != nullptr;
  for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
    if (node.input_as<Stack>(slot) != nullptr) node.refuse_input(slot, kVector);
  }
  if (node.op() == "Neg") {
    if (!first) node.refuse_input(0, kVector);
    return rescaled(node, featured_input(node, 0, kVector), {-1}, {0});
  }
  if (node.input_count() != 2 && (node.op() == "Max" || node.op() == "Min")) {
    node.refuse(fmt::format("expected 2 inputs, found {}", node.input_count()));
  }
  if (!first && !second) {
    // Lengths have one axis at most; what has more is a state before the first step.
    for (const std::size_t slot : {0U, 1U}) {
      const auto* state = node.input_as<Numbers>(slot);
      if (state == nullptr || state->rank() < 2 || node.op() == "Pow") continue;
      return with_constant(node, slot,
                           feature_constant(node, 1 - slot, featured_input(node, slot, kVector)));
    }
    return length_arithmetic(node);
  }
  if (node.op() == "Pow") return power(node);
  if (first && second) {
    Signal a = featured_input(node, 0, kVector);
    const Signal b = featured_input(node, 1, kVector);
    a.axes = combined_axes(node, a, b);
    Link link{CombinePart{operation_of(node)}, {}};
    link.inputs = {link_of(node, a), link_of(node, b)};
    return output_signal(node, std::move(a), Stage::Dense, std::move(link));
  }
  if (auto mean = mean_of_sum(node)) return *std::move(mean);
  const std::size_t slot = first ? 0 : 1;
  const Signal signal = featured_input(node, slot, kVector);
  return with_constant(node, slot, feature_constant(node, 1 - slot, signal));
}

Outputs layer_normalization(const Node& node) {
  Signal signal = featured_input(node, 0, kVector);
  const std::size_t axis = node.axis(node.integer("axis", -1), signal.axes.size());
  if (axis + 1 != signal.axes.size() || feature_axis(node, 0, signal) != axis) {
    node.refuse(
        fmt::format("attribute 'axis': expected the last axis, the features, found {} of {}", axis,
                    describe(signal)));
  }
  const auto features = static_cast<std::size_t>(signal.axes[axis].length.value.value_or(0));
  const std::size_t input = link_of(node, signal);
  node.context.links.push_back({NormalisePart{node.number("epsilon", 1e-5)}, {input}});
  signal.link = node.context.links.size() - 1;
  std::vector<double> scale = parameters(node, 1, features, "scale");
  std::vector<double> shift =
      node.has_input(2) ? parameters(node, 2, features, "bias") : std::vector<double>(features, 0);
  return rescaled(node, std::move(signal), std::move(scale), std::move(shift));
}

Outputs batch_normalization(const Node& node) {
  if (node.integer("training_mode", 0) != 0) {
    node.refuse_unsupported("normalisation in training mode", "its answers depend on the batch");
  }
  Signal signal = featured_input(node, 0, kVector);
  if (signal.axes.size() < 2 || signal.axes[1].role != Role::Feature) {
    node.refuse_input(0, "the features on axis 1");
  }
  const auto features = static_cast<std::size_t>(signal.axes[1].length.value.value_or(0));
  std::vector<double> scale = parameters(node, 1, features, "scale");
  std::vector<double> shift = parameters(node, 2, features, "bias");
  const std::vector<double> mean = parameters(node, 3, features, "mean");
  const std::vector<double> variance = parameters(node, 4, features, "variance");
  const double epsilon = node.number("epsilon", 1e-5);
  for (std::size_t i = 0; i < features; ++i) {
    scale[i] /= std::sqrt(variance[i] + epsilon);
    shift[i] -= mean[i] * scale[i];
  }
  return rescaled(node, std::move(signal), std::move(scale), std::move(shift));
}

namespace {

/// Mean, sum or largest of the states of all steps of a loop that is written out.
Outputs reduce_steps(const Node& node, const Stack& steps) {
  const auto axes = node.axes(1);
  const Signal& last = steps.parts.back();
  const bool over_steps = axes && axes->size() == 1 && !node.op().starts_with("Global") &&
                          node.axis(axes->front(), last.axes.size()) == steps.axis;
  if (!over_steps) node.refuse_input(0, "a stack of the states of all steps, reduced over them");
  Link link{CollectPart{node.op() == "ReduceMean"  ? HeadFrom::Mean
                        : node.op() == "ReduceSum" ? HeadFrom::Sum
                                                   : HeadFrom::Max}};
  for (const Signal& step : steps.parts) link.inputs.push_back(link_of(node, step));
  Signal result = last;
  if (node.integer("keepdims", 1) == 0) {
    result.axes.erase(result.axes.begin() + static_cast<std::ptrdiff_t>(steps.axis));
  }
  return output_signal(node, std::move(result), Stage::Dense, std::move(link));
}

}  // namespace

Outputs reduce(const Node& node) {
  if (const auto* steps = node.input_as<Stack>(0)) return reduce_steps(node, *steps);
  Signal signal = featured_input(node, 0, "a recurrent layer's states or a vector");
  const bool global = node.op().starts_with("Global");
  std::vector<std::size_t> listed;
  if (global) {
    for (std::size_t i = 2; i < signal.axes.size(); ++i) listed.push_back(i);
  } else if (const auto axes = node.axes(1)) {
    for (const std::int64_t axis : *axes) listed.push_back(node.axis(axis, signal.axes.size()));
  } else {
    for (std::size_t i = 0; i < signal.axes.size(); ++i) listed.push_back(i);
  }
  const bool keep = global || node.integer("keepdims", 1) != 0;
  const auto axis = reduced_axis(node, signal, listed);
  const auto drop = [&](Signal& from) {
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    for (std::size_t i = listed.size(); i-- > 0;) {
      if (keep) {
        const Role role = from.axes[listed[i]].role;
        from.axes[listed[i]] = {.role = role == Role::Feature ? role : Role::Unit,
                                .length = known(1)};
      } else {
        from.axes.erase(from.axes.begin() + static_cast<std::ptrdiff_t>(listed[i]));
      }
    }
  };
  if (!axis) {
    drop(signal);
    return one_output(std::move(signal));
  }
  const bool mean = node.op() == "ReduceMean" || node.op() == "GlobalAveragePool";
  const bool sum = node.op() == "ReduceSum";
  const std::size_t input = link_of(node, signal);
  if (signal.axes[*axis].role == Role::Feature) {
    const auto features = signal.axes[*axis].length;
    if (!keep || (!mean && !sum) || !features.value || *features.value < 1) {
      node.refuse_unsupported(
          "a reduction of features other than their mean or sum, kept as an axis",
          "no layer of a network needs it");
    }
    const double weight = mean ? 1 / static_cast<double>(*features.value) : 1;
    drop(signal);
    return output_signal(
        node, std::move(signal), Stage::Dense,
        {DensePart{Numbers::filled({known(1), features}, weight), 1, 1, {}, Activation::None, 0},
         {input}});
  }
  if (signal.axes[*axis].role != Role::Time || signal.scope != 0) {
    node.refuse(fmt::format(
        "expected the time axis of a recurrent layer or its features, found axis {} of {}", *axis,
        describe(signal)));
  }
  const HeadFrom from = mean ? HeadFrom::Mean : sum ? HeadFrom::Sum : HeadFrom::Max;
  const std::size_t over = signal.axes[*axis].length.input_axis.value_or(kWordLength);
  drop(signal);
  return output_signal(node, std::move(signal), Stage::Dense, {CollectPart{from, over}, {input}});
}

}  // namespace rnnalf::onnx_impl
