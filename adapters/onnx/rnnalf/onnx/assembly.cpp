// What evaluation leaves is a list of links: vectors and what each is computed from. They become a
// step graph: links that have to be known after every symbol go into the step, those that only the
// answer needs into the readout, and what the readout takes from the step is a state.

#include "rnnalf/onnx/assembly.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "rnnalf/network/head_builder.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/network/number_check.hpp"
#include "rnnalf/onnx/written_out.hpp"

namespace rnnalf::onnx_impl {
namespace {

/// Weights of the file as plain numbers, in our gate order.
class Weights {
 public:
  explicit Weights(Context& context) : context_(context) {}

  Matrix matrix(const Numbers& numbers) {
    std::vector<double> values = entries(numbers);
    return {static_cast<std::size_t>(*numbers.dims[0].value),
            static_cast<std::size_t>(*numbers.dims[1].value), std::move(values)};
  }

  Matrix table(const EmbeddingPart& part) {
    Matrix table = matrix(part.table);
    for (std::size_t row = 0; row < table.rows && !part.bias.empty(); ++row) {
      for (std::size_t col = 0; col < table.cols; ++col) {
        table.values[row * table.cols + col] += part.bias[col];
      }
    }
    return table;
  }

  RecurrentLayer layer(const RecurrentPart& part) {
    RecurrentLayer layer;
    layer.hidden = part.hidden;
    layer.input_weights = matrix(part.input_weights);
    layer.recurrent_weights = matrix(part.recurrent_weights);
    layer.input_weights.values = in_our_gate_order(layer.input_weights.values, part.cell);
    layer.recurrent_weights.values = in_our_gate_order(layer.recurrent_weights.values, part.cell);
    if (part.bias) {
      const std::vector<double> both = entries(*part.bias);
      const auto half = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
      layer.input_bias = in_our_gate_order({both.begin(), half}, part.cell);
      layer.recurrent_bias = in_our_gate_order({half, both.end()}, part.cell);
    }
    layer.initial_hidden = part.initial_hidden;
    layer.initial_cell = part.initial_cell;
    return layer;
  }

  Matrix dense(const DensePart& part) {
    Matrix weights = matrix(*part.weights);
    for (double& weight : weights.values) weight *= part.scale;
    return weights;
  }

 private:
  std::vector<double> entries(const Numbers& numbers) {
    auto values = numbers.entries(context_.meter);
    if (!values) {
      context_.refuse(
          "expected weights in proportion to the file, found shapes that multiply them");
    }
    return *std::move(values);
  }

  /// ONNX stacks a GRU's gates as z, r, h and an LSTM's as i, o, f, c; ours are r, z, n and i, f,
  /// g, o.
  static std::vector<double> in_our_gate_order(const std::vector<double>& stacked, CellKind cell) {
    std::vector<std::size_t> order = {0};
    if (gate_count(cell) == 3) order = {1, 0, 2};
    if (gate_count(cell) == 4) order = {0, 2, 3, 1};
    const std::size_t block = stacked.size() / order.size();
    std::vector<double> result;
    result.reserve(stacked.size());
    for (const std::size_t gate : order) {
      const auto begin = stacked.begin() + static_cast<std::ptrdiff_t>(gate * block);
      result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
    }
    return result;
  }

  Context& context_;
};

/// A single number stands for as many as the other side has.
std::vector<double> spread(std::vector<double> values, std::size_t size) {
  if (values.size() == 1) values.resize(size, values.front());
  return values;
}

/// Builds the step graph of what the head reads.
///
/// Links are in an order in which each depends on earlier ones; only what a state is after a step
/// comes later than the state. So both lists of nodes are made in the order of the links, without
/// recursion: a graph may be as deep as its file is long.
class StepAssembly {
 public:
  StepAssembly(Context& context, Weights& weights) : context_(context), weights_(weights) {
    const bool over_time =
        std::any_of(context.links.begin(), context.links.end(), [&](const Link& link) {
          const auto* state = std::get_if<StatePart>(&link.part);
          return std::holds_alternative<RecurrentPart>(link.part) ||
                 (state != nullptr && !context.states[state->number].is_input);
        });
    // A graph that runs over the whole word by itself is called once, with a state of zeros.
    calls_are_steps_ = !over_time;
    for (std::size_t number = 0; number < context.states.size(); ++number) {
      const CarriedState& state = context.states[number];
      if (is_carried(state) && state.next) carried_by_next_.emplace(*state.next, number);
      if (is_carried(state) && !state.next) {
        context.refuse("graph input " + quoted(state.name) +
                       ": expected the state after the step among the graph's outputs, found none");
      }
    }
  }

  StepGraph build(std::size_t root) {
    mark(root);
    for (std::size_t link = 0; link < context_.links.size(); ++link) {
      if (in_step_[link]) add_to_step(link);
    }
    for (const auto& [number, state] : state_of_carried_) {
      graph_.states[state].next = node_[*context_.states[number].next];
    }
    for (const auto& [link, state] : state_of_) {
      if (graph_.states[state].next == kLater) graph_.states[state].next = node_[link];
    }
    graph_.step = step_.take();
    add_readout(root);
    graph_.readout = readout_.take();
    if (!has_memory_ || symbols_ == 0) {
      context_.refuse(
          "expected a recurrent node (RNN, GRU or LSTM), a loop or a carried state before the "
          "scores, found none");
    }
    graph_.symbols = symbols_;
    for (const auto* nodes : {&graph_.step, &graph_.readout}) {
      for (const StepNode& node : *nodes) {
        if (context_.meter.spend(node.size)) continue;
        context_.refuse("expected a step in proportion to the file, found vectors that are larger");
      }
    }
    return std::move(graph_);
  }

 private:
  static constexpr std::size_t kLater = static_cast<std::size_t>(-1);

  [[nodiscard]] const Part& part(std::size_t link) const { return context_.links[link].part; }

  [[nodiscard]] bool is_carried(const CarriedState& state) const {
    return !state.is_input || calls_are_steps_;
  }

  /// Whether the head reads a link as a state: it cannot be computed from other states.
  [[nodiscard]] bool is_read_as_state(std::size_t link) const {
    return std::holds_alternative<RecurrentPart>(part(link)) ||
           std::holds_alternative<EmbeddingPart>(part(link)) ||
           std::holds_alternative<OneHotPart>(part(link)) ||
           std::holds_alternative<StatePart>(part(link)) || carried_by_next_.contains(link);
  }

  /// Finds what has to be computed at every step, and what of the last step for the head.
  void mark(std::size_t root) {
    in_step_.assign(context_.links.size(), false);
    in_readout_.assign(context_.links.size(), false);
    node_.assign(context_.links.size(), kLater);
    std::vector<std::size_t> for_readout = {root};
    std::vector<std::size_t> for_step;
    in_readout_[root] = true;
    const auto want = [](std::vector<bool>& marks, std::vector<std::size_t>& list,
                         std::size_t link) {
      if (!marks[link]) list.push_back(link);
      marks[link] = true;
    };
    while (!for_readout.empty()) {
      const std::size_t link = for_readout.back();
      for_readout.pop_back();
      const bool collected = std::holds_alternative<CollectPart>(part(link));
      if (is_read_as_state(link)) {
        want(in_step_, for_step, link);
        stored_.push_back(link);
      } else if (collected) {
        want(in_step_, for_step, context_.links[link].inputs.front());
        want(in_step_, for_step, link);
      } else {
        for (const std::size_t input : context_.links[link].inputs) {
          want(in_readout_, for_readout, input);
        }
      }
    }
    while (!for_step.empty()) {
      const std::size_t link = for_step.back();
      for_step.pop_back();
      for (const std::size_t input : context_.links[link].inputs) want(in_step_, for_step, input);
      if (const auto* state = std::get_if<StatePart>(&part(link))) {
        const CarriedState& carried = context_.states[state->number];
        if (is_carried(carried)) want(in_step_, for_step, *carried.next);
      }
    }
    std::sort(stored_.begin(), stored_.end());
  }

  void expect_symbols(std::size_t found) {
    if (symbols_ != 0 && symbols_ != found) {
      context_.refuse(fmt::format(
          "expected the same number of symbols wherever the word is used, found {} and {}",
          symbols_, found));
    }
    symbols_ = found;
  }

  /// Position of the state that holds a carried one.
  std::size_t carried_state(std::size_t number) {
    const auto found = state_of_carried_.find(number);
    if (found != state_of_carried_.end()) return found->second;
    const CarriedState& state = context_.states[number];
    has_memory_ = true;
    graph_.states.push_back({.size = state.size, .initial = state.initial, .next = kLater});
    state_of_carried_.emplace(number, graph_.states.size() - 1);
    return graph_.states.size() - 1;
  }

  void add_to_step(std::size_t link) {
    const std::vector<std::size_t>& inputs = context_.links[link].inputs;
    node_[link] = std::visit([&](const auto& p) { return step_node(p, link, inputs); }, part(link));
    if (!std::binary_search(stored_.begin(), stored_.end(), link)) return;
    // The head reads it: it is a state already, or becomes one.
    if (std::holds_alternative<RecurrentPart>(part(link))) return;
    if (const auto number = carried_by_next_.find(link); number != carried_by_next_.end()) {
      state_of_.emplace(link, carried_state(number->second));
      return;
    }
    graph_.states.push_back({.size = step_.size(node_[link]), .next = node_[link]});
    state_of_.emplace(link, graph_.states.size() - 1);
  }

  std::size_t step_node(const EmbeddingPart& p, std::size_t, const std::vector<std::size_t>&) {
    Matrix table = weights_.table(p);
    expect_symbols(table.rows);
    const std::size_t size = table.cols;
    return step_.add(
        {.operation = StepOperation::Symbol, .size = size, .weights = std::move(table)});
  }
  std::size_t step_node(const OneHotPart& p, std::size_t, const std::vector<std::size_t>&) {
    expect_symbols(p.symbols);
    return step_.one_hot(p.symbols);
  }
  std::size_t step_node(const StatePart& p, std::size_t, const std::vector<std::size_t>&) {
    const CarriedState& state = context_.states[p.number];
    if (!is_carried(state)) return step_.constant(std::vector<double>(state.size, 0));
    return step_.state(carried_state(p.number), state.size);
  }
  std::size_t step_node(const RecurrentPart& p, std::size_t link,
                        const std::vector<std::size_t>& inputs) {
    const RecurrentLayer layer = weights_.layer(p);
    check_numbers(p.cell, layer);
    has_memory_ = true;
    std::size_t input = 0;
    if (inputs.empty()) {
      expect_symbols(layer.input_weights.cols);
      input = step_.one_hot(layer.input_weights.cols);
    } else {
      input = node_[inputs.front()];
    }
    const std::size_t number = graph_.states.size();
    LayerState before{.hidden = step_.state(number, layer.hidden)};
    if (p.cell == CellKind::Lstm) before.cell = step_.state(number + 1, layer.hidden);
    const LayerState after = add_layer_step(step_, p.cell, layer, input, before, p.activations);
    graph_.states.push_back(
        {.size = layer.hidden, .initial = layer.initial_hidden, .next = after.hidden});
    if (p.cell == CellKind::Lstm) {
      graph_.states.push_back(
          {.size = layer.hidden, .initial = layer.initial_cell, .next = after.cell});
    }
    state_of_.emplace(link, number);
    return after.hidden;
  }
  /// A message about a weight names its layer, not a node of the step.
  void check_numbers(CellKind cell, const RecurrentLayer& layer) {
    const NumberCheck check(context_.file);
    const std::string what = fmt::format("{} layer {}: ", name(cell), ++layers_);
    const auto of = [&](const Matrix& weights, const char* role) {
      check.matrix(weights, weights.rows, weights.cols, what + role);
    };
    of(layer.input_weights, "input weights");
    of(layer.recurrent_weights, "recurrent weights");
    check.vector(layer.input_bias, layer.input_bias.size(), what + "input bias");
    check.vector(layer.recurrent_bias, layer.recurrent_bias.size(), what + "recurrent bias");
  }
  std::size_t step_node(const CollectPart& p, std::size_t link,
                        const std::vector<std::size_t>& inputs) {
    const auto* layer = std::get_if<RecurrentPart>(&part(inputs.front()));
    const std::size_t state =
        add_collected(step_, graph_.states, p.from, node_[inputs.front()],
                      layer == nullptr ? std::vector<double>{} : layer->initial_hidden);
    state_of_.emplace(link, state);
    return graph_.states[state].next;
  }
  std::size_t step_node(const CellPart& p, std::size_t link,
                        const std::vector<std::size_t>& inputs) {
    LayerState before{.hidden = node_[inputs[1]]};
    if (inputs.size() > 2) before.cell = node_[inputs[2]];
    const LayerState after = add_layer_step(step_, p.weights.cell, weights_.layer(p.weights),
                                            node_[inputs[0]], before, p.weights.activations);
    cell_state_of_.emplace(link, after.cell);
    return after.hidden;
  }
  std::size_t step_node(const CellStatePart&, std::size_t, const std::vector<std::size_t>& inputs) {
    const auto found = cell_state_of_.find(inputs.front());
    if (found == cell_state_of_.end()) {
      context_.refuse("expected a cell state beside the hidden state of its step, found it apart");
    }
    return found->second;
  }
  template <class Kind>
  std::size_t step_node(const Kind& p, std::size_t, const std::vector<std::size_t>& inputs) {
    std::vector<std::size_t> nodes;
    for (const std::size_t input : inputs) nodes.push_back(node_[input]);
    return vector_node(step_, p, nodes);
  }

  void add_readout(std::size_t root) {
    std::vector<std::size_t> nodes(context_.links.size(), kLater);
    for (std::size_t link = 0; link <= root; ++link) {
      if (!in_readout_[link]) continue;
      if (const auto state = state_of_.find(link); state != state_of_.end()) {
        nodes[link] = readout_.state(state->second, graph_.states[state->second].size);
        continue;
      }
      std::vector<std::size_t> inputs;
      for (const std::size_t input : context_.links[link].inputs) inputs.push_back(nodes[input]);
      nodes[link] =
          std::visit([&](const auto& p) { return vector_node(readout_, p, inputs); }, part(link));
    }
  }

  // ---- parts that compute a vector from vectors, in the step or in the readout

  std::size_t vector_node(StepBuilder& b, const DensePart& p,
                          const std::vector<std::size_t>& inputs) {
    std::size_t result = inputs.front();
    if (p.weights) {
      result = b.product(weights_.dense(p), p.bias, result);
    } else if (!p.bias.empty()) {
      result = b.combine(StepOperation::Add, result, b.constant(p.bias));
    }
    return p.activation == Activation::None ? result : b.activate(p.activation, result, p.slope);
  }
  std::size_t vector_node(StepBuilder& b, const RescalePart& p,
                          const std::vector<std::size_t>& inputs) {
    const auto all = [](const std::vector<double>& values, double number) {
      return std::all_of(values.begin(), values.end(), [=](double x) { return x == number; });
    };
    std::size_t result = inputs.front();
    if (!all(p.scale, 1)) result = b.combine(StepOperation::Multiply, result, b.constant(p.scale));
    if (!all(p.shift, 0)) result = b.combine(StepOperation::Add, result, b.constant(p.shift));
    return result == inputs.front() ? b.activate(Activation::None, result) : result;
  }
  std::size_t vector_node(StepBuilder& b, const NormalisePart& p,
                          const std::vector<std::size_t>& inputs) {
    return b.add({.operation = StepOperation::Normalise,
                  .size = b.size(inputs.front()),
                  .inputs = inputs,
                  .slope = p.epsilon});
  }
  std::size_t vector_node(StepBuilder& b, const CombinePart& p,
                          const std::vector<std::size_t>& inputs) {
    return b.combine(p.operation, inputs[0], inputs[1]);
  }
  std::size_t vector_node(StepBuilder& b, const JoinPart&, const std::vector<std::size_t>& inputs) {
    std::size_t size = 0;
    for (const std::size_t input : inputs) size += b.size(input);
    return b.add({.operation = StepOperation::Join, .size = size, .inputs = inputs});
  }
  std::size_t vector_node(StepBuilder& b, const SlicePart& p,
                          const std::vector<std::size_t>& inputs) {
    return b.part(inputs.front(), p.from, p.size);
  }
  std::size_t vector_node(StepBuilder& b, const ConstantPart& p, const std::vector<std::size_t>&) {
    return b.constant(p.values);
  }
  template <class Other>
  std::size_t vector_node(StepBuilder&, const Other&, const std::vector<std::size_t>&) {
    context_.refuse("expected vectors computed from states, found scores or symbols among them");
  }

  Context& context_;
  Weights& weights_;
  bool calls_are_steps_ = false;
  bool has_memory_ = false;
  std::vector<bool> in_step_;
  std::vector<bool> in_readout_;
  std::vector<std::size_t> stored_;                      // links the head reads as states
  std::vector<std::size_t> node_;                        // of the step, by link
  std::map<std::size_t, std::size_t> state_of_;          // by link
  std::map<std::size_t, std::size_t> cell_state_of_;     // node of the step, by link of a CellPart
  std::map<std::size_t, std::size_t> state_of_carried_;  // by number in context_.states
  std::map<std::size_t, std::size_t> carried_by_next_;   // number in context_.states, by link
  std::size_t symbols_ = 0;
  std::size_t layers_ = 0;
  StepBuilder step_;
  StepBuilder readout_;
  StepGraph graph_;
};

class Assembly {
 public:
  Assembly(Context& context, NetworkSpec& spec)
      : context_(context), spec_(spec), weights_(context) {
    for (const CarriedState& state : context.states) {
      if (state.next) carried_.insert(*state.next);
    }
  }

  void run(std::size_t link) {
    if (const auto* scores = std::get_if<ScoresPart>(&context_.links[link].part)) {
      spec_.output = scores->output;
      link = context_.links[link].inputs.front();
    }
    refuse_arithmetic_on_probabilities(link);
    // The head: parts with one input, down to what is a state or has several inputs.
    std::vector<std::size_t> head;
    while (belongs_to_head(link)) {
      head.push_back(link);
      link = context_.links[link].inputs.front();
    }
    spec_.step = StepAssembly(context_, weights_).build(link);
    try {
      add_head(head, spec_.step.readout_size());
    } catch (const std::length_error& error) {
      context_.refuse(error.what());
    }
    // A sigmoid at the very end says how to read the score; before another layer it is an
    // activation.
    if (spec_.output == Output::Raw && spec_.head.back().activation == Activation::Sigmoid) {
      spec_.head.back().activation = Activation::None;
      spec_.output = Output::Sigmoid;
    }
  }

 private:
  /// A sigmoid at the very end says that the score is a probability. Where something is computed of
  /// it, nothing says what the result means.
  void refuse_arithmetic_on_probabilities(std::size_t root) const {
    std::vector<std::size_t> open = {root};
    std::set<std::size_t> seen;
    while (!open.empty()) {
      const std::size_t link = open.back();
      open.pop_back();
      if (carried_.contains(link) || !seen.insert(link).second) continue;
      const Link& found = context_.links[link];
      const auto* dense = std::get_if<DensePart>(&found.part);
      const bool probability = dense != nullptr && (dense->activation == Activation::Sigmoid ||
                                                    dense->activation == Activation::HardSigmoid);
      const bool hard = probability && dense->activation == Activation::HardSigmoid;
      if (hard || (probability && link != root)) {
        context_.refuse(
            "expected logits, or probabilities of a sigmoid or softmax, at the end of the network, "
            "found something computed of probabilities");
      }
      if (dense != nullptr && (dense->weights || dense->activation != Activation::None)) continue;
      if (std::holds_alternative<RescalePart>(found.part) || dense != nullptr ||
          std::holds_alternative<CombinePart>(found.part) ||
          std::holds_alternative<JoinPart>(found.part) ||
          std::holds_alternative<SlicePart>(found.part)) {
        open.insert(open.end(), found.inputs.begin(), found.inputs.end());
      }
    }
  }

  [[nodiscard]] bool belongs_to_head(std::size_t link) const {
    const Link& found = context_.links[link];
    const bool one_input = std::holds_alternative<DensePart>(found.part) ||
                           std::holds_alternative<RescalePart>(found.part) ||
                           std::holds_alternative<NormalisePart>(found.part);
    return one_input && !carried_.contains(link);
  }

  void add_head(const std::vector<std::size_t>& head, std::size_t inputs) {
    HeadBuilder builder(inputs, context_.meter.left());
    for (std::size_t i = head.size(); i-- > 0;) {
      const Part& part = context_.links[head[i]].part;
      if (const auto* dense = std::get_if<DensePart>(&part)) {
        add(builder, *dense);
      } else if (const auto* norm = std::get_if<NormalisePart>(&part)) {
        builder.normalise(norm->epsilon);
      } else {
        const auto& rescale = std::get<RescalePart>(part);
        builder.rescale(spread(rescale.scale, builder.size()),
                        spread(rescale.shift, builder.size()));
      }
    }
    spec_.head = builder.take();
    if (!spec_.head.empty()) return;
    builder.activate(Activation::Relu);  // any: makes a product with the identity
    spec_.head = builder.take();
    spec_.head.back().activation = Activation::None;
  }

  void add(HeadBuilder& builder, const DensePart& part) {
    if (part.weights) {
      builder.dense(weights_.dense(part), part.bias);
    } else if (!part.bias.empty()) {
      builder.rescale(std::vector<double>(builder.size(), 1), spread(part.bias, builder.size()));
    }
    builder.activate(part.activation, part.slope);
  }

  Context& context_;
  NetworkSpec& spec_;
  Weights weights_;
  std::set<std::size_t> carried_;  // links that are states after a step
};

}  // namespace

void assemble(const Signal& scores, Context& context, NetworkSpec& spec) {
  const std::size_t root = fold_written_out(*scores.link, context);
  Assembly(context, spec).run(root);
}

StepGraph step_graph(std::size_t root, Context& context) {
  Weights weights(context);
  return StepAssembly(context, weights).build(root);
}

}  // namespace rnnalf::onnx_impl
