#include "rnnalf/network/layer_step.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rnnalf/network/number_check.hpp"

namespace rnnalf {
namespace {

using Op = StepOperation;

constexpr std::array<std::string_view, 5> kCellNames = {"elman-tanh", "elman-relu", "gru",
                                                        "gru-reset-before", "lstm"};
constexpr std::array<std::string_view, 4> kHeadFromNames = {"last", "mean", "sum", "max"};

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

/// Rows of `below` under those of `above`.
Matrix stacked(Matrix above, const Matrix& below) {
  above.rows += below.rows;
  above.values.insert(above.values.end(), below.values.begin(), below.values.end());
  return above;
}

/// What of a graph could be a stack; only a comparison of their graphs tells. The products of a
/// layer come as W, U and, of a GRU with the reset before, the candidate's rows of U.
class Recogniser {
 public:
  explicit Recogniser(const StepGraph& graph) : graph_(graph) {}

  std::optional<LayerStack> stack() {
    if (graph_.step.empty() || graph_.step[0].operation != Op::Symbol) return std::nullopt;
    if (!graph_.step[0].weights.values.empty()) stack_.embedding = graph_.step[0].weights;
    std::size_t state = 0;
    for (at_ = 1; state < graph_.states.size() && layer(state);) {
    }
    if (stack_.layers.empty()) return std::nullopt;
    stack_.head_from.clear();
    for (const StepNode& node : graph_.readout) {
      if (node.operation == Op::State) stack_.head_from.push_back(head_from(node.from, state));
    }
    return stack_;
  }

 private:
  /// Takes the nodes up to the next value of a layer's hidden state; false where there is no layer.
  bool layer(std::size_t& state) {
    std::vector<const StepNode*> products;
    std::size_t states = 0;
    const std::size_t end = graph_.states[state].next;
    if (end < at_ || end >= graph_.step.size()) return false;
    for (std::size_t i = at_; i <= end; ++i) {
      const StepNode& node = graph_.step[i];
      if (node.operation == Op::Product) products.push_back(&node);
      if (node.operation == Op::State) ++states;
    }
    const std::size_t hidden = graph_.states[state].size;
    if (products.size() < 2 || states == 0 || hidden == 0) return false;
    RecurrentLayer layer{.hidden = hidden,
                         .input_weights = products[0]->weights,
                         .recurrent_weights = products[1]->weights,
                         .input_bias = products[0]->values,
                         .recurrent_bias = products[1]->values,
                         .initial_hidden = graph_.states[state].initial,
                         .initial_cell = {}};
    const std::size_t gates = layer.input_weights.rows / hidden;
    CellKind cell = gates == 4                                        ? CellKind::Lstm
                    : gates == 3                                      ? CellKind::Gru
                    : graph_.step[end].activation == Activation::Relu ? CellKind::ElmanRelu
                                                                      : CellKind::ElmanTanh;
    if (products.size() > 2) {
      layer.recurrent_weights = stacked(std::move(layer.recurrent_weights), products[2]->weights);
      layer.recurrent_bias.insert(layer.recurrent_bias.end(), products[2]->values.begin(),
                                  products[2]->values.end());
      cell = CellKind::GruResetBefore;
    }
    if (!stack_.layers.empty() && cell != stack_.cell) return false;
    stack_.cell = cell;
    // What the builder takes apart must be there.
    const std::size_t rows = gate_count(stack_.cell) * hidden;
    const auto fits = [&](const std::vector<double>& bias) {
      return bias.empty() || bias.size() == rows;
    };
    if (layer.input_weights.rows != rows || layer.recurrent_weights.rows != rows ||
        layer.recurrent_weights.cols != hidden || !fits(layer.input_bias) ||
        !fits(layer.recurrent_bias)) {
      return false;
    }
    ++state;
    if (stack_.cell == CellKind::Lstm) {
      if (state == graph_.states.size()) return false;
      layer.initial_cell = graph_.states[state++].initial;
    }
    stack_.layers.push_back(std::move(layer));
    at_ = end + 1;
    return true;
  }

  [[nodiscard]] HeadFrom head_from(std::size_t state, std::size_t first_collected) const {
    if (state < first_collected) return HeadFrom::Last;
    const auto is_maximum = [](const StepNode& node) { return node.operation == Op::Maximum; };
    if (state + 1 == graph_.states.size() || graph_.states[state + 1].size != 1 ||
        graph_.states[state + 1].initial != std::vector<double>{1}) {
      return HeadFrom::Sum;
    }
    const auto end = graph_.step.begin() + static_cast<std::ptrdiff_t>(graph_.states[state].next);
    return std::any_of(end - std::min<std::ptrdiff_t>(4, end - graph_.step.begin()), end,
                       is_maximum)
               ? HeadFrom::Max
               : HeadFrom::Mean;
  }

  const StepGraph& graph_;
  LayerStack stack_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view name(CellKind cell) noexcept {
  return kCellNames[static_cast<std::size_t>(cell)];
}

std::optional<CellKind> cell_from_name(std::string_view name) noexcept {
  const auto found = std::find(kCellNames.begin(), kCellNames.end(), name);
  if (found == kCellNames.end()) return std::nullopt;
  return static_cast<CellKind>(found - kCellNames.begin());
}

std::size_t gate_count(CellKind cell) noexcept {
  switch (cell) {
    case CellKind::ElmanTanh:
    case CellKind::ElmanRelu:
      return 1;
    case CellKind::Gru:
    case CellKind::GruResetBefore:
      return 3;
    case CellKind::Lstm:
      return 4;
  }
  return 0;
}

std::string_view name(HeadFrom from) noexcept {
  return kHeadFromNames[static_cast<std::size_t>(from)];
}

std::optional<HeadFrom> head_from_name(std::string_view name) noexcept {
  const auto found = std::find(kHeadFromNames.begin(), kHeadFromNames.end(), name);
  if (found == kHeadFromNames.end()) return std::nullopt;
  return static_cast<HeadFrom>(found - kHeadFromNames.begin());
}

std::string names(const std::vector<HeadFrom>& all) {
  std::string text;
  for (const HeadFrom from : all) text += (text.empty() ? "" : "+") + std::string(name(from));
  return text;
}

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

std::size_t LayerStack::symbol_count() const {
  if (embedding) return embedding->rows;
  return layers.empty() ? 0 : layers.front().input_weights.cols;
}

void validate(const LayerStack& stack, const std::string& file) {
  const NumberCheck check(file);
  if (stack.layers.empty()) check.refuse("expected at least one recurrent layer, found none");
  if (stack.symbol_count() == 0) check.refuse("expected at least one input symbol, found none");
  std::size_t inputs = stack.symbol_count();
  if (stack.embedding) {
    check.matrix(*stack.embedding, stack.embedding->rows, stack.embedding->cols, "embedding");
    inputs = stack.embedding->cols;
  }
  const std::size_t gates = gate_count(stack.cell);
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    const RecurrentLayer& layer = stack.layers[i];
    const std::string what = fmt::format("{} layer {}: ", name(stack.cell), i + 1);
    if (layer.hidden == 0) check.refuse(what + "expected a hidden size above 0, found 0");
    const std::size_t rows = gates * layer.hidden;
    check.matrix(layer.input_weights, rows, inputs, what + "input weights");
    check.matrix(layer.recurrent_weights, rows, layer.hidden, what + "recurrent weights");
    check.vector(layer.input_bias, rows, what + "input bias");
    check.vector(layer.recurrent_bias, rows, what + "recurrent bias");
    check.vector(layer.initial_hidden, layer.hidden, what + "initial hidden state");
    if (stack.cell != CellKind::Lstm && !layer.initial_cell.empty()) {
      check.refuse(what + "expected no initial cell state, found one");
    }
    check.vector(layer.initial_cell, layer.hidden, what + "initial cell state");
    inputs = layer.hidden;
  }
}

StepGraph graph_of(const LayerStack& stack) {
  StepGraph graph;
  graph.symbols = stack.symbol_count();
  StepBuilder b;
  std::size_t input = stack.embedding ? b.add({.operation = Op::Symbol,
                                               .size = stack.embedding->cols,
                                               .weights = *stack.embedding})
                                      : b.one_hot(graph.symbols);
  const bool has_cell = stack.cell == CellKind::Lstm;
  std::size_t last = 0;
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    const RecurrentLayer& layer = stack.layers[i];
    last = graph.states.size();
    LayerState before{.hidden = b.state(last, layer.hidden)};
    if (has_cell) before.cell = b.state(last + 1, layer.hidden);
    const LayerState after = add_layer_step(
        b, stack.cell, layer, input, before,
        stack.activations.empty() ? usual_activations(stack.cell) : stack.activations[i]);
    graph.states.push_back(
        {.size = layer.hidden, .initial = layer.initial_hidden, .next = after.hidden});
    if (has_cell) {
      graph.states.push_back(
          {.size = layer.hidden, .initial = layer.initial_cell, .next = after.cell});
    }
    input = after.hidden;
  }
  std::vector<std::size_t> read;
  for (const HeadFrom from : stack.head_from) {
    read.push_back(from == HeadFrom::Last ? last
                                          : add_collected(b, graph.states, from, input,
                                                          stack.layers.back().initial_hidden));
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

std::optional<LayerStack> stack_of(const StepGraph& graph) {
  if (graph.states.empty()) return std::nullopt;
  auto stack = Recogniser(graph).stack();
  if (stack && graph_of(*stack) == graph) return stack;
  return std::nullopt;
}

}  // namespace rnnalf
