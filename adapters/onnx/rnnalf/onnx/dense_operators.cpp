// From symbols to vectors and from vectors to scores. A product with constant weights is an
// embedding when its input is the one-hot symbol, else a dense layer; a bias and an activation
// behind it join it. Softmax, log-softmax and sigmoid at the end say what the scores are.

#include <fmt/core.h>
#include <algorithm>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

constexpr const char* kHeadInput =
    "the last hidden state or a dense layer of the head (Gemm, MatMul, Add, Relu, Tanh, Sigmoid)";

void refuse_unless_features_last(const Node& node, std::size_t slot, const Signal& signal) {
  if (signal.axes.empty() || signal.axes.back().role != Role::Feature) {
    node.refuse_input(slot, "the features on the last axis");
  }
}

/// A constant as a part of the network: the state before the first step of a loop that is written
/// out.
Signal constant_signal(const Node& node, std::size_t slot, const char* expected) {
  ConstantState state = constant_state(node, slot, expected);
  if (state.values.empty()) state.values.assign(state.size, 0);
  node.context.links.push_back({ConstantPart{std::move(state.values)}});
  return {.stage = Stage::Dense,
          .axes = std::move(state.axes),
          .link = node.context.links.size() - 1,
          .name = node.input_name(slot).substr(0, kLongestName)};
}

}  // namespace

ConstantState constant_state(const Node& node, std::size_t slot, const char* expected) {
  const Numbers& numbers = node.numbers(slot, expected);
  if (numbers.rank() == 0 || !numbers.dims.back().value || *numbers.dims.back().value < 1) {
    node.refuse_input(slot, expected);
  }
  ConstantState state;
  // One word at a time: the states of a batch must not differ.
  Numbers row = numbers;
  for (std::size_t i = 0; i + 1 < row.rank(); ++i) {
    if (!row.dims[i].is(1) && row.strides[i] != 0) {
      node.refuse_input(slot, "the same initial state for every word of a batch");
    }
    row.dims[i] = known(1);
    state.axes.push_back({.role = Role::Batch, .length = numbers.dims[i]});
  }
  state.axes.push_back({.role = Role::Feature, .length = numbers.dims.back()});
  state.size = static_cast<std::size_t>(*numbers.dims.back().value);
  node.spend(state.size);
  if (!row.is_uniform() || row.front() != 0) state.values = node.entries(row);
  return state;
}

Signal featured_input(const Node& node, std::size_t slot, const char* expected) {
  const auto* found = node.input_as<Signal>(slot);
  if (found == nullptr && node.input_as<Numbers>(slot) == nullptr) {
    node.refuse_input(slot, expected);
  }
  Signal signal = found != nullptr ? with_features(*found) : constant_signal(node, slot, expected);
  if (signal.stage == Stage::Cell) {
    node.refuse_unsupported("a head that reads " + describe(signal), "it reads hidden states only");
  }
  if (signal.stage == Stage::Scores) {
    node.refuse_unsupported("a layer after " + describe(signal), "they end the network");
  }
  return signal;
}

Outputs output_signal(const Node& node, Signal signal, Stage stage, Link link) {
  signal.stage = stage;
  signal.link = node.context.links.size();
  signal.name = node.output_name(0);
  link.name = signal.name;
  node.context.links.push_back(std::move(link));
  return one_output(std::move(signal));
}

std::size_t link_of(const Node& node, const Signal& signal) {
  if (signal.link) return *signal.link;
  constexpr std::int64_t most = 2048;  // as many squared are kept
  const std::int64_t symbols =
      signal.axes.empty() ? most + 1 : signal.axes.back().length.value.value_or(most + 1);
  if (signal.stage != Stage::OneHot || symbols > most) {
    node.refuse(fmt::format(
        "expected one-hot symbols, known to be at most {}, or a product with them, found {}", most,
        describe(signal)));
  }
  node.context.links.push_back(
      {OneHotPart{static_cast<std::size_t>(symbols)}, {}, signal.position});
  return node.context.links.size() - 1;
}

namespace {

/// A bias of one number per feature; empty for zeros that are not there.
std::vector<double> bias_of(const Node& node, std::size_t slot, std::size_t features,
                            std::size_t most_axes) {
  const Numbers& bias = node.numbers(slot, "a constant bias");
  bool fits = bias.rank() <= most_axes;
  for (std::size_t i = 0; i < bias.rank(); ++i) {
    const bool last = i + 1 == bias.rank();
    fits = fits &&
           (bias.dims[i].is(1) || (last && bias.dims[i].is(static_cast<std::int64_t>(features))));
  }
  if (!fits) node.refuse_input(slot, fmt::format("a bias of {} numbers", features));
  std::vector<double> values = node.entries(bias);
  if (values.size() == 1 && features > 1) {
    node.spend(features);
    values.resize(features, values.front());
  }
  return values;
}

/// A product with `weights`, [outputs, inputs]: an embedding in front of the first recurrent layer,
/// a dense layer behind the last.
Outputs linear(const Node& node, Signal signal, Numbers weights, double scale,
               std::vector<double> bias) {
  const Integer inputs = weights.dims[1];
  const Integer length = signal.axes.back().length;
  if (length.value && length.value != inputs.value) {
    node.refuse_input(1, fmt::format("weights for {} features", *length.value));
  }
  const auto outputs = static_cast<std::size_t>(weights.dims[0].value.value_or(0));
  signal.axes.back().length = weights.dims[0];
  if (signal.stage == Stage::OneHot) {
    if (scale != 1)
      node.refuse("expected an embedding that is not scaled, found 'alpha' other than 1");
    std::swap(weights.dims[0], weights.dims[1]);
    std::swap(weights.strides[0], weights.strides[1]);
    Link link{EmbeddingPart{std::move(weights), std::move(bias)}, {}, signal.position};
    return output_signal(node, std::move(signal), Stage::Embedded, std::move(link));
  }
  const std::size_t input = link_of(node, signal);
  return output_signal(node, std::move(signal), Stage::Dense,
                       {DensePart{std::move(weights), scale, outputs, std::move(bias)}, {input}});
}

NamedActivation activation_of(const Node& node) {
  struct Known {
    std::string_view op;
    Activation activation;
    double slope;
  };
  constexpr Known known_operators[] = {{"Relu", Activation::Relu, 0},
                                       {"Tanh", Activation::Tanh, 0},
                                       {"Sigmoid", Activation::Sigmoid, 0},
                                       {"LeakyRelu", Activation::LeakyRelu, 0.01},
                                       {"Elu", Activation::Elu, 1},
                                       {"Gelu", Activation::Gelu, 0},
                                       {"HardSigmoid", Activation::HardSigmoid, 0.2},
                                       {"Softsign", Activation::Softsign, 0},
                                       {"Erf", Activation::Erf, 0},
                                       {"Sqrt", Activation::Sqrt, 0},
                                       {"Exp", Activation::Exp, 0},
                                       {"Softplus", Activation::Softplus, 0}};
  for (const Known& entry : known_operators) {
    if (entry.op != node.op()) continue;
    if (entry.activation == Activation::HardSigmoid && node.number("beta", 0.5) != 0.5) {
      node.refuse_unsupported("attribute 'beta' other than 0.5", "no framework writes another");
    }
    if (entry.activation == Activation::Gelu && node.text("approximate", "none") == "tanh") {
      return {Activation::GeluTanh, 0};
    }
    return {entry.activation, entry.slope == 0 ? 0 : node.number("alpha", entry.slope)};
  }
  node.refuse("expected an activation, found another operator");
}

}  // namespace

Signal with_features(Signal signal) {
  if (signal.stage != Stage::Input || signal.axes.empty()) return signal;
  signal.stage = Stage::OneHot;
  signal.axes.back().role = Role::Feature;
  return signal;
}

Outputs one_hot(const Node& node) {
  if (node.input_as<Position>(0) != nullptr || node.input_as<Integers>(0) != nullptr) {
    node.refuse_unsupported(
        "a state chosen by its position with OneHot",
        "older operator sets write it in many ways; export the network with operator set 11 or "
        "later (opset_version=17)");
  }
  const auto* symbols = node.input_as<Signal>(0);
  if (symbols == nullptr || symbols->stage != Stage::Input) {
    node.refuse_input(0, "the symbol indices of the word");
  }
  const auto depth = node.known_integers(1);
  if (depth.size() != 1 || depth.front() < 1) node.refuse_input(1, "the number of symbols");
  const auto values = node.known_integers(2);
  if (values != std::vector<std::int64_t>{0, 1}) node.refuse_input(2, "the values 0 and 1");
  Signal result = *symbols;
  result.stage = Stage::OneHot;
  result.name = node.output_name(0);
  const std::size_t rank = result.axes.size() + 1;
  if (node.axis(node.integer("axis", -1), rank) != rank - 1) {
    node.refuse(fmt::format("attribute 'axis': expected -1, found {}", node.integer("axis", -1)));
  }
  result.axes.push_back({.role = Role::Feature, .length = known(depth.front())});
  return one_output(std::move(result));
}

Outputs embed(const Node& node, const Numbers& table, const Signal& symbols) {
  if (symbols.stage != Stage::Input) node.refuse_input(1, "the symbol indices of the word");
  Signal result = symbols;
  result.axes.push_back({.role = Role::Feature, .length = table.dims[1]});
  return output_signal(node, std::move(result), Stage::Embedded,
                       {EmbeddingPart{table, {}}, {}, symbols.position});
}

Outputs gemm(const Node& node) {
  Signal signal = featured_input(node, 0, kHeadInput);
  refuse_unless_features_last(node, 0, signal);
  if (node.integer("transA", 0) != 0) {
    node.refuse_unsupported("attribute 'transA'", "the features must stay on the last axis");
  }
  Numbers weights = node.numbers(1, "constant weights");
  if (weights.rank() != 2 || !weights.count()) node.refuse_input(1, "a matrix");
  if (node.integer("transB", 0) == 0) {
    std::swap(weights.dims[0], weights.dims[1]);
    std::swap(weights.strides[0], weights.strides[1]);
  }
  std::vector<double> bias;
  if (node.has_input(2)) {
    bias = bias_of(node, 2, static_cast<std::size_t>(*weights.dims[0].value), 2);
    const double beta = node.number("beta", 1);
    for (double& number : bias) number *= beta;
  }
  return linear(node, std::move(signal), std::move(weights), node.number("alpha", 1),
                std::move(bias));
}

Outputs matmul(const Node& node) {
  Signal signal = featured_input(node, 0, kHeadInput);
  refuse_unless_features_last(node, 0, signal);
  Numbers weights = node.numbers(1, "constant weights");
  if (weights.rank() != 2 || !weights.count()) node.refuse_input(1, "a matrix");
  std::swap(weights.dims[0], weights.dims[1]);
  std::swap(weights.strides[0], weights.strides[1]);
  return linear(node, std::move(signal), std::move(weights), 1, {});
}

Outputs add(const Node& node) {
  const std::size_t slot = node.input_as<Signal>(0) != nullptr ? 0 : 1;
  if (node.input_as<Signal>(slot) == nullptr || node.input_as<Numbers>(1 - slot) == nullptr) {
    return arithmetic(node);
  }
  Signal signal = featured_input(node, slot, kHeadInput);
  if (!signal.link) return arithmetic(node);
  Link link = node.context.links[*signal.link];
  std::vector<double>* bias = nullptr;
  if (auto* dense = std::get_if<DensePart>(&link.part)) {
    if (dense->activation == Activation::None) bias = &dense->bias;
  } else if (auto* embedding = std::get_if<EmbeddingPart>(&link.part)) {
    bias = &embedding->bias;
  }
  if (bias == nullptr) return arithmetic(node);
  refuse_unless_features_last(node, slot, signal);
  const auto features = static_cast<std::size_t>(signal.axes.back().length.value.value_or(0));
  node.spend(bias->size());
  std::vector<double> added = bias_of(node, 1 - slot, features, signal.axes.size());
  for (std::size_t i = 0; i < bias->size() && i < added.size(); ++i) added[i] += (*bias)[i];
  *bias = std::move(added);
  const Stage stage = signal.stage;
  return output_signal(node, std::move(signal), stage, std::move(link));
}

Outputs activation(const Node& node) {
  const auto [kind, slope] = activation_of(node);
  Signal signal = featured_input(node, 0, kHeadInput);
  Link link;
  if (signal.stage == Stage::Dense) link = node.context.links[*signal.link];
  auto* dense = std::get_if<DensePart>(&link.part);
  if (signal.stage == Stage::Dense && dense != nullptr && dense->activation == Activation::None) {
    node.spend(dense->bias.size());
    dense->activation = kind;
    dense->slope = slope;
  } else {
    // An activation that follows no product: a dense layer that takes its input as it is.
    const Integer& length = signal.axes[feature_axis(node, 0, signal)].length;
    const auto features = static_cast<std::size_t>(length.value.value_or(0));
    link = {DensePart{{}, 1, features, {}, kind, slope}, {link_of(node, signal)}};
  }
  return output_signal(node, std::move(signal), Stage::Dense, std::move(link));
}

Outputs softmax(const Node& node) {
  Signal signal = featured_input(node, 0, kHeadInput);
  if (signal.stage != Stage::Dense) node.refuse_input(0, "the scores of a dense layer");
  const bool old = node.context.opset < 13;
  const std::size_t axis = node.axis(node.integer("axis", old ? 1 : -1), signal.axes.size());
  // Before operator set 13 all axes from this one on were taken together.
  const std::size_t end = old ? signal.axes.size() : axis + 1;
  std::size_t features = 0;
  for (std::size_t i = axis; i < end; ++i) {
    const Axis& summed = signal.axes[i];
    if (summed.role == Role::Feature) {
      ++features;
    } else if (!summed.length.is(1)) {
      node.refuse(fmt::format("attribute 'axis': expected the axis of the classes, found {} of {}",
                              axis, describe(signal)));
    }
  }
  if (features != 1) {
    node.refuse(fmt::format("attribute 'axis': expected the axis of the classes, found {} of {}",
                            axis, describe(signal)));
  }
  const Output output = node.op() == "Softmax" ? Output::Softmax : Output::LogSoftmax;
  const std::size_t input = link_of(node, signal);
  return output_signal(node, std::move(signal), Stage::Scores, {ScoresPart{output}, {input}});
}

Outputs log(const Node& node) {
  const auto* signal = node.input_as<Signal>(0);
  const auto* scores = signal != nullptr && signal->link
                           ? std::get_if<ScoresPart>(&node.context.links[*signal->link].part)
                           : nullptr;
  if (scores == nullptr || scores->output != Output::Softmax) {
    node.refuse_input(0, "the scores of a Softmax");
  }
  std::vector<std::size_t> inputs = node.context.links[*signal->link].inputs;
  return output_signal(node, *signal, Stage::Scores,
                       {ScoresPart{Output::LogSoftmax}, std::move(inputs)});
}

}  // namespace rnnalf::onnx_impl
