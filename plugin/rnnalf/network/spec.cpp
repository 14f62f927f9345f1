#include "rnnalf/network/spec.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/number_check.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kMostClasses = 0xffff;

/// A one-hot vector that is not the input of a product becomes a table of this many rows squared.
constexpr std::size_t kMostOneHotSymbols = 2048;

/// Checks one list of nodes of a step graph.
void validate_nodes(const StepGraph& graph, const std::vector<StepNode>& nodes, bool readout,
                    const NumberCheck& check) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const StepNode& node = nodes[i];
    const std::string what =
        fmt::format("{}{}: ", (readout ? "readout node " : "step node "), i + 1);
    if (node.size == 0) check.refuse(what + "expected a vector of some numbers, found none");
    std::size_t wanted = 2;  // inputs
    switch (node.operation) {
      case StepOperation::Symbol:
      case StepOperation::State:
      case StepOperation::Constant:
        wanted = 0;
        break;
      case StepOperation::Product:
      case StepOperation::Activate:
      case StepOperation::Part:
      case StepOperation::Normalise:
        wanted = 1;
        break;
      case StepOperation::Join:
        wanted = std::max<std::size_t>(1, node.inputs.size());
        break;
      default:
        break;
    }
    if (node.inputs.size() != wanted) {
      check.refuse(fmt::format("{}expected {} inputs, found {}", what, wanted, node.inputs.size()));
    }
    std::size_t joined = 0;
    for (const std::size_t input : node.inputs) {
      if (input >= i) check.refuse(what + "expected earlier nodes as inputs, found a later one");
      joined += nodes[input].size;
    }
    const auto size_of = [&](std::size_t slot) { return nodes[node.inputs[slot]].size; };
    const auto expect_size = [&](std::size_t size) {
      if (node.size != size) {
        check.refuse(fmt::format("{}expected {} numbers, found {}", what, size, node.size));
      }
    };
    switch (node.operation) {
      case StepOperation::Symbol:
        if (readout) check.refuse(what + "expected states alone, found the symbol");
        if (node.weights.values.empty()) {
          expect_size(graph.symbols);
        } else {
          check.matrix(node.weights, graph.symbols, node.size, what + "table");
        }
        break;
      case StepOperation::State:
        if (node.from >= graph.states.size()) check.refuse(what + "expected a state, found none");
        expect_size(graph.states[node.from].size);
        break;
      case StepOperation::Constant:
        expect_size(node.values.size());
        check.vector(node.values, node.size, what + "constant");
        break;
      case StepOperation::Product:
        check.matrix(node.weights, node.size, size_of(0), what + "weights");
        check.vector(node.values, node.size, what + "bias");
        break;
      case StepOperation::Activate:
      case StepOperation::Normalise:
        expect_size(size_of(0));
        check.vector({node.slope}, 1, what + "slope");
        break;
      case StepOperation::Join:
        expect_size(joined);
        break;
      case StepOperation::Part:
        if (node.from > size_of(0) || node.size > size_of(0) - node.from) {
          check.refuse(
              fmt::format("{}expected a part of {} numbers, found more", what, size_of(0)));
        }
        break;
      default:
        expect_size(std::max(size_of(0), size_of(1)));
        if (size_of(0) != size_of(1) && size_of(0) != 1 && size_of(1) != 1) {
          check.refuse(fmt::format("{}expected vectors of one size, found {} and {}", what,
                                   size_of(0), size_of(1)));
        }
        break;
    }
    for (const std::size_t input : node.inputs) {
      const StepNode& from = nodes[input];
      if (from.operation == StepOperation::Symbol && from.weights.values.empty() &&
          from.size > kMostOneHotSymbols && !is_symbol_table(nodes, i)) {
        check.refuse(
            fmt::format("{}expected a product of one-hot symbols, or at most {} symbols, found {}",
                        what, kMostOneHotSymbols, from.size));
      }
    }
  }
}

/// Checks a step graph; returns how many numbers the head reads.
std::size_t validate_step(const StepGraph& graph, const NumberCheck& check) {
  if (graph.states.empty()) check.refuse("step graph: expected a state, found none");
  if (graph.readout.empty()) check.refuse("step graph: expected a readout, found none");
  validate_nodes(graph, graph.step, false, check);
  validate_nodes(graph, graph.readout, true, check);
  for (std::size_t i = 0; i < graph.states.size(); ++i) {
    const StepState& state = graph.states[i];
    const std::string what = fmt::format("state {}: ", i + 1);
    check.vector(state.initial, state.size, what + "initial value");
    if (state.next >= graph.step.size() || graph.step[state.next].size != state.size) {
      check.refuse(
          fmt::format("{}expected a next value of {} numbers, found another", what, state.size));
    }
  }
  return graph.readout_size();
}

/// Checks that nodes refer to earlier ones and numbers are finite; whether sizes fit shows when it
/// is run. Returns how many numbers the head reads.
std::size_t validate_word_graph(const WordGraph& graph, const NumberCheck& check) {
  if (graph.nodes.empty()) check.refuse("word graph: expected a node, found none");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const WordNode& node = graph.nodes[i];
    const std::string what = fmt::format("word node {}: ", i + 1);
    for (const std::size_t input : node.inputs) {
      if (input != kNoWordNode && input >= i) {
        check.refuse(what + "expected earlier nodes as inputs, found a later one");
      }
    }
    if (!node.layer) continue;
    for (const auto* weights : {&node.layer->input_weights, &node.layer->hidden_weights,
                                &node.layer->input_bias, &node.layer->hidden_bias}) {
      check.vector(*weights, weights->size(), what + "weights");
    }
  }
  return graph.features;
}

}  // namespace

std::string_view name(Output output) noexcept {
  constexpr std::array<std::string_view, 4> names = {"raw", "sigmoid", "softmax", "log-softmax"};
  return names[static_cast<std::size_t>(output)];
}

std::size_t NetworkSpec::parameter_count() const {
  std::size_t count = 0;
  if (word_graph) {
    for (const WordNode& node : word_graph->nodes) {
      count += node.constant.values.size();
      if (node.layer) count += node.layer->parameter_count();
    }
  }
  for (const auto* nodes : {&step.step, &step.readout}) {
    for (const StepNode& node : *nodes) {
      // A single number is part of a formula, such as the 1 of 1 - z.
      if (node.operation == StepOperation::Constant && node.size == 1) continue;
      count += node.weights.values.size() + node.values.size();
    }
  }
  for (const DenseLayer& dense : head) count += dense.weights.values.size() + dense.bias.size();
  return count;
}

bool NetworkSpec::is_plain() const {
  const auto stack = stack_of(step);
  return stack && stack->head_from == std::vector<HeadFrom>{HeadFrom::Last} &&
         std::all_of(head.begin(), head.end(), [](const DenseLayer& dense) {
           return !dense.normalise && dense.activation <= Activation::Sigmoid;
         });
}

void validate(const NetworkSpec& spec) {
  const NumberCheck check(spec.file);
  if (spec.head.empty())
    check.refuse("expected at least one dense layer after the recurrent ones, found none");
  if (spec.symbol_count() == 0) check.refuse("expected at least one input symbol, found none");
  if (spec.alphabet.size() != spec.symbol_count()) {
    check.refuse(fmt::format("alphabet: expected {} symbols, found {}", spec.symbol_count(),
                             spec.alphabet.size()));
  }

  std::size_t inputs = spec.word_graph ? validate_word_graph(*spec.word_graph, check)
                                       : validate_step(spec.step, check);
  for (std::size_t i = 0; i < spec.head.size(); ++i) {
    const DenseLayer& dense = spec.head[i];
    const std::string what = fmt::format("dense layer {}: ", i + 1);
    if (dense.weights.rows == 0) check.refuse(what + "expected at least one output, found none");
    check.matrix(dense.weights, dense.weights.rows, inputs, what + "weights");
    check.vector(dense.bias, dense.weights.rows, what + "bias");
    check.vector({dense.slope, dense.normalise.value_or(0)}, 2, what + "slope and epsilon");
    inputs = dense.weights.rows;
  }

  const std::size_t outputs = spec.output_count();
  if (!spec.classes.empty() && outputs == 1) {
    check.refuse("classes: expected several outputs to name, found 1");
  }
  if (!spec.classes.empty() && spec.classes.size() != outputs) {
    check.refuse(fmt::format("classes: expected {} names, one for each output, found {}", outputs,
                             spec.classes.size()));
  }
  if (spec.accept_class && *spec.accept_class >= outputs) {
    check.refuse(
        fmt::format("accept class: expected 0 to {}, found {}", outputs - 1, *spec.accept_class));
  }
  if (spec.answer_count() > kMostClasses) {
    check.refuse(fmt::format(
        "expected at most {} output classes, found {}: `accept-class` asks about one of them",
        kMostClasses, outputs));
  }
  if (outputs == 1 && (spec.output == Output::Softmax || spec.output == Output::LogSoftmax)) {
    check.refuse("expected several outputs before a softmax, found 1");
  }
  for (const Probe& probe : spec.probes) {
    const std::size_t given = probe.classes.empty() ? 1 : probe.classes.size();
    if (given != outputs && (given > 1 || spec.answer_count() > 2)) {
      check.refuse(fmt::format("probe: expected {} probabilities, one for each class, found {}",
                               outputs, given));
    }
    for (const Symbol symbol : probe.word) {
      if (index(symbol) >= spec.symbol_count()) {
        check.refuse(fmt::format("probe: expected symbols below {}, found {}", spec.symbol_count(),
                                 index(symbol)));
      }
    }
  }
}

void recognise_padding(NetworkSpec& spec) {
  // The tables in which symbols are looked up: as many rows as there are symbols.
  const auto zero_rows = [&](const std::vector<double>& values, std::size_t width) {
    std::vector<Symbol> zero;
    for (std::size_t row = 0; row < spec.symbol_count(); ++row) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * width);
      const auto is_zero = [](double x) { return x == 0; };
      if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(width), is_zero)) {
        zero.push_back(static_cast<Symbol>(row));
      }
    }
    return zero;
  };
  std::vector<Symbol> zero;
  for (const StepNode& node : spec.step.step) {
    const bool looked_up = node.operation == StepOperation::Symbol && node.weights.cols > 0;
    if (looked_up) zero = zero_rows(node.weights.values, node.weights.cols);
  }
  if (spec.word_graph) {
    const std::vector<WordNode>& nodes = spec.word_graph->nodes;
    for (const WordNode& node : nodes) {
      if (node.operation != WordOperation::Gather) continue;
      const WordTensor& table = nodes[node.inputs[0]].constant;
      const bool is_table = table.sizes.size() == 2 && table.sizes[0] == spec.symbol_count();
      if (is_table) zero = zero_rows(table.values, table.sizes[1]);
    }
  }
  if (zero.size() != 1 || spec.symbol_count() < 3) return;
  spec.padding = zero;
  spec.assumed.push_back(
      fmt::format("symbol {} is padding (its embedding is zero) and left out of words",
                  spec.alphabet.name(zero.front())));
}

void flush_subnormals(NetworkSpec& spec) {
  const auto flush = [&](std::vector<double>& values) {
    for (double& value : values) {
      if (value == 0 || std::abs(value) >= std::numeric_limits<float>::min()) continue;
      value = 0;
      ++spec.subnormal_weights;
    }
  };
  for (auto* nodes : {&spec.step.step, &spec.step.readout}) {
    for (StepNode& node : *nodes) {
      flush(node.weights.values);
      flush(node.values);
    }
  }
  for (StepState& state : spec.step.states) flush(state.initial);
  for (DenseLayer& dense : spec.head) {
    flush(dense.weights.values);
    flush(dense.bias);
  }
}

}  // namespace rnnalf
