// A Keras model is a list of layers in a configuration (JSON) and, apart from it, tensors by the
// name of their layer. The reader goes through the layers in the order of the model: each is
// checked against what may follow the layers before it, takes its tensors, and becomes an
// embedding, a recurrent layer or a part of the head. What a configuration says and the network
// cannot do is refused by the name of the layer.

#include "rnnalf/keras/keras_reader.hpp"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/json.hpp"
#include "rnnalf/keras/model_file.hpp"
#include "rnnalf/network/head_builder.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/tensors/zip_archive.hpp"

namespace rnnalf {
namespace {

using keras::ModelFile;
using nlohmann::json;
using tensors::quoted;
using tensors::Tensor;
using tensors::text_at;

constexpr std::size_t kMostLayers = 256;
constexpr int kDeepestConfig = 24;

// What to do with a model that is not read from its own file.
constexpr const char* kExport = "export the network to ONNX (tf2onnx; docs/networks.md)";

/// An Elman layer has one activation, the candidate's.
bool is_usual(CellKind cell, const LayerActivations& found) {
  const LayerActivations usual = usual_activations(cell);
  return found.candidate == usual.candidate && found.gates == usual.gates &&
         (cell != CellKind::Lstm || found.output == usual.output);
}

/// Reads layer after layer, in the order of the model.
class Reader {
 public:
  Reader(const ModelFile& model, const std::string& file, std::size_t file_size,
         const ReadOptions& options)
      : model_(model), file_(file), budget_(file_size), options_(options) {}

  NetworkSpec read() {
    const json config = parse(model_.config());
    spec_.file = file_;
    for (const json& layer : layers(config)) add(layer);
    if (stack_.layers.empty()) {
      refuse("expected a recurrent layer (SimpleRNN, GRU or LSTM), found none");
    }
    if (!head_) refuse("expected a Dense layer behind the recurrent ones, found none");
    spec_.head = head_->take();
    if (spec_.output == Output::Raw && !spec_.head.empty() &&
        spec_.head.back().activation == Activation::Sigmoid) {
      spec_.head.back().activation = Activation::None;
      spec_.output = Output::Sigmoid;
    }
    check_options();
    set_classes(options_, spec_);
    validate(stack_, file_);
    if (!unusual_) stack_.activations.clear();
    spec_.step = graph_of(stack_);
    if (masked_) skip_padding(spec_.step);
    spec_.alphabet =
        options_.alphabet ? *options_.alphabet : Alphabet::numbered(spec_.symbol_count());
    validate(spec_);
    return std::move(spec_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }
  [[noreturn]] void refuse_layer(const std::string& message) const {
    const std::string kind = quoted(class_);
    refuse("layer " + quoted(name_) + " (" + kind.substr(1, kind.size() - 2) + "): " + message);
  }

  void check_options() const {
    if (options_.cell && *options_.cell != rnnalf::name(stack_.cell)) {
      refuse("expected cell " + std::string(*options_.cell) + " as asked for, found " +
             std::string(rnnalf::name(stack_.cell)));
    }
    if (!options_.head_from.empty() && options_.head_from != stack_.head_from) {
      refuse("expected a head that reads " + names(options_.head_from) + " as asked for, found " +
             names(stack_.head_from) + "; a Keras file states it");
    }
    if (!options_.activations.empty()) {
      refuse("expected no activations to be asked for, found some; a Keras file says them itself");
    }
  }

  // ---- the description

  json parse(const std::string& text) const {
    return parse_json(text, kDeepestConfig,
                      [&](const std::string& message) { refuse("model description: " + message); });
  }

  /// Of a description's outer parts, where a missing name is found out later.
  static std::string text(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
  }

  // What a layer's configuration says: the default stands where a key is missing (older files) and
  // nowhere else. What is there and of another type is refused.

  /// Null when the key is missing.
  static const json* value(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nullptr : &*found;
  }
  [[noreturn]] void refuse_value(const char* key, const char* expected, const json& found) const {
    refuse_layer(std::string(key) + ": expected " + expected + ", found " + found.type_name());
  }
  bool flag(const json& object, const char* key, bool otherwise) const {
    const json* const found = value(object, key);
    if (found == nullptr) return otherwise;
    if (!found->is_boolean()) refuse_value(key, "true or false", *found);
    return found->get<bool>();
  }
  double number(const json& object, const char* key, double otherwise) const {
    const json* found = value(object, key);
    if (found == nullptr) return otherwise;
    // As NumPy's scalars are written.
    if (found->is_array() && found->size() == 1) found = &found->front();
    if (!found->is_number()) refuse_value(key, "a number", *found);
    return found->get<double>();
  }

  /// An activation as a configuration names it: a text; in Keras 3 also the description of a
  /// function or of a layer; null is what Keras takes for none.
  struct Named {
    std::string name = "linear";
    NamedActivation activation{};
  };
  Named activation_at(const json& config, const char* key, const char* otherwise) const {
    const json* found = value(config, key);
    if (found == nullptr) return named_activation(key, otherwise);
    if (found->is_null()) return named_activation(key, "linear");
    if (found->is_string()) return named_activation(key, found->get<std::string>());
    if (!found->is_object()) refuse_value(key, "the name of an activation", *found);
    const std::string kind = text(*found, "class_name");
    const json* const inside = value(*found, "config");
    if (!is_of_keras(*found)) {
      refuse_layer(std::string(key) + ": expected one of Keras's own, found " +
                   quoted(kind == "function" ? text(*found, "config") : kind) +
                   " of another module; " + kExport);
    }
    if (kind == "function" && inside != nullptr && inside->is_string()) {
      return named_activation(key, inside->get<std::string>());
    }
    static const json empty = json::object();
    const auto layer = activation_layer(kind, inside != nullptr ? *inside : empty);
    if (!layer) {
      refuse_layer(std::string(key) + ": expected a known activation, found " + quoted(kind) +
                   "; " + kExport);
    }
    return *layer;
  }

  /// Keras 3 says which module a class or function is of, and whether it was registered by someone.
  static bool is_of_keras(const json& object) {
    const std::string module = text(object, "module");
    return (module.empty() || module == "builtins" || module.find("keras") != std::string::npos) &&
           text(object, "registered_name").find('>') == std::string::npos;
  }

  /// By the name that Keras gives a function.
  Named named_activation(const char* key, const std::string& name) const {
    static const std::map<std::string, NamedActivation> known = {
        {"linear", {Activation::None, 0}},      {"relu", {Activation::Relu, 0}},
        {"tanh", {Activation::Tanh, 0}},        {"sigmoid", {Activation::Sigmoid, 0}},
        {"softmax", {Activation::None, 0}},     {"elu", {Activation::Elu, 1}},
        {"gelu", {Activation::Gelu, 0}},        {"silu", {Activation::Silu, 0}},
        {"swish", {Activation::Silu, 0}},       {"leaky_relu", {Activation::LeakyRelu, 0.2}},
        {"softsign", {Activation::Softsign, 0}}};
    if (name == "hard_sigmoid") return {name, {Activation::HardSigmoid, hard_sigmoid_slope()}};
    const auto found = known.find(name);
    if (found == known.end()) {
      refuse_layer(std::string(key) + ": expected a known activation, found " + quoted(name) +
                   "; " + kExport);
    }
    return {name, found->second};
  }

  /// Keras 2 cuts 0.2 x + 0.5 to 0 .. 1, Keras 3 x / 6 + 0.5.
  double hard_sigmoid_slope() const {
    const std::string version = model_.version();
    if (version.starts_with("1.") || version.starts_with("2.")) return 0.2;
    if (version.starts_with("3.")) return 1.0 / 6;
    refuse_layer(
        "hard_sigmoid: expected a 'keras_version' that says which one is meant (0.2 x + 0.5 before"
        " Keras 3, x / 6 + 0.5 since), found " +
        quoted(version));
  }

  /// A layer that is an activation; none when it is no such layer.
  std::optional<Named> activation_layer(const std::string& kind, const json& config) const {
    if (kind == "Activation") return activation_at(config, "activation", "linear");
    if (kind == "Softmax") return Named{"softmax", {}};
    if (kind == "ReLU") {
      const json* const largest = value(config, "max_value");
      if (number(config, "threshold", 0) != 0 || (largest != nullptr && !largest->is_null())) {
        refuse_layer("expected a ReLU without threshold and largest value, found one with them");
      }
      const double slope = number(config, "negative_slope", 0);
      if (slope == 0) return Named{"relu", {Activation::Relu, 0}};
      return Named{"leaky_relu", {Activation::LeakyRelu, slope}};
    }
    if (kind == "LeakyReLU") {
      const double slope = number(config, "negative_slope", number(config, "alpha", 0.3));
      return Named{"leaky_relu", {Activation::LeakyRelu, slope}};
    }
    if (kind == "ELU") return Named{"elu", {Activation::Elu, number(config, "alpha", 1)}};
    return std::nullopt;
  }

  /// The layers of the model in the order they are applied.
  std::vector<json> layers(const json& model) const {
    const std::string kind = text(model, "class_name");
    const bool functional = kind == "Functional" || kind == "Model";
    if (kind != "Sequential" && !functional) {
      refuse("expected a Sequential or functional model, found " + quoted(kind) +
             "; a subclassed model defines its layers in Python only");
    }
    // Before Keras 2.2.3 the configuration of a Sequential model was the list itself.
    const json& config = model.contains("config") ? model["config"] : model;
    const json& list = config.is_object() && config.contains("layers") ? config["layers"] : config;
    if (!list.is_array() || list.size() > kMostLayers) {
      refuse(fmt::format(
          "model description: expected at most {} layers in a list, found something else",
          kMostLayers));
    }
    std::vector<json> result(list.begin(), list.end());
    std::string before;
    for (const json& layer : result) {
      if (functional && !before.empty() && input_of(layer) != before) {
        refuse("layer " + quoted(layer_name(layer)) + ": expected a model that is a chain, with " +
               quoted(before) + " as its input, found another: export it to ONNX");
      }
      before = layer_name(layer);
    }
    return result;
  }

  static std::string layer_name(const json& layer) {
    std::string direct = text(layer, "name");
    if (!direct.empty() || !layer.is_object() || !layer.contains("config")) return direct;
    return text(layer["config"], "name");
  }

  /// [layer, call, number of the output]
  static void add_output(const json& from, std::vector<std::string>& layers) {
    if (!from.is_array() || from.empty() || !from[0].is_string()) return;
    const bool first = from.size() < 3 || from[2] == 0;
    layers.push_back(first ? from[0].get<std::string>() : "");
  }

  /// The one layer whose output a layer of a functional model takes; empty for several, and for the
  /// states that a recurrent layer gives beside its output.
  static std::string input_of(const json& layer) {
    if (!layer.is_object() || !layer.contains("inbound_nodes")) return "";
    std::vector<std::string> found;
    // [[["name", 0, 0, {}]]] in Keras 2, {"args": [{... "keras_history": ["name", 0, 0]}]} in 3.
    const auto search = [&](const auto& self, const json& value, int depth) -> void {
      if (depth > kDeepestConfig || found.size() > 1) return;
      if (value.is_object() && value.contains("keras_history")) {
        const json& history = value["keras_history"];
        add_output(history, found);
        return;
      }
      if (value.is_array() && value.size() >= 3 && value[0].is_string()) {
        add_output(value, found);
        return;
      }
      if (value.is_object() && value.contains("args")) return self(self, value["args"], depth + 1);
      if (!value.is_array() && !value.is_object()) return;
      for (const auto& item : value) self(self, item, depth + 1);
    };
    search(search, layer["inbound_nodes"], 0);
    return found.size() == 1 ? found.front() : "";
  }

  // ---- layers

  void add(const json& layer) {
    class_ = text(layer, "class_name");
    name_ = layer_name(layer);
    position_ = seen_[class_]++;
    static const json empty = json::object();
    const json& config = layer.is_object() && layer.contains("config") ? layer["config"] : empty;
    if (!is_of_keras(layer)) {
      refuse_layer(std::string("expected a layer of Keras's own, found one of another module; ") +
                   kExport);
    }
    if (class_ == "InputLayer" || class_ == "Dropout" || class_ == "SpatialDropout1D" ||
        class_ == "GaussianNoise" || class_ == "GaussianDropout" ||
        class_ == "ActivityRegularization") {
      return;
    }
    if (class_ == "Embedding") return embedding(config);
    if (class_ == "SimpleRNN" || class_ == "GRU" || class_ == "LSTM") return recurrent(config);
    if (class_ == "Bidirectional") {
      refuse_layer(
          "the network reads a word from both ends, so it has no state after a prefix and"
          " cannot be stepped");
    }
    if (stack_.layers.empty()) {
      refuse_layer(
          std::string("expected an Embedding or a recurrent layer first, found another: ") +
          kExport);
    }
    if (class_ == "GlobalMaxPooling1D" || class_ == "GlobalAveragePooling1D") return pooling();
    if (sequences_) {
      refuse_layer(std::string("expected a recurrent layer or a pooling over time behind"
                               " 'return_sequences', found another: ") +
                   kExport);
    }
    if (spec_.output != Output::Raw) refuse_layer("expected nothing behind a softmax, found it");
    if (!head_) head_.emplace(stack_.layers.back().hidden, 65536 + 4 * budget_);
    try {
      head_layer(config);
    } catch (const std::length_error& error) {
      refuse_layer(error.what());
    }
  }

  void embedding(const json& config) {
    if (stack_.embedding || !stack_.layers.empty())
      refuse_layer("expected it first, found it later");
    masked_ = flag(config, "mask_zero", false);
    const std::vector<Tensor> found = weights(1, false);
    stack_.embedding = matrix(found[0]);
  }

  void recurrent(const json& config) {
    if (!stack_.layers.empty() && !sequences_) {
      refuse_layer(
          "expected 'return_sequences' in the recurrent layer before, found the last state"
          " alone");
    }
    if (head_ || stack_.head_from.front() != HeadFrom::Last)
      refuse_layer("expected it before the head");
    if (flag(config, "go_backwards", false)) {
      refuse_layer("it reads a word from its end, so it has no state after a prefix");
    }
    CellKind cell = cell_of(config);
    const LayerActivations activations = activations_of(config);
    if (cell == CellKind::ElmanTanh && activations.candidate == StepActivation{Activation::Relu}) {
      cell = CellKind::ElmanRelu;
    }
    if (!stack_.layers.empty() && cell != stack_.cell) {
      refuse_layer("expected layers of one kind, " + std::string(rnnalf::name(stack_.cell)) +
                   ", found " + std::string(rnnalf::name(cell)) + ": " + kExport);
    }
    stack_.cell = cell;
    stack_.activations.push_back(activations);
    unusual_ = unusual_ || !is_usual(cell, activations);
    sequences_ = flag(config, "return_sequences", false);
    const bool has_bias = flag(config, "use_bias", true);
    const std::vector<Tensor> found = weights(has_bias ? 3 : 2, true);
    RecurrentLayer layer;
    layer.input_weights = transposed(matrix(found[0]));
    layer.recurrent_weights = transposed(matrix(found[1]));
    const std::size_t gates = gate_count(cell);
    layer.hidden = layer.recurrent_weights.cols;
    if (layer.hidden == 0 || layer.recurrent_weights.rows != gates * layer.hidden) {
      refuse_layer(fmt::format("expected {} times as many recurrent columns as rows, found {}",
                               gates, found[1].shape()));
    }
    layer.input_weights.values = in_our_order(layer.input_weights.values, gates);
    layer.recurrent_weights.values = in_our_order(layer.recurrent_weights.values, gates);
    if (has_bias) biases(found[2], cell, layer);
    stack_.layers.push_back(std::move(layer));
  }

  /// GRU: a row for the input and, with reset after, one for the recurrent product.
  void biases(const Tensor& bias, CellKind cell, RecurrentLayer& layer) {
    const std::size_t gates = gate_count(cell);
    const std::size_t rows = gates * layer.hidden;
    const bool two = cell == CellKind::Gru;
    const std::vector<std::size_t> shape =
        two ? std::vector<std::size_t>{2, rows} : std::vector<std::size_t>{rows};
    if (bias.sizes != shape) {
      refuse_layer(fmt::format("expected biases of shape {}{}, found {}", two ? "2 x " : "", rows,
                               bias.shape()));
    }
    const std::vector<double> all = numbers(bias);
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(rows);
    layer.input_bias = in_our_order({all.begin(), half}, gates);
    if (two) layer.recurrent_bias = in_our_order({half, all.end()}, gates);
  }

  CellKind cell_of(const json& config) const {
    if (class_ == "SimpleRNN") return CellKind::ElmanTanh;
    if (class_ == "LSTM") return CellKind::Lstm;
    return flag(config, "reset_after", false) ? CellKind::Gru : CellKind::GruResetBefore;
  }

  LayerActivations activations_of(const json& config) const {
    const auto named = [&](const char* key, const char* otherwise) {
      const Named found = activation_at(config, key, otherwise);
      if (found.name == "softmax") {
        refuse_layer(std::string(key) +
                     ": expected one that works number by number, found 'softmax'");
      }
      return StepActivation{found.activation.activation, found.activation.slope};
    };
    LayerActivations result;
    result.candidate = result.output = named("activation", "tanh");
    if (class_ != "SimpleRNN") result.gates = named("recurrent_activation", "sigmoid");
    return result;
  }

  /// Keras stacks a GRU's gates as z, r, h; ours are r, z, n. An LSTM's are alike.
  static std::vector<double> in_our_order(const std::vector<double>& stacked, std::size_t gates) {
    if (gates != 3) return stacked;
    const std::size_t block = stacked.size() / 3;
    std::vector<double> result = stacked;
    for (std::size_t i = 0; i < block; ++i) std::swap(result[i], result[block + i]);
    return result;
  }

  void pooling() {
    if (!sequences_)
      refuse_layer("expected 'return_sequences' before it, found the last state alone");
    const bool largest = class_ == "GlobalMaxPooling1D";
    if (largest && masked_) {
      refuse_layer(
          std::string("its input has padding that is masked in other layers, but not here: ") +
          kExport);
    }
    stack_.head_from = {largest ? HeadFrom::Max : HeadFrom::Mean};
    sequences_ = false;
  }

  void head_layer(const json& config) {
    if (class_ == "Dense") {
      const bool has_bias = flag(config, "use_bias", true);
      const std::vector<Tensor> found = weights(has_bias ? 2 : 1, false);
      Matrix kernel = transposed(matrix(found[0]));
      if (kernel.cols != head_->size()) {
        refuse_layer(fmt::format("expected weights for {} inputs, found {}", head_->size(),
                                 found[0].shape()));
      }
      std::vector<double> bias = has_bias ? numbers(found[1]) : std::vector<double>{};
      head_->dense(std::move(kernel), std::move(bias));
      return activate(activation_at(config, "activation", "linear"));
    }
    if (const auto found = activation_layer(class_, config)) return activate(*found);
    if (class_ == "BatchNormalization") return normalisation(config, true);
    if (class_ == "LayerNormalization") return normalisation(config, false);
    refuse_layer(
        std::string("expected Dense, an activation, a normalisation or Dropout behind the recurrent"
                    " layers, found another; ") +
        kExport);
  }

  void activate(const Named& found) {
    if (found.name == "softmax") {
      spec_.output = Output::Softmax;
    } else {
      head_->activate(found.activation.activation, found.activation.slope);
    }
  }

  void normalisation(const json& config, bool over_batch) {
    const bool has_scale = flag(config, "scale", true);
    const bool has_shift = flag(config, "center", true);
    const std::vector<Tensor> found =
        weights((has_scale ? 1U : 0U) + (has_shift ? 1U : 0U) + (over_batch ? 2U : 0U), false);
    const std::size_t size = head_->size();
    const double epsilon = number(config, "epsilon", 1e-3);
    std::size_t at = 0;
    const auto next = [&](bool there, double otherwise) {
      if (!there) return std::vector<double>(size, otherwise);
      if (found[at].sizes != std::vector<std::size_t>{size}) {
        refuse_layer(fmt::format("expected {} numbers, found {}", size, found[at].shape()));
      }
      return numbers(found[at++]);
    };
    std::vector<double> scale = next(has_scale, 1);
    std::vector<double> shift = next(has_shift, 0);
    if (over_batch) {
      const std::vector<double> mean = next(true, 0);
      const std::vector<double> variance = next(true, 0);
      for (std::size_t i = 0; i < size; ++i) {
        scale[i] /= std::sqrt(variance[i] + epsilon);
        shift[i] -= mean[i] * scale[i];
      }
    } else {
      head_->normalise(epsilon);
    }
    head_->rescale(std::move(scale), std::move(shift));
  }

  /// mask_zero: symbol 0 changes no state, x' = m x' + (1 - m) x with m = 0 for it and else 1.
  static void skip_padding(StepGraph& graph) {
    StepBuilder b;
    for (StepNode& node : graph.step) b.add(std::move(node));
    Matrix mask{graph.symbols, 1, std::vector<double>(graph.symbols, 1)};
    mask.values.front() = 0;
    const std::size_t reads =
        b.add({.operation = StepOperation::Symbol, .size = 1, .weights = std::move(mask)});
    const std::size_t skips = b.combine(StepOperation::Subtract, b.constant({1}), reads);
    for (std::size_t i = 0; i < graph.states.size(); ++i) {
      StepState& state = graph.states[i];
      const std::size_t kept = b.combine(StepOperation::Multiply, skips, b.state(i, state.size));
      const std::size_t moved = b.combine(StepOperation::Multiply, reads, state.next);
      state.next = b.combine(StepOperation::Add, moved, kept);
    }
    graph.step = b.take();
  }

  // ---- numbers

  std::vector<Tensor> weights(std::size_t count, bool is_recurrent) const {
    std::vector<Tensor> found = model_.weights(name_, class_, position_, is_recurrent);
    if (found.size() != count) {
      refuse_layer(fmt::format("expected {} arrays, found {}", count, found.size()));
    }
    return found;
  }
  std::vector<double> numbers(const Tensor& tensor) {
    if (tensor.count() > budget_) {
      refuse_layer(
          "expected no more numbers than the file has bytes, found arrays that share them");
    }
    budget_ -= tensor.count();
    return tensor.numbers();
  }
  Matrix matrix(const Tensor& tensor) {
    if (tensor.sizes.size() != 2 || tensor.count() == 0) {
      refuse_layer("expected rows x columns of numbers, found " + tensor.shape());
    }
    return {tensor.sizes[0], tensor.sizes[1], numbers(tensor)};
  }
  static Matrix transposed(const Matrix& from) {
    Matrix to{from.cols, from.rows, std::vector<double>(from.values.size())};
    for (std::size_t row = 0; row < from.rows; ++row) {
      for (std::size_t col = 0; col < from.cols; ++col) {
        to.values[col * to.cols + row] = from.at(row, col);
      }
    }
    return to;
  }

  const ModelFile& model_;
  const std::string& file_;
  std::size_t budget_;  // numbers that may still be read
  const ReadOptions& options_;
  NetworkSpec spec_;
  LayerStack stack_;
  std::optional<HeadBuilder> head_;
  bool sequences_ = false;  // whether the last layer gives its state after every symbol
  bool masked_ = false;
  bool unusual_ = false;                     // whether some are not those of the formulas
  std::map<std::string, std::size_t> seen_;  // layers of each class
  std::string class_;                        // of the layer being read
  std::string name_;
  std::size_t position_ = 0;
};

}  // namespace

bool looks_like_keras(std::span<const std::byte> bytes) {
  if (bytes.size() >= 4 && text_at(bytes, 0, 4) == "\x89HDF") return true;
  if (bytes.size() < 4 || text_at(bytes, 0, 2) != "PK") return false;
  try {
    return tensors::ZipArchive(bytes, "").has("model.weights.h5");
  } catch (const NetworkFileError&) {
    return false;
  }
}

NetworkSpec read_keras(std::span<const std::byte> bytes, const std::string& file,
                       const ReadOptions& options) {
  const auto model = keras::open_model(bytes, file);
  return Reader(*model, file, bytes.size(), options).read();
}

}  // namespace rnnalf
