#include "rnnalf/pytorch/state_dict_reader.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/torch_file.hpp"

namespace rnnalf {
namespace {

using pytorch::quoted;
using pytorch::Tensor;

// Names of symbols take more room than their weights, so that the file's size alone is no bound.
constexpr std::size_t kMostSymbols = 1U << 20;

/// `encoder.rnn.weight_ih_l0` is the tensor weight_ih_l0 of the module `encoder.rnn.`
struct SplitName {
  std::string_view module;  ///< with its dot, or empty
  std::string_view leaf;
};

SplitName split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {"", name};
  return {name.substr(0, dot + 1), name.substr(dot + 1)};
}

/// The tensors of one recurrent layer as torch names them.
struct LayerTensors {
  const Tensor* weight_ih = nullptr;
  const Tensor* weight_hh = nullptr;
  const Tensor* bias_ih = nullptr;
  const Tensor* bias_hh = nullptr;
};

/// Builds the network from named tensors; every tensor of real numbers must find its place.
class Builder {
 public:
  Builder(std::vector<Tensor> tensors, std::size_t file_size, const std::string& file,
          const ReadOptions& options)
      : tensors_(std::move(tensors)), budget_(file_size), file_(file), options_(options) {
    for (const Tensor& tensor : tensors_) by_name_.emplace(tensor.name, &tensor);
  }

  NetworkSpec build() {
    NetworkSpec spec;
    spec.file = file_;
    const std::vector<LayerTensors> layers = collect_layers();
    spec.cell = cell(*layers.front().weight_hh);
    const Tensor& last = *layers.back().weight_hh;
    place_dense_weights(layers.front().weight_ih->sizes[1], last.sizes[1]);

    if (embedding_ != nullptr) spec.embedding = matrix(*embedding_);
    for (const LayerTensors& layer : layers) spec.layers.push_back(recurrent_layer(layer));
    spec.head.push_back(DenseLayer{.weights = matrix(*head_), .bias = optional_vector(head_bias_)});
    spec.accept_class = options_.accept_class;
    if (spec.symbol_count() > kMostSymbols) {
      refuse("expected at most " + std::to_string(kMostSymbols) + " input symbols, found " +
             std::to_string(spec.symbol_count()));
    }
    spec.alphabet =
        options_.alphabet ? *options_.alphabet : Alphabet::numbered(spec.symbol_count());
    validate(spec);
    return spec;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }
  [[noreturn]] void refuse(const Tensor& tensor, const std::string& message) const {
    refuse("tensor " + quoted(tensor.name) + ": " + message);
  }

  // ---- the recurrent layers

  [[nodiscard]] std::vector<LayerTensors> collect_layers() const {
    std::map<std::size_t, LayerTensors> layers;
    const Tensor* first = nullptr;
    for (const Tensor& tensor : tensors_) {
      if (!pytorch::is_recurrent_name(tensor.name)) continue;
      if (first == nullptr) first = &tensor;
      if (split(tensor.name).module != split(first->name).module) {
        refuse(tensor, "expected all recurrent weights in one module, that of " +
                           quoted(first->name) +
                           "; how two modules are connected is not in a state_dict");
      }
      place(tensor, layers);
    }
    std::vector<LayerTensors> in_order;
    for (const auto& [number, layer] : layers) {
      const std::string what = "recurrent layer " + std::to_string(in_order.size()) + ": ";
      if (number != in_order.size()) {
        refuse(what + "expected weight_ih_l" + std::to_string(in_order.size()) + ", found none");
      }
      if (layer.weight_ih == nullptr || layer.weight_hh == nullptr) {
        refuse(what + "expected weight_ih and weight_hh, found one of them alone");
      }
      if ((layer.bias_ih == nullptr) != (layer.bias_hh == nullptr)) {
        refuse(what + "expected bias_ih and bias_hh or none, found one of them alone");
      }
      for (const Tensor* weight : {layer.weight_ih, layer.weight_hh}) expect_matrix(*weight);
      in_order.push_back(layer);
    }
    return in_order;
  }

  /// Puts weight_ih_l0 and the like into its layer; the names of cells have no layer number.
  void place(const Tensor& tensor, std::map<std::size_t, LayerTensors>& layers) const {
    std::string_view leaf = split(tensor.name).leaf;
    if (leaf.starts_with("weight_hr")) {
      refuse(tensor, "this is the projection of an LSTM with proj_size, which is not supported");
    }
    if (leaf.ends_with("_reverse")) {
      refuse(tensor,
             "the network is bidirectional: it reads a word from both ends, so it has no state" +
                 std::string(" after a prefix and cannot be stepped"));
    }
    const bool is_weight = leaf.starts_with("weight");
    const std::size_t stem = std::string_view(is_weight ? "weight_ih" : "bias_ih").size();
    const bool of_input = leaf[stem - 2] == 'i';
    std::string_view number = leaf.substr(stem);
    std::size_t layer = 0;
    if (!number.empty()) {
      const char* end = number.data() + number.size();
      const bool numbered = number.starts_with("_l") && number.size() > 2;
      const auto parsed = std::from_chars(number.data() + (numbered ? 2 : 0), end, layer);
      if (!numbered || parsed.ec != std::errc() || parsed.ptr != end) {
        refuse(tensor,
               "expected a name such as " + quoted(std::string(leaf.substr(0, stem)) + "_l0") +
                   ", found another; weights that are computed from others are not supported");
      }
    }
    LayerTensors& into = layers[layer];
    const Tensor*& slot = is_weight ? (of_input ? into.weight_ih : into.weight_hh)
                                    : (of_input ? into.bias_ih : into.bias_hh);
    if (slot != nullptr)
      refuse(tensor, "expected one such tensor, found " + quoted(slot->name) + " too");
    slot = &tensor;
  }

  /// weight_hh has gates x hidden rows and hidden columns.
  [[nodiscard]] CellKind cell(const Tensor& weight_hh) const {
    const std::size_t hidden = weight_hh.sizes[1];
    const std::size_t gates =
        hidden == 0 || weight_hh.sizes[0] % hidden != 0 ? 0 : weight_hh.sizes[0] / hidden;
    if (gates != 1 && gates != 3 && gates != 4) {
      refuse(weight_hh,
             "expected 1, 3 or 4 times as many rows as columns (Elman, GRU, LSTM), found " +
                 weight_hh.shape());
    }
    if (options_.cell) {
      if (gate_count(*options_.cell) != gates) {
        refuse(weight_hh, "--cell " + std::string(name(*options_.cell)) + ": expected " +
                              std::to_string(gate_count(*options_.cell)) +
                              " times as many rows as columns, found " + weight_hh.shape());
      }
      return *options_.cell;
    }
    if (gates == 1) {
      refuse(
          "the network is an Elman network, and a state_dict does not say with which activation:" +
          std::string(" say --cell elman-tanh or --cell elman-relu"));
    }
    return gates == 3 ? CellKind::Gru : CellKind::Lstm;
  }

  RecurrentLayer recurrent_layer(const LayerTensors& layer) {
    return RecurrentLayer{.hidden = layer.weight_hh->sizes[1],
                          .input_weights = matrix(*layer.weight_ih),
                          .recurrent_weights = matrix(*layer.weight_hh),
                          .input_bias = optional_vector(layer.bias_ih),
                          .recurrent_bias = optional_vector(layer.bias_hh),
                          .initial_hidden = {},
                          .initial_cell = {}};
  }

  // ---- what stands before and behind them

  [[nodiscard]] const Tensor* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  /// The bias that belongs to a weight, if it has one.
  [[nodiscard]] const Tensor* bias_of(const Tensor& weight) const {
    return find(std::string(split(weight.name).module) + "bias");
  }

  /// Everything that is no recurrent weight must be an embedding in front (symbols x inputs, no
  /// bias) or the dense layer behind (outputs x hidden).
  void place_dense_weights(std::size_t inputs, std::size_t hidden) {
    std::vector<const Tensor*> weights;
    for (const Tensor& tensor : tensors_) {
      if (pytorch::is_recurrent_name(tensor.name)) continue;
      const SplitName name = split(tensor.name);
      if (name.leaf == "weight" && tensor.sizes.size() == 2) {
        weights.push_back(&tensor);
      } else if (name.leaf != "bias" || !has_dense_weight(name.module)) {
        refuse(tensor,
               "expected an embedding, recurrent layers and a dense layer, found a tensor (" +
                   tensor.shape() + ") of something else, such as a normalisation, that" +
                   " would change what the network computes");
      }
    }
    if (weights.empty()) {
      refuse("expected a dense layer behind the recurrent ones, a weight with " +
             std::to_string(hidden) + " columns, found none");
    }
    if (weights.size() == 1) {
      head_ = weights.front();
    } else {
      choose_embedding(weights, inputs, hidden);
    }
    if (head_->sizes[1] != hidden) {
      refuse(*head_, "expected a dense layer behind the recurrent ones, a weight with " +
                         std::to_string(hidden) + " columns, found " + head_->shape());
    }
    head_bias_ = bias_of(*head_);
  }

  [[nodiscard]] bool has_dense_weight(std::string_view module) const {
    const Tensor* weight = find(std::string(module) + "weight");
    return weight != nullptr && weight->sizes.size() == 2;
  }

  /// Of two weights or more: one may be the embedding, one is the dense layer. Shapes decide; where
  /// they fit both ways, the order does, which is that of the modules in the Python class.
  void choose_embedding(const std::vector<const Tensor*>& weights, std::size_t inputs,
                        std::size_t hidden) {
    const auto is_embedding = [&](const Tensor& weight) {
      return weight.sizes[1] == inputs && bias_of(weight) == nullptr;
    };
    const auto is_head = [&](const Tensor& weight) { return weight.sizes[1] == hidden; };
    if (weights.size() == 2) {
      const Tensor& a = *weights[0];
      const Tensor& b = *weights[1];
      const bool a_first = is_embedding(a) && is_head(b);
      const bool b_first = is_embedding(b) && is_head(a);
      if (a_first && b_first && is_before_recurrent(a) == is_before_recurrent(b)) {
        refuse(a, "expected to tell the embedding from the dense layer, found that " +
                      quoted(b.name) + " could be either as well, by shape and by order");
      }
      if (a_first || b_first) {
        const bool take_a = a_first && (!b_first || is_before_recurrent(a));
        embedding_ = take_a ? &a : &b;
        head_ = take_a ? &b : &a;
        refuse_transposed_embedding();
        return;
      }
    }
    refuse_several_layers(weights, hidden, is_embedding);
  }

  /// A dense layer without bias in front of the recurrent ones looks like an embedding when it is
  /// square, but is its transpose.
  void refuse_transposed_embedding() const {
    std::string lower;
    for (const char c : embedding_->name)
      lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (embedding_->sizes[0] == embedding_->sizes[1] && lower.find("emb") == std::string::npos) {
      refuse(*embedding_, "expected an embedding, found a square weight (" + embedding_->shape() +
                              ") that could be a dense layer too: give the module a name with" +
                              " \"emb\" in it, or export the network to ONNX");
    }
  }

  /// Says why more weights than an embedding and one dense layer cannot be placed.
  template <class IsEmbedding>
  [[noreturn]] void refuse_several_layers(const std::vector<const Tensor*>& weights,
                                          std::size_t hidden,
                                          const IsEmbedding& is_embedding) const {
    std::size_t outputs = hidden;
    const Tensor* before = nullptr;
    for (const Tensor* weight : weights) {
      if (weight == weights.front() && is_embedding(*weight) && is_before_recurrent(*weight))
        continue;
      if (weight->sizes[1] != outputs) {
        refuse(*weight, "expected an embedding or a dense layer with " + std::to_string(outputs) +
                            " inputs, found " + weight->shape());
      }
      if (before != nullptr) {
        refuse(*weight,
               "the network has several dense layers behind the recurrent ones, and a" +
                   std::string(" state_dict does not say which activation stands between ") +
                   quoted(before->name) + " and this one: export the network to ONNX");
      }
      before = weight;
      outputs = weight->sizes[0];
    }
    refuse(*weights.back(),
           "expected an embedding or a dense layer, found " + weights.back()->shape());
  }

  [[nodiscard]] bool is_before_recurrent(const Tensor& weight) const {
    const auto first = std::find_if(tensors_.begin(), tensors_.end(), [](const Tensor& tensor) {
      return pytorch::is_recurrent_name(tensor.name);
    });
    return &weight < &*first;
  }

  // ---- numbers

  void expect_matrix(const Tensor& tensor) const {
    if (tensor.sizes.size() != 2 || tensor.count() == 0) {
      refuse(tensor, "expected rows x columns of numbers, found " + tensor.shape());
    }
  }

  /// Tensors may share a storage, but not so often that a small file becomes a large network.
  [[nodiscard]] std::vector<double> numbers(const Tensor& tensor) {
    if (tensor.count() > budget_) {
      refuse(tensor, "expected no more numbers than the file has bytes, found tensors that share" +
                         std::string(" their storages beyond that"));
    }
    budget_ -= tensor.count();
    return tensor.numbers();
  }
  [[nodiscard]] Matrix matrix(const Tensor& tensor) {
    expect_matrix(tensor);
    return Matrix{.rows = tensor.sizes[0], .cols = tensor.sizes[1], .values = numbers(tensor)};
  }
  [[nodiscard]] std::vector<double> optional_vector(const Tensor* tensor) {
    if (tensor == nullptr) return {};
    if (tensor->sizes.size() != 1 || tensor->sizes[0] == 0) {
      refuse(*tensor, "expected a bias, a row of numbers, found " + tensor->shape());
    }
    return numbers(*tensor);
  }

  std::vector<Tensor> tensors_;
  std::map<std::string_view, const Tensor*> by_name_;
  std::size_t budget_;  // numbers that may still be read
  const std::string& file_;
  const ReadOptions& options_;
  const Tensor* embedding_ = nullptr;
  const Tensor* head_ = nullptr;
  const Tensor* head_bias_ = nullptr;
};

}  // namespace

bool looks_like_state_dict(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 2) return false;
  const auto first = std::to_integer<unsigned>(bytes[0]);
  const auto second = std::to_integer<unsigned>(bytes[1]);
  const bool zip = first == 'P' && second == 'K';
  const bool pickle = first == 0x80 && second >= 2 && second <= 5;
  return zip || pickle;
}

NetworkSpec read_state_dict(std::span<const std::byte> bytes, const std::string& file,
                            const ReadOptions& options) {
  if (!looks_like_state_dict(bytes)) {
    throw NetworkFileError(file, "expected a file of torch.save, found other data");
  }
  return Builder(pytorch::recurrent_state_dict(bytes, file), bytes.size(), file, options).build();
}

}  // namespace rnnalf
