// RNN, GRU and LSTM nodes. Weights stay in ONNX's order of gates until assembly. A node over the
// whole word is a layer; a node over one symbol, inside of a loop, is one step whose states the
// loop carries. What a node can ask for beyond that (other directions, clip, peepholes, lengths of
// a batch) is refused.

#include <fmt/core.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

// Inputs of RNN, GRU and LSTM by position.
constexpr std::size_t kX = 0;
constexpr std::size_t kW = 1;
constexpr std::size_t kR = 2;
constexpr std::size_t kB = 3;
constexpr std::size_t kInitialH = 5;
constexpr std::size_t kInitialC = 6;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The activations that ONNX knows by name, and how they use alpha and beta. A number that the file
/// does not give is the operator's own; Affine and ScaledTanh, which are no operators, have none.
struct KnownActivation {
  std::string_view name;
  Activation activation;
  std::optional<double> alpha{};
  std::optional<double> beta{};
  bool has_alpha = false;
  bool has_beta = false;
};

constexpr KnownActivation kActivations[] = {
    {"relu", Activation::Relu},
    {"tanh", Activation::Tanh},
    {"sigmoid", Activation::Sigmoid},
    {"softsign", Activation::Softsign},
    {"leakyrelu", Activation::LeakyRelu, 0.01, {}, true},
    {"elu", Activation::Elu, 1, {}, true},
    {"hardsigmoid", Activation::HardSigmoid, 0.2, 0.5, true, true},
    {"affine", Activation::None, {}, {}, true, true},
    {"scaledtanh", Activation::Tanh, {}, {}, true, true},
};

StepActivation with_numbers(const KnownActivation& known, double alpha, double beta) {
  StepActivation result{known.activation};
  if (known.name == "affine") {  // alpha x + beta
    result.inner = alpha;
    result.shift = beta;
  } else if (known.name == "scaledtanh") {  // alpha tanh(beta x)
    result.outer = alpha;
    result.inner = beta;
  } else if (known.name == "hardsigmoid" && beta != 0.5) {  // alpha x + beta, cut to 0 .. 1
    result.inner = alpha;
    result.shift = beta - 0.5;
    result.slope = 1;
  } else {
    result.slope = alpha;
  }
  return result;
}

/// What the node names, `count` of them; alphas and betas are taken by those that have them, in
/// order.
std::vector<StepActivation> named_activations(const Node& node, std::size_t count) {
  const std::vector<std::string> names = node.text_list("activations");
  if (names.size() != count) {
    node.refuse(
        fmt::format("attribute 'activations': expected {} names, found {}", count, names.size()));
  }
  const std::vector<double> alphas = node.number_list("activation_alpha");
  const std::vector<double> betas = node.number_list("activation_beta");
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  std::vector<StepActivation> result;
  for (const std::string& name : names) {
    const auto known = std::find_if(
        std::begin(kActivations), std::end(kActivations),
        [&](const KnownActivation& candidate) { return candidate.name == lower(name); });
    if (known == std::end(kActivations)) {
      node.refuse_unsupported(
          "activation " + quoted(name),
          "Relu, Tanh, Sigmoid, Softsign, LeakyRelu, Elu, HardSigmoid, Affine and ScaledTanh are "
          "the ones that can be run");
    }
    const auto next = [&](bool wanted, const std::vector<double>& given, std::size_t& at,
                          const std::optional<double>& otherwise, const char* attribute) {
      if (!wanted) return 0.0;
      if (at < given.size()) return given[at++];
      if (!otherwise) {
        node.refuse(std::string("attribute '") + attribute + "': expected a number for " +
                    quoted(name) + ", found none");
      }
      return *otherwise;
    };
    const double alpha =
        next(known->has_alpha, alphas, next_alpha, known->alpha, "activation_alpha");
    const double beta = next(known->has_beta, betas, next_beta, known->beta, "activation_beta");
    if (!std::isfinite(alpha) || !std::isfinite(beta)) {
      node.refuse("activation " + quoted(name) + ": expected finite numbers, found others");
    }
    result.push_back(with_numbers(*known, alpha, beta));
  }
  return result;
}

/// Fills cell and activations. A cell whose activations are not those of its formulas is run as a
/// graph of operations.
void read_cell(const Node& node, RecurrentPart& part) {
  part.cell = node.op() == "RNN"                            ? CellKind::ElmanTanh
              : node.op() == "LSTM"                         ? CellKind::Lstm
              : node.integer("linear_before_reset", 0) != 0 ? CellKind::Gru
                                                            : CellKind::GruResetBefore;
  part.activations = usual_activations(part.cell);
  if (node.text_list("activations").empty()) return;
  const std::size_t count = node.op() == "RNN" ? 1 : node.op() == "GRU" ? 2 : 3;
  const std::vector<StepActivation> given = named_activations(node, count);
  part.activations.candidate = given[count == 1 ? 0 : 1];
  if (count > 1) part.activations.gates = given[0];
  if (count > 2) part.activations.output = given[2];
  if (part.activations == usual_activations(CellKind::ElmanRelu) && count == 1) {
    part.cell = CellKind::ElmanRelu;
  }
}

/// The matrix in a tensor [1, rows, cols]; W and R have one direction in front.
Numbers without_direction(const Node& node, std::size_t slot,
                          const std::vector<std::int64_t>& shape, const char* what) {
  Numbers numbers = node.numbers(slot, std::string("constant ") + what);
  bool fits = numbers.rank() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = numbers.dims[i].is(shape[i]);
  if (!fits) {
    std::vector<Integer> dims;
    for (const std::int64_t size : shape) dims.push_back(known(size));
    node.refuse_input(slot, std::string(what) + " of shape " + shape_text(dims));
  }
  numbers.dims.erase(numbers.dims.begin());
  numbers.strides.erase(numbers.strides.begin());
  return numbers;
}

/// An initial state [1, batch, hidden], or [batch, 1, hidden] with layout 1; empty when it is zero.
std::vector<double> initial_state(const Node& node, std::size_t slot, std::size_t hidden) {
  if (!node.has_input(slot)) return {};
  if (const auto* signal = node.input_as<Signal>(slot); signal != nullptr && signal->link) {
    // An input of the graph: what it is at the start of a word, zero.
    const Link& link = node.context.links[*signal->link];
    const auto* carried = std::get_if<StatePart>(&link.part);
    if (carried != nullptr && node.context.states[carried->number].is_input &&
        node.context.states[carried->number].size == hidden) {
      return {};
    }
  }
  Numbers state = node.numbers(slot, "a constant or zero-filled initial state");
  const std::size_t direction = node.integer("layout", 0) != 0 ? 1 : 0;
  const std::size_t batch = 1 - direction;
  const auto size = static_cast<std::int64_t>(hidden);
  if (state.rank() != 3 || !state.dims[direction].is(1) || !state.dims[2].is(size) ||
      state.dims[batch].is(0)) {
    node.refuse_input(slot, fmt::format("an initial state of shape {}{}]",
                                        direction == 0 ? "[1, batch, " : "[batch, 1, ", hidden));
  }
  if (state.is_uniform() && state.front() == 0) return {};
  Numbers row = state;
  row.dims[batch] = known(1);
  std::vector<double> values = node.entries(row);
  if (state.strides[batch] != 0) {
    const std::vector<double> all = node.entries(state);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!(all[i] == values[i % hidden])) {
        node.refuse_input(slot, "the same initial state for every word of a batch");
      }
    }
  }
  const bool zero = std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
  return zero ? std::vector<double>{} : values;
}

void refuse_what_cannot_be_run(const Node& node) {
  const std::string direction = lower(node.text("direction", "forward"));
  if (direction != "forward") {
    node.refuse_unsupported("direction " + quoted(direction),
                            "its state after a word needs symbols that come later, so it cannot be "
                            "run symbol by symbol");
  }
  if (node.has_attribute("clip")) {
    node.refuse_unsupported("attribute 'clip'", "the cells that can be run do not cut their sums");
  }
  if (node.integer("input_forget", 0) != 0) {
    node.refuse_unsupported(
        "attribute 'input_forget'",
        "the cells that can be run have an input and a forget gate of their own");
  }
  if (node.has_input(4)) {
    const auto* lengths = node.input_as<Integers>(4);
    if (lengths == nullptr || lengths->entries.size() != 1 ||
        lengths->entries.front().input_axis != kWordLength ||
        lengths->entries.front().offset != 0) {
      node.refuse_unsupported("input 'sequence_lens' other than the lengths of the words",
                              "every word is run alone and ends where it ends");
    }
  }
  if (node.has_input(7)) {
    node.refuse_unsupported("input 'P' (peepholes)",
                            "the gates of the cells that can be run do not see the cell state");
  }
}

/// Whether a signal is computed at one position of the word: a loop that is written out.
bool is_one_symbol(const Node& node, const Signal& signal) {
  if (!node.context.written_out.axis) return false;
  if (!signal.link) return signal.position.has_value();
  std::vector<std::size_t> open = {*signal.link};
  while (!open.empty()) {
    const Link& link = node.context.links[open.back()];
    open.pop_back();
    if (link.position) return true;
    node.spend(1);
    open.insert(open.end(), link.inputs.begin(), link.inputs.end());
  }
  return false;
}

/// The word as the node sees it: which axis is time, which are the symbols or the layer below.
Signal checked_input(const Node& node, std::size_t time, std::size_t batch) {
  const auto* found = node.input_as<Signal>(kX);
  const std::string expected =
      "the word's symbols, one-hot or embedded, or the output of a recurrent layer";
  if (found == nullptr) node.refuse_input(kX, expected);
  Signal signal = with_features(*found);
  if (signal.stage == Stage::Cell || signal.stage == Stage::Scores) node.refuse_input(kX, expected);
  if (signal.axes.size() != 3 || signal.axes[2].role != Role::Feature) {
    node.refuse_input(
        kX, "3 axes (" + std::string(time == 0 ? "time, batch" : "batch, time") + ", features)");
  }
  if (signal.scope != 0 || is_one_symbol(node, signal)) {  // one step of a loop
    if (!signal.axes[time].length.is(1)) {
      node.refuse_input(kX, "one step inside of a loop, an axis of length 1");
    }
    signal.axes[time].role = Role::Unit;
    return signal;
  }
  const Role role = signal.axes[time].role;
  if ((role != Role::Time && role != Role::Input) || signal.axes[batch].role == Role::Time) {
    node.refuse(fmt::format("input {}: expected time on axis {}, found it elsewhere in {}",
                            quoted(node.input_name(kX)), time, describe(signal)));
  }
  signal.axes[time].role = Role::Time;
  signal.axes[batch].role = Role::Batch;
  return signal;
}

/// The node as one step of a loop, whose states it takes and gives.
Link cell_step(const Node& node, RecurrentPart part, const Signal& input) {
  Link link{CellPart{}, {link_of(node, input)}};
  std::vector<std::size_t> slots = {kInitialH};
  if (part.cell == CellKind::Lstm) slots.push_back(kInitialC);
  for (const std::size_t slot : slots) {
    if (!node.has_input(slot)) {
      node.spend(part.hidden);
      node.context.links.push_back({ConstantPart{std::vector<double>(part.hidden, 0)}});
      link.inputs.push_back(node.context.links.size() - 1);
      continue;
    }
    const Signal state = featured_input(node, slot, "a state that the loop carries");
    if (state.scope != input.scope || !state.link) {
      node.refuse_input(slot, "a state that the loop carries");
    }
    const auto size = state.axes[feature_axis(node, slot, state)].length;
    if (!size.is(static_cast<std::int64_t>(part.hidden))) {
      node.refuse_input(slot, fmt::format("a state of {} numbers", part.hidden));
    }
    link.inputs.push_back(*state.link);
  }
  link.part = CellPart{std::move(part)};
  return link;
}

}  // namespace

Outputs recurrent(const Node& node) {
  refuse_what_cannot_be_run(node);
  const bool batch_first = node.integer("layout", 0) != 0;
  const Signal input = checked_input(node, batch_first ? 1 : 0, batch_first ? 0 : 1);

  RecurrentPart part;
  read_cell(node, part);
  const Numbers& weights = node.numbers(kR, "constant recurrent weights");
  if (weights.rank() != 3 || !weights.dims[2].value || *weights.dims[2].value < 1) {
    node.refuse_input(kR, "recurrent weights of shape [1, gates * hidden, hidden]");
  }
  // The last axis of R is what its numbers say; the attribute has to agree.
  const std::int64_t hidden = *weights.dims[2].value;
  if (const std::int64_t stated = node.integer("hidden_size", hidden); stated != hidden) {
    node.refuse(fmt::format("attribute 'hidden_size': expected {} as in {}, found {}", hidden,
                            quoted(node.input_name(kR)), stated));
  }
  if (hidden > (std::int64_t{1} << 40)) node.refuse_input(kR, "a hidden size that fits in memory");
  part.hidden = static_cast<std::size_t>(hidden);
  const auto rows = static_cast<std::int64_t>(gate_count(part.cell)) * hidden;
  part.recurrent_weights = without_direction(node, kR, {1, rows, hidden}, "recurrent weights");
  const Numbers& input_weights = node.numbers(kW, "constant input weights");
  const Integer inputs = input.axes[2].length.value  ? input.axes[2].length
                         : input_weights.rank() == 3 ? input_weights.dims[2]
                                                     : known(1);
  part.input_weights =
      without_direction(node, kW, {1, rows, inputs.value.value_or(1)}, "input weights");
  if (node.has_input(kB)) part.bias = without_direction(node, kB, {1, 2 * rows}, "biases");
  const bool one_step = input.scope != 0 || input.axes[batch_first ? 1 : 0].role == Role::Unit;
  if (!one_step) {
    part.initial_hidden = initial_state(node, kInitialH, part.hidden);
    if (part.cell == CellKind::Lstm)
      part.initial_cell = initial_state(node, kInitialC, part.hidden);
  }

  const Axis time = input.axes[batch_first ? 1 : 0];
  const Axis batch = input.axes[batch_first ? 0 : 1];
  const Axis direction{.role = Role::Unit, .length = known(1)};
  const Axis features{.role = Role::Feature, .length = known(hidden)};
  Link link{part, {}};
  if (one_step) {
    link = cell_step(node, std::move(part), input);
  } else if (input.link) {
    link.inputs.push_back(*input.link);
  }
  Signal output{.stage = one_step ? Stage::Dense : Stage::Hidden,
                .axes = {},
                .link = node.context.links.size(),
                .name = {},
                .scope = input.scope};
  node.context.links.push_back(std::move(link));

  Outputs outputs;
  const auto add = [&](Stage stage, std::vector<Axis> axes) {
    output.stage = stage;
    output.axes = std::move(axes);
    output.name = node.output_name(outputs.size());
    outputs.push_back(std::make_shared<const Value>(output));
  };
  const std::vector<Axis> final_axes = batch_first ? std::vector<Axis>{batch, direction, features}
                                                   : std::vector<Axis>{direction, batch, features};
  const Stage stage = output.stage;
  add(stage, batch_first ? std::vector<Axis>{batch, time, direction, features}
                         : std::vector<Axis>{time, direction, batch, features});
  add(stage, final_axes);
  if (node.op() == "LSTM" && one_step) {
    node.context.links.push_back({CellStatePart{}, {*output.link}});
    output.link = node.context.links.size() - 1;
    add(stage, final_axes);
  } else if (node.op() == "LSTM") {
    add(Stage::Cell, final_axes);
  }
  return outputs;
}

}  // namespace rnnalf::onnx_impl
