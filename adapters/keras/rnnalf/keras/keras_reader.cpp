#include "rnnalf/keras/keras_reader.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "rnnalf/base/errors.hpp"
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
    if (spec_.layers.empty()) {
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
    spec_.alphabet =
        options_.alphabet ? *options_.alphabet : Alphabet::numbered(spec_.symbol_count());
    validate(spec_);
    if (masked_) skip_padding();
    validate(spec_);
    return std::move(spec_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }
  [[noreturn]] void refuse_layer(const std::string& message) const {
    refuse("layer " + quoted(name_) + " (" + class_ + "): " + message);
  }

  void check_options() const {
    if (options_.cell && *options_.cell != spec_.cell) {
      refuse("expected cell " + std::string(rnnalf::name(*options_.cell)) +
             " as asked for, found " + std::string(rnnalf::name(spec_.cell)));
    }
    if (options_.head_from && *options_.head_from != spec_.head_from) {
      refuse("expected a head that reads " + std::string(rnnalf::name(*options_.head_from)) +
             " as asked for, found " + std::string(rnnalf::name(spec_.head_from)) +
             "; a Keras file says it itself");
    }
    if (!options_.activations.empty()) {
      refuse("expected no activations to be asked for, found some; a Keras file says them itself");
    }
  }

  // ---- the description

  json parse(const std::string& text) const {
    try {
      return json::parse(text, [&](int depth, json::parse_event_t, json&) {
        if (depth > kDeepestConfig)
          refuse("model description: expected no deeper nesting, found it");
        return true;
      });
    } catch (const json::parse_error& error) {
      refuse("model description: expected JSON, found an error at byte " +
             std::to_string(error.byte));
    }
  }

  static std::string text(const json& object, const char* key, const std::string& otherwise = "") {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
  }
  static bool flag(const json& object, const char* key, bool otherwise) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
  }
  static double number(const json& object, const char* key, double otherwise) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found != object.end() && found->is_array() && found->size() == 1 &&
        found->front().is_number()) {
      return found->front().get<double>();
    }
    return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
  }

  /// The layers of the model in the order they are applied.
  std::vector<json> layers(const json& model) const {
    const std::string kind = text(model, "class_name");
    const bool functional = kind == "Functional" || kind == "Model";
    if (kind != "Sequential" && !functional) {
      refuse("expected a Sequential or functional model, found " + quoted(kind) +
             "; a model of a class of its own says its layers in Python only");
    }
    // Before Keras 2.2.3 the configuration of a Sequential model was the list itself.
    const json& config = model.contains("config") ? model["config"] : model;
    const json& list = config.is_object() && config.contains("layers") ? config["layers"] : config;
    if (!list.is_array() || list.size() > kMostLayers) {
      refuse("model description: expected at most " + std::to_string(kMostLayers) +
             " layers in a list, found something else");
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

  /// The one layer whose output a layer of a functional model takes; empty for several.
  static std::string input_of(const json& layer) {
    if (!layer.is_object() || !layer.contains("inbound_nodes")) return "";
    std::vector<std::string> found;
    // [[["name", 0, 0, {}]]] in Keras 2, {"args": [{... "keras_history": ["name", 0, 0]}]} in 3.
    const auto search = [&](const auto& self, const json& value, int depth) -> void {
      if (depth > kDeepestConfig || found.size() > 1) return;
      if (value.is_object() && value.contains("keras_history")) {
        const json& history = value["keras_history"];
        if (history.is_array() && !history.empty() && history[0].is_string())
          found.push_back(history[0]);
        return;
      }
      if (value.is_array() && value.size() >= 3 && value[0].is_string()) {
        found.push_back(value[0]);
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
    if (spec_.layers.empty()) {
      refuse_layer(
          "expected an Embedding or a recurrent layer first, found another: export the"
          " network to ONNX");
    }
    if (class_ == "GlobalMaxPooling1D" || class_ == "GlobalAveragePooling1D") return pooling();
    if (sequences_) {
      refuse_layer(
          "expected a recurrent layer or a pooling over time behind 'return_sequences',"
          " found another: export the network to ONNX");
    }
    if (spec_.output != Output::Raw) refuse_layer("expected nothing behind a softmax, found it");
    if (!head_) head_.emplace(spec_.layers.back().hidden, 65536 + 4 * budget_);
    try {
      head_layer(config);
    } catch (const std::length_error& error) {
      refuse_layer(error.what());
    }
  }

  void embedding(const json& config) {
    if (spec_.embedding || !spec_.layers.empty()) refuse_layer("expected it first, found it later");
    masked_ = flag(config, "mask_zero", false);
    const std::vector<Tensor> found = weights(1, false);
    spec_.embedding = matrix(found[0]);
  }

  void recurrent(const json& config) {
    if (!spec_.layers.empty() && !sequences_) {
      refuse_layer(
          "expected 'return_sequences' in the recurrent layer before, found the last state"
          " alone");
    }
    if (head_ || spec_.head_from != HeadFrom::Last) refuse_layer("expected it before the head");
    if (flag(config, "go_backwards", false)) {
      refuse_layer("it reads a word from its end, so it has no state after a prefix");
    }
    const CellKind cell = cell_of(config);
    if (!spec_.layers.empty() && cell != spec_.cell) {
      refuse_layer("expected layers of one kind, " + std::string(rnnalf::name(spec_.cell)) +
                   ", found " + std::string(rnnalf::name(cell)) + ": export the network to ONNX");
    }
    spec_.cell = cell;
    sequences_ = flag(config, "return_sequences", false);
    const bool has_bias = flag(config, "use_bias", true);
    const std::vector<Tensor> found = weights(has_bias ? 3 : 2, true);
    RecurrentLayer layer;
    layer.input_weights = transposed(matrix(found[0]));
    layer.recurrent_weights = transposed(matrix(found[1]));
    const std::size_t gates = gate_count(cell);
    layer.hidden = layer.recurrent_weights.cols;
    if (layer.hidden == 0 || layer.recurrent_weights.rows != gates * layer.hidden) {
      refuse_layer("expected " + std::to_string(gates) +
                   " times as many recurrent columns as rows, found " + found[1].shape());
    }
    layer.input_weights.values = in_our_order(layer.input_weights.values, gates);
    layer.recurrent_weights.values = in_our_order(layer.recurrent_weights.values, gates);
    if (has_bias) biases(found[2], cell, layer);
    spec_.layers.push_back(std::move(layer));
  }

  /// GRU: a row for the input and, with reset after, one for the recurrent product.
  void biases(const Tensor& bias, CellKind cell, RecurrentLayer& layer) {
    const std::size_t gates = gate_count(cell);
    const std::size_t rows = gates * layer.hidden;
    const bool two = cell == CellKind::Gru;
    const std::vector<std::size_t> shape =
        two ? std::vector<std::size_t>{2, rows} : std::vector<std::size_t>{rows};
    if (bias.sizes != shape) {
      refuse_layer("expected biases of shape " + std::string(two ? "2 x " : "") +
                   std::to_string(rows) + ", found " + bias.shape());
    }
    const std::vector<double> all = numbers(bias);
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(rows);
    layer.input_bias = in_our_order({all.begin(), half}, gates);
    if (two) layer.recurrent_bias = in_our_order({half, all.end()}, gates);
  }

  CellKind cell_of(const json& config) const {
    const std::string activation = text(config, "activation", "tanh");
    if (class_ == "SimpleRNN") {
      if (activation == "tanh") return CellKind::ElmanTanh;
      if (activation == "relu") return CellKind::ElmanRelu;
      refuse_layer("activation: expected tanh or relu, found " + quoted(activation));
    }
    const std::string gate = text(config, "recurrent_activation", "sigmoid");
    if (activation != "tanh" || gate != "sigmoid") {
      refuse_layer("expected tanh and recurrent sigmoid, found " + quoted(activation) + " and " +
                   quoted(gate));
    }
    if (class_ == "LSTM") return CellKind::Lstm;
    return flag(config, "reset_after", false) ? CellKind::Gru : CellKind::GruResetBefore;
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
          "its input has padding that is masked in other layers, but not here: export the"
          " network to ONNX");
    }
    spec_.head_from = largest ? HeadFrom::Max : HeadFrom::Mean;
    sequences_ = false;
  }

  void head_layer(const json& config) {
    if (class_ == "Dense") {
      const bool has_bias = flag(config, "use_bias", true);
      const std::vector<Tensor> found = weights(has_bias ? 2 : 1, false);
      Matrix kernel = transposed(matrix(found[0]));
      if (kernel.cols != head_->size()) {
        refuse_layer("expected weights for " + std::to_string(head_->size()) + " inputs, found " +
                     found[0].shape());
      }
      std::vector<double> bias = has_bias ? numbers(found[1]) : std::vector<double>{};
      head_->dense(std::move(kernel), std::move(bias));
      return activation(text(config, "activation", "linear"), 0);
    }
    if (class_ == "Activation") return activation(text(config, "activation", "linear"), 0);
    if (class_ == "Softmax") return activation("softmax", 0);
    if (class_ == "ReLU") {
      if (number(config, "threshold", 0) != 0 ||
          (config.contains("max_value") && !config["max_value"].is_null())) {
        refuse_layer("expected a ReLU without threshold and largest value, found one with them");
      }
      const double slope = number(config, "negative_slope", 0);
      if (slope != 0) return head_->activate(Activation::LeakyRelu, slope);
      return head_->activate(Activation::Relu);
    }
    if (class_ == "LeakyReLU") {
      return head_->activate(Activation::LeakyRelu,
                             number(config, "negative_slope", number(config, "alpha", 0.3)));
    }
    if (class_ == "ELU") return head_->activate(Activation::Elu, number(config, "alpha", 1));
    if (class_ == "BatchNormalization") return normalisation(config, true);
    if (class_ == "LayerNormalization") return normalisation(config, false);
    refuse_layer(
        "expected Dense, an activation, a normalisation or Dropout behind the recurrent"
        " layers, found another");
  }

  void activation(const std::string& name, double slope) {
    if (name == "linear") return;
    if (name == "softmax") {
      spec_.output = Output::Softmax;
      return;
    }
    static const std::map<std::string, NamedActivation> known = {
        {"relu", {Activation::Relu, 0}},        {"tanh", {Activation::Tanh, 0}},
        {"sigmoid", {Activation::Sigmoid, 0}},  {"elu", {Activation::Elu, 1}},
        {"gelu", {Activation::Gelu, 0}},        {"silu", {Activation::Silu, 0}},
        {"swish", {Activation::Silu, 0}},       {"leaky_relu", {Activation::LeakyRelu, 0.2}},
        {"softsign", {Activation::Softsign, 0}}};
    const auto found = known.find(name);
    if (found == known.end()) {
      refuse_layer("activation: expected a known one, found " + quoted(name));
    }
    head_->activate(found->second.activation, slope != 0 ? slope : found->second.slope);
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
        refuse_layer("expected " + std::to_string(size) + " numbers, found " + found[at].shape());
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
  void skip_padding() {
    StepGraph graph = step_graph_of(spec_);
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
    spec_.step = std::move(graph);
    spec_.embedding.reset();
    spec_.layers.clear();
    spec_.head_from = HeadFrom::Last;
  }

  // ---- numbers

  std::vector<Tensor> weights(std::size_t count, bool is_recurrent) const {
    std::vector<Tensor> found = model_.weights(name_, class_, position_, is_recurrent);
    if (found.size() != count) {
      refuse_layer("expected " + std::to_string(count) + " arrays, found " +
                   std::to_string(found.size()));
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
  std::optional<HeadBuilder> head_;
  bool sequences_ = false;  // whether the last layer gives its state after every symbol
  bool masked_ = false;
  std::map<std::string, std::size_t> seen_;  // layers of each class
  std::string class_;                        // of the layer being read
  std::string name_;
  std::size_t position_ = 0;
};

}  // namespace

bool looks_like_keras(std::span<const std::byte> bytes) noexcept {
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
