#include "rnnalf/network/layer_step.hpp"

#include <utility>

namespace rnnalf {
namespace {

using Op = StepOperation;

/// Rows [from, from + count) of a matrix.
Matrix rows_of(const Matrix& matrix, std::size_t from, std::size_t count) {
  const auto begin = matrix.values.begin() + static_cast<std::ptrdiff_t>(from * matrix.cols);
  return {count, matrix.cols,
          std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count * matrix.cols))};
}

std::vector<double> entries_of(const std::vector<double>& values, std::size_t from,
                               std::size_t count) {
  if (values.empty()) return {};
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// h' = (1 - z) n + z h, computed as n + z (h - n).
std::size_t blend(StepBuilder& b, std::size_t update, std::size_t candidate, std::size_t hidden) {
  const std::size_t change = b.combine(Op::Subtract, hidden, candidate);
  return b.combine(Op::Add, candidate, b.combine(Op::Multiply, update, change));
}

std::size_t apply(StepBuilder& b, const StepActivation& how, std::size_t input) {
  if (how.inner != 1) input = b.combine(Op::Multiply, input, b.constant({how.inner}));
  if (how.shift != 0) input = b.combine(Op::Add, input, b.constant({how.shift}));
  input = b.activate(how.activation, input, how.slope);
  return how.outer == 1 ? input : b.combine(Op::Multiply, input, b.constant({how.outer}));
}

LayerState gru_step(StepBuilder& b, CellKind cell, const RecurrentLayer& layer,
                    const LayerActivations& activations, std::size_t from_input,
                    std::size_t hidden) {
  const std::size_t h = layer.hidden;
  const Matrix& u = layer.recurrent_weights;
  const bool reset_before = cell == CellKind::GruResetBefore;
  const std::size_t joint = reset_before ? 2 * h : 3 * h;
  const std::size_t from_hidden =
      b.product(rows_of(u, 0, joint), entries_of(layer.recurrent_bias, 0, joint), hidden);
  const std::size_t gates =
      apply(b, activations.gates,
            b.combine(Op::Add, b.part(from_input, 0, 2 * h), b.part(from_hidden, 0, 2 * h)));
  const std::size_t reset = b.part(gates, 0, h);
  const std::size_t recalled =
      reset_before ? b.product(rows_of(u, 2 * h, h), entries_of(layer.recurrent_bias, 2 * h, h),
                               b.combine(Op::Multiply, reset, hidden))
                   : b.combine(Op::Multiply, reset, b.part(from_hidden, 2 * h, h));
  const std::size_t candidate =
      apply(b, activations.candidate, b.combine(Op::Add, b.part(from_input, 2 * h, h), recalled));
  return {.hidden = blend(b, b.part(gates, h, h), candidate, hidden)};
}

/// The states of the layers and the nodes of a step; `sources` is what the head reads.
StepGraph graph_of_layers(const NetworkSpec& spec, const std::vector<LayerActivations>& activations,
                          const std::vector<HeadFrom>& sources) {
  StepGraph graph;
  graph.symbols = spec.symbol_count();
  StepBuilder b;
  std::size_t input =
      spec.embedding
          ? b.add(
                {.operation = Op::Symbol, .size = spec.embedding->cols, .weights = *spec.embedding})
          : b.one_hot(graph.symbols);
  const bool has_cell = spec.cell == CellKind::Lstm;
  std::size_t last = 0;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const RecurrentLayer& layer = spec.layers[i];
    last = graph.states.size();
    LayerState before{.hidden = b.state(last, layer.hidden)};
    if (has_cell) before.cell = b.state(last + 1, layer.hidden);
    const LayerState after =
        add_layer_step(b, spec.cell, layer, input, before,
                       activations.empty() ? usual_activations(spec.cell) : activations[i]);
    graph.states.push_back(
        {.size = layer.hidden, .initial = layer.initial_hidden, .next = after.hidden});
    if (has_cell) {
      graph.states.push_back(
          {.size = layer.hidden, .initial = layer.initial_cell, .next = after.cell});
    }
    input = after.hidden;
  }
  std::vector<std::size_t> read;
  for (const HeadFrom from : sources) {
    read.push_back(from == HeadFrom::Last ? last
                                          : add_collected(b, graph.states, from, input,
                                                          spec.layers.back().initial_hidden));
  }
  graph.step = b.take();
  StepBuilder readout;
  StepNode joined{.operation = Op::Join};
  for (const std::size_t state : read) {
    joined.inputs.push_back(readout.state(state, graph.states[state].size));
    joined.size += graph.states[state].size;
  }
  if (read.size() > 1) readout.add(std::move(joined));
  graph.readout = readout.take();
  return graph;
}

}  // namespace

LayerActivations usual_activations(CellKind cell) noexcept {
  LayerActivations usual;
  if (cell == CellKind::ElmanRelu) usual.candidate = {Activation::Relu};
  return usual;
}

LayerState add_layer_step(StepBuilder& b, CellKind cell, const RecurrentLayer& layer,
                          std::size_t input, LayerState before,
                          const LayerActivations& activations) {
  const std::size_t h = layer.hidden;
  const std::size_t from_input = b.product(layer.input_weights, layer.input_bias, input);
  if (gate_count(cell) == 3) {
    return gru_step(b, cell, layer, activations, from_input, before.hidden);
  }
  const std::size_t sum = b.combine(
      Op::Add, from_input, b.product(layer.recurrent_weights, layer.recurrent_bias, before.hidden));
  if (cell != CellKind::Lstm) return {.hidden = apply(b, activations.candidate, sum)};
  const auto gate = [&](std::size_t number) {
    return apply(b, activations.gates, b.part(sum, number * h, h));
  };
  const std::size_t kept = b.combine(Op::Multiply, gate(1), before.cell);
  const std::size_t candidate = apply(b, activations.candidate, b.part(sum, 2 * h, h));
  const std::size_t next_cell =
      b.combine(Op::Add, kept, b.combine(Op::Multiply, gate(0), candidate));
  return {.hidden = b.combine(Op::Multiply, gate(3), apply(b, activations.output, next_cell)),
          .cell = next_cell};
}

std::size_t add_collected(StepBuilder& b, std::vector<StepState>& states, HeadFrom from,
                          std::size_t hidden, const std::vector<double>& initial) {
  const std::size_t size = b.size(hidden);
  const std::size_t number = states.size();
  const std::size_t before = b.state(number, size);
  if (from == HeadFrom::Sum) {
    states.push_back({.size = size, .next = b.combine(Op::Add, before, hidden)});
    return number;
  }
  const std::size_t one = b.constant({1});
  const std::size_t weight = b.state(number + 1, 1);
  std::size_t next = 0;
  std::size_t next_weight = 0;
  if (from == HeadFrom::Mean) {
    const std::size_t change = b.combine(Op::Subtract, hidden, before);
    next = b.combine(Op::Add, before, b.combine(Op::Multiply, weight, change));
    next_weight = b.combine(Op::Divide, weight, b.combine(Op::Add, one, weight));
  } else {
    const std::size_t largest = b.combine(Op::Maximum, before, hidden);
    const std::size_t later = b.combine(Op::Subtract, one, weight);
    next = b.combine(Op::Add, b.combine(Op::Multiply, weight, hidden),
                     b.combine(Op::Multiply, later, largest));
    next_weight = b.constant({0});
  }
  states.push_back({.size = size, .initial = initial, .next = next});
  states.push_back({.size = 1, .initial = {1}, .next = next_weight});
  return number;
}

StepGraph step_graph_of(const NetworkSpec& spec) {
  return spec.step ? *spec.step : graph_of_layers(spec, {}, {spec.head_from});
}

void make_step_graph(NetworkSpec& spec, const LayersAsGraph& asked) {
  spec.step = graph_of_layers(
      spec, asked.activations,
      asked.head_from.empty() ? std::vector<HeadFrom>{spec.head_from} : asked.head_from);
  spec.embedding.reset();
  spec.layers.clear();
  spec.head_from = HeadFrom::Last;
}

}  // namespace rnnalf
