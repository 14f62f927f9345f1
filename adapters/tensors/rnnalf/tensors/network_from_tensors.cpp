// Tensors have names and shapes, and no word about what forward() does with them. The names of the
// recurrent weights are torch's own, so the layers come first. Of the other tensors, one may be an
// embedding in front; the rest are dense layers and normalisations behind, in the order of the file
// or in the one order in which their sizes fit. What stands between them is taken from the modules
// in the file, from nn.Sequential's numbers or from the options, and where none of these states it
// the file is refused with what to do.

#include "rnnalf/tensors/network_from_tensors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/head_builder.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/tensors/cell_layers.hpp"

namespace rnnalf::tensors {
namespace {

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

/// The layers of one recurrent module, by number.
struct RecurrentModule {
  std::string_view path{};  ///< with its dot, or empty
  std::map<std::size_t, LayerTensors> layers{};
};

constexpr std::size_t kMostNumber = 1U << 20;  // in the name of a module

// torch's default, which a state_dict does not have.
constexpr double kDefaultEpsilon = 1e-5;

// What to do with a network that a file of tensors does not describe.
constexpr const char* kExport =
    "export the network to ONNX, which describes it (torch.onnx.export; docs/networks.md has the "
    "call), or pass the live module to rnnalf.extract in Python";

/// One module of the head: a dense layer, or a normalisation (weight and bias are rows).
struct HeadItem {
  std::string module;  ///< with its dot, or empty
  const Tensor* weight = nullptr;
  const Tensor* bias = nullptr;
  const Tensor* mean = nullptr;      ///< of a batch normalisation
  const Tensor* variance = nullptr;  ///< the same

  [[nodiscard]] bool is_dense() const { return weight != nullptr && weight->sizes.size() == 2; }
};

/// Builds the network from named tensors; every tensor of real numbers must find its place.
class Builder {
 public:
  Builder(NamedTensors named, std::size_t file_size, const std::string& file,
          const ReadOptions& options)
      : tensors_(std::move(named.tensors)),
        modules_(std::move(named.modules)),
        kind_(std::move(named.kind)),
        format_(std::move(named.format)),
        in_order_(named.in_order),
        budget_(file_size),
        file_(file),
        options_(options) {
    for (const Tensor& tensor : tensors_) by_name_.emplace(tensor.name, &tensor);
    for (const Module& module : modules_) module_by_path_.emplace(module.path, &module);
  }

  NetworkSpec build() {
    NetworkSpec spec;
    spec.file = file_;
    cell_layers_ = find_cell_layers(tensors_, options_.cell,
                                    [this](const Tensor& tensor) { return numbers(tensor); });
    if (cell_layers_) {
      add_cell_layers(spec);
      finish(spec);
      return spec;
    }
    const std::vector<LayerTensors> layers = collect_layers();
    LayerStack stack{.cell = cell(layers.front())};
    const std::size_t hidden = layers.back().weight_hh->sizes[1];
    const std::vector<HeadFrom>& asked = options_.head_from;
    const std::size_t parts = std::max<std::size_t>(1, asked.size());
    const std::vector<HeadItem> items =
        place_the_rest(layers.front().weight_ih->sizes[1], parts * hidden);
    if (asked.empty()) refuse_pooling();

    if (embedding_ != nullptr) stack.embedding = matrix(*embedding_);
    for (const LayerTensors& layer : layers) stack.layers.push_back(recurrent_layer(layer));
    if (!asked.empty()) stack.head_from = asked;
    std::string order = chained_;
    order += parts > 1 ? names(asked) + " over time of the last layer's states, joined"
             : stack.head_from.front() == HeadFrom::Last
                 ? "last state of the last layer"
                 : names(asked) + " over time of the last layer's states";
    set_head(spec, items, parts * hidden, order);
    spec.assumed.push_back(order);
    if (stack.symbol_count() > kMostSymbols) {
      refuse(fmt::format("expected at most {} input symbols, found {}", kMostSymbols,
                         stack.symbol_count()));
    }
    validate(stack, file_);
    spec.step = graph_of(stack);
    finish(spec);
    return spec;
  }

 private:
  void finish(NetworkSpec& spec) {
    spec.kind = format_;
    set_classes(options_, spec);
    spec.alphabet =
        options_.alphabet ? *options_.alphabet : Alphabet::numbered(spec.symbol_count());
    validate(spec);
  }

  /// The step of layers of one of network/cells.hpp, with embedding and head around them.
  void add_cell_layers(NetworkSpec& spec) {
    if (options_.head_from.size() > 1 ||
        (options_.head_from.size() == 1 && options_.head_from.front() != HeadFrom::Last)) {
      refuse("expected a head that reads the last state behind such layers, found `head-from=" +
             names(options_.head_from) + "`: " + kExport);
    }
    try {
      // What the first layer takes and the last one gives shows when they are put together; without
      // an embedding, it takes one number for each symbol.
      const Cell& cell = *cell_layers_->cell;
      const std::size_t inputs = inputs_of_cells();
      const auto build = [&](const Matrix* embedding, std::size_t symbols, std::size_t* outputs) {
        CellGraph graph(symbols);
        Vector x = graph.symbol(embedding);
        for (const CellTensors& layer : cell_layers_->layers) {
          graph.set_tensors(layer);
          x = cell.step(graph, x);
        }
        *outputs = x.size();
        return graph.finish(x);
      };
      std::size_t outputs = 0;
      static_cast<void>(build(nullptr, inputs, &outputs));
      const std::vector<HeadItem> items = place_the_rest(inputs, outputs);
      std::optional<Matrix> embedding;
      if (embedding_ != nullptr) embedding = matrix(*embedding_);
      spec.step =
          build(embedding ? &*embedding : nullptr, embedding ? embedding->rows : inputs, &outputs);
      spec.cell = cell.name;
      std::string order = fmt::format("{} layers", cell.name);
      for (const std::string& module : cell_layers_->modules) {
        order += " " + plain(module.empty() ? "at the top" : module.substr(0, module.size() - 1));
      }
      order += ", of the last one what it gives for the last symbol";
      set_head(spec, items, outputs, order);
      spec.assumed.push_back(order);
    } catch (const std::length_error& error) {
      refuse(fmt::format("{} layers: {}", cell_layers_->cell->name, error.what()));
    }
    if (spec.symbol_count() > kMostSymbols) {
      refuse(fmt::format("expected at most {} input symbols, found {}", kMostSymbols,
                         spec.symbol_count()));
    }
  }

  /// Columns of the tensor that the first layer multiplies its input with.
  [[nodiscard]] std::size_t inputs_of_cells() const {
    const CellTensors& first = cell_layers_->layers.front();
    const std::size_t numbers_each = cell_layers_->cell->name == "s5" ? 2 : 1;
    for (const char* name : {"linear_h.weight", "to_hidden_and_gate.weight", "B_re", "B",
                             "in_proj.weight", "weight_ih"}) {
      const auto found = first.find(name);
      if (found != first.end()) return found->second.cols / numbers_each;
    }
    return 0;
  }

  [[nodiscard]] bool is_recurrent(const Tensor& tensor) const {
    if (cell_layers_) return cell_layers_->names.contains(tensor.name);
    return is_recurrent_name(tensor.name);
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw NetworkFileError(file_, message);
  }
  [[noreturn]] void refuse(const Tensor& tensor, const std::string& message) const {
    refuse("tensor " + quoted(tensor.name) + ": " + message);
  }

  // ---- the recurrent layers

  /// The layers of all recurrent modules, one behind the other.
  std::vector<LayerTensors> collect_layers() {
    std::vector<RecurrentModule> modules;
    for (const Tensor& tensor : tensors_) {
      if (!is_recurrent_name(tensor.name)) continue;
      const std::string_view path = split(tensor.name).module;
      auto module = std::find_if(modules.begin(), modules.end(),
                                 [&](const RecurrentModule& known) { return known.path == path; });
      if (module == modules.end()) module = modules.insert(modules.end(), {.path = path});
      place(tensor, module->layers);
    }
    if (modules.empty()) refuse(no_recurrent_weights());
    if (modules.size() > 1) chain(modules);
    std::vector<LayerTensors> all;
    for (const RecurrentModule& module : modules) {
      for (std::size_t i = 0; i < module.layers.size(); ++i) {
        const std::string what = fmt::format(
            "{}recurrent layer {}: ", modules.size() > 1 ? std::string(module.path) + " " : "", i);
        const auto found = module.layers.find(i);
        if (found == module.layers.end()) {
          refuse(fmt::format("{}expected weight_ih_l{}, found none", what, i));
        }
        const LayerTensors& layer = found->second;
        if (layer.weight_ih == nullptr || layer.weight_hh == nullptr) {
          refuse(what + "expected weight_ih and weight_hh, found one of them alone");
        }
        if ((layer.bias_ih == nullptr) != (layer.bias_hh == nullptr)) {
          refuse(what + "expected bias_ih and bias_hh or none, found one of them alone");
        }
        for (const Tensor* weight : {layer.weight_ih, layer.weight_hh}) expect_matrix(*weight);
        if (!all.empty() && layer.weight_ih->sizes[1] != all.back().weight_hh->sizes[1]) {
          refuse(*layer.weight_ih,
                 fmt::format("the layer takes {} inputs, but the one before it, {}, gives {}; if "
                             "the modules do not stand one behind the other, {}",
                             layer.weight_ih->sizes[1], quoted(all.back().weight_hh->name),
                             all.back().weight_hh->sizes[1], kExport));
        }
        if (!all.empty() && cell(layer) != cell(all.front())) {
          refuse(*layer.weight_hh, "this is another kind of cell than that of " +
                                       quoted(all.front().weight_hh->name) + ": " + kExport);
        }
        all.push_back(layer);
      }
    }
    return all;
  }

  /// How several recurrent modules are connected is not in the file. Where their names differ by
  /// numbers alone (`mach[0]`, `mach[1]`) they are taken to stand one behind the other; others only
  /// where probes will tell.
  void chain(std::vector<RecurrentModule>& modules) {
    const auto numbers_of = [](const RecurrentModule& module) {
      std::pair<std::string, std::vector<std::size_t>> parts;  // the name without numbers, and they
      for (std::size_t i = 0; i < module.path.size(); ++i) {
        const char c = module.path[i];
        const bool digit = c >= '0' && c <= '9';
        if (!digit) parts.first += c;
        if (!digit) continue;
        const bool inside = i > 0 && module.path[i - 1] >= '0' && module.path[i - 1] <= '9';
        if (!inside) parts.first += '0';
        if (!inside) parts.second.push_back(0);
        parts.second.back() = parts.second.back() % kMostNumber * 10 + std::size_t(c - '0');
      }
      return parts;
    };
    const auto before = [&](const RecurrentModule& a, const RecurrentModule& b) {
      return numbers_of(a) < numbers_of(b);
    };
    const bool siblings = std::all_of(modules.begin(), modules.end(), [&](const auto& module) {
      return numbers_of(module).first == numbers_of(modules.front()).first;
    });
    if (siblings && !in_order_) std::sort(modules.begin(), modules.end(), before);
    const bool told = siblings && std::is_sorted(modules.begin(), modules.end(), before);
    std::string paths;
    for (const RecurrentModule& module : modules) {
      paths += (paths.empty() ? "" : ", ") +
               plain(std::string(module.path.substr(0, module.path.size() - 1)));
    }
    if (!told && options_.probes.empty()) {
      refuse("the file has several recurrent modules (" + paths + "), but a " + kind_ +
             " does not say how they are connected: if they stand one behind the other, give"
             " `probes`, which show it; else " +
             kExport);
    }
    chained_ = paths + " one behind the other, then ";
  }

  /// Puts a tensor such as weight_ih_l0 into its layer; the names of cells have no layer number.
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
  [[nodiscard]] CellKind cell(const LayerTensors& layer) const {
    const Tensor& weight_hh = *layer.weight_hh;
    const std::size_t hidden = weight_hh.sizes[1];
    const std::size_t gates =
        hidden == 0 || weight_hh.sizes[0] % hidden != 0 ? 0 : weight_hh.sizes[0] / hidden;
    if (gates != 1 && gates != 3 && gates != 4) {
      refuse(weight_hh,
             "expected 1, 3 or 4 times as many rows as columns (Elman, GRU, LSTM), found " +
                 weight_hh.shape());
    }
    const auto asked = cell_from_name(options_.cell.value_or(""));
    if (options_.cell && !asked) {
      refuse(
          fmt::format("`cell={}`: expected the tensors of such a layer, found those of an Elman, "
                      "GRU or LSTM network; docs/networks.md has their names",
                      *options_.cell));
    }
    if (asked) {
      if (gate_count(*asked) != gates) {
        refuse(weight_hh,
               fmt::format("`cell={}`: expected {} times as many rows as columns, found {}",
                           name(*asked), gate_count(*asked), weight_hh.shape()));
      }
      return *asked;
    }
    if (gates == 1) {
      const std::string_view path = split(weight_hh.name).module;
      const Module* module = module_at(path.substr(0, path.empty() ? 0 : path.size() - 1));
      if (module != nullptr && (module->mode == "RNN_TANH" || module->mode == "tanh")) {
        return CellKind::ElmanTanh;
      }
      if (module != nullptr && (module->mode == "RNN_RELU" || module->mode == "relu")) {
        return CellKind::ElmanRelu;
      }
      refuse("the network is an Elman network, and a " + kind_ +
             " does not say with which activation:" +
             std::string(" say `cell=elman-tanh` or `cell=elman-relu`"));
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
  [[nodiscard]] const Module* module_at(std::string_view path) const {
    const auto found = module_by_path_.find(path);
    return found == module_by_path_.end() ? nullptr : found->second;
  }

  /// The bias that belongs to a weight, if it has one.
  [[nodiscard]] const Tensor* bias_of(const Tensor& weight) const {
    return find(std::string(split(weight.name).module) + "bias");
  }

  /// Everything that is no recurrent weight must be an embedding in front (symbols x inputs, no
  /// bias) or belong to the head, which is returned in order.
  std::vector<HeadItem> place_the_rest(std::size_t inputs, std::size_t hidden) {
    std::vector<HeadItem> items = other_modules();
    std::vector<const Tensor*> weights;
    for (const HeadItem& item : items) {
      if (item.is_dense()) weights.push_back(item.weight);
    }
    if (weights.empty()) {
      refuse(
          fmt::format("expected a dense layer behind the recurrent ones, a weight with {} columns, "
                      "found none; where the network has one, {}",
                      hidden, kExport));
    }
    if (weights.size() > 1) choose_embedding(weights, inputs, hidden);
    std::erase_if(items, [&](const HeadItem& item) { return item.weight == embedding_; });
    if (!in_order_) sort_by_size(items, hidden);
    std::size_t size = hidden;
    const HeadItem* before = nullptr;
    for (const HeadItem& item : items) {
      if (item.is_dense() && item.weight->sizes[1] != size) {
        refuse(*item.weight,
               fmt::format("expected an embedding or a dense layer with {} inputs, found {}{}; if "
                           "it is something else, {}",
                           size, item.weight->shape(), joined_states(*item.weight, size), kExport));
      }
      if (!item.is_dense() && item.weight->sizes[0] != size) {
        refuse(*item.weight,
               fmt::format(
                   "expected a normalisation of {} numbers behind the recurrent layers, found {}",
                   size, item.weight->shape()));
      }
      if (!chained_.empty() && in_order_ && stands_between_recurrent(*item.weight)) {
        refuse(
            *item.weight,
            "this stands between recurrent modules in the file, and the file does not say what it"
            " is applied to: " +
                std::string(kExport));
      }
      if (!item.is_dense() && in_order_ && is_before_recurrent(*item.weight)) {
        refuse(*item.weight,
               "this is a normalisation that stands before the recurrent layers in the file, and"
               " the file does not say what it is applied to: export the network to ONNX");
      }
      if (item.is_dense()) size = item.weight->sizes[0];
      before = &item;
    }
    if (before != nullptr && !before->is_dense()) {
      refuse(*before->weight,
             "expected a dense layer at the end of the network, found a"
             " normalisation: export the network to ONNX");
    }
    return items;
  }

  /// Puts the head in order where the file does not: by number in an nn.Sequential, else in the one
  /// order in which each module takes as many numbers as the one before it gives.
  void sort_by_size(std::vector<HeadItem>& items, std::size_t hidden) const {
    const auto prefix = [](const HeadItem& item) {
      const auto place = numbered(item.module);
      return place ? std::optional(place->first) : std::nullopt;
    };
    if (std::all_of(items.begin(), items.end(), [&](const HeadItem& item) {
          return prefix(item) && prefix(item) == prefix(items.front());
        })) {
      std::sort(items.begin(), items.end(), [](const HeadItem& a, const HeadItem& b) {
        return numbered(a.module)->second < numbered(b.module)->second;
      });
      return;
    }
    constexpr std::size_t most = 5;  // 120 orders
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<std::vector<std::size_t>> fitting;
    do {
      std::size_t size = hidden;
      bool fits = items.size() <= most && items[order.back()].is_dense();
      for (const std::size_t i : order) {
        fits = fits && items[i].weight->sizes.back() == size;
        size = items[i].weight->sizes.front();
      }
      if (fits) fitting.push_back(order);
    } while (items.size() <= most && std::next_permutation(order.begin(), order.end()));
    if (fitting.size() != 1) {
      refuse(*items.front().weight,
             fmt::format("expected one order in which the modules of the head fit together, found "
                         "{}; a {} has no order: save a state_dict, or {}",
                         fitting.size(), kind_, kExport));
    }
    std::vector<HeadItem> sorted;
    for (const std::size_t i : fitting.front()) sorted.push_back(items[i]);
    items = std::move(sorted);
  }

  /// Modules that are not recurrent, in the file's order.
  [[nodiscard]] std::vector<HeadItem> other_modules() const {
    std::vector<HeadItem> items;
    for (const Tensor& tensor : tensors_) {
      if (is_recurrent(tensor)) continue;
      const SplitName name = split(tensor.name);
      auto item = std::find_if(items.begin(), items.end(),
                               [&](const HeadItem& known) { return known.module == name.module; });
      if (item == items.end()) {
        items.push_back({.module = std::string(name.module)});
        item = items.end() - 1;
      }
      const std::size_t rank = tensor.sizes.size();
      if (name.leaf == "weight" && (rank == 2 || rank == 1)) {
        item->weight = &tensor;
      } else if (name.leaf == "bias" && rank == 1) {
        item->bias = &tensor;
      } else if (name.leaf == "running_mean" && rank == 1) {
        item->mean = &tensor;
      } else if (name.leaf == "running_var" && rank == 1) {
        item->variance = &tensor;
      } else {
        refuse_unknown(tensor);
      }
    }
    for (const HeadItem& item : items) {
      const bool statistics = item.mean != nullptr || item.variance != nullptr;
      const bool normalisation =
          item.weight != nullptr && !item.is_dense() && item.bias != nullptr &&
          item.bias->sizes == item.weight->sizes &&
          (!statistics ||
           (item.mean != nullptr && item.variance != nullptr &&
            item.mean->sizes == item.weight->sizes && item.variance->sizes == item.weight->sizes));
      if (item.is_dense() ? statistics : !normalisation) {
        for (const Tensor* part : {item.weight, item.bias, item.mean, item.variance}) {
          if (part != nullptr) refuse_unknown(*part);
        }
      }
    }
    return items;
  }

  [[noreturn]] void refuse_unknown(const Tensor& tensor) const {
    refuse(tensor,
           "expected an embedding, recurrent layers and a head of dense layers and"
           " normalisations, found a tensor (" +
               tensor.shape() + ") of something else, that would change what the network" +
               " computes: " + kExport);
  }

  /// Of two dense weights or more: one may be the embedding. Shapes decide; where they fit both
  /// ways, the order does, which is that of the modules in the Python class.
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
        embedding_ = a_first && (!b_first || is_before_recurrent(a)) ? &a : &b;
        refuse_transposed_embedding();
        return;
      }
    }
    for (const Tensor* weight : weights) {
      if (!is_embedding(*weight) || !is_before_recurrent(*weight)) continue;
      embedding_ = weight;
      refuse_transposed_embedding();
      return;
    }
  }

  /// A dense layer without bias in front of the recurrent ones looks like an embedding when it is
  /// square, but is its transpose.
  void refuse_transposed_embedding() const {
    if (embedding_->sizes[0] == embedding_->sizes[1] && !is_called_embedding(*embedding_)) {
      refuse(*embedding_, "expected an embedding, found a square weight (" + embedding_->shape() +
                              ") that could be a dense layer too: give the module a name with" +
                              " \"emb\" in it, or export the network to ONNX");
    }
  }

  static bool is_called_embedding(const Tensor& weight) {
    std::string lower;
    for (const char c : weight.name)
      lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower.find("emb") != std::string::npos;
  }

  [[nodiscard]] bool is_before_recurrent(const Tensor& weight) const {
    if (!in_order_) return is_called_embedding(weight);
    const auto first = std::find_if(tensors_.begin(), tensors_.end(),
                                    [&](const Tensor& tensor) { return is_recurrent(tensor); });
    return &weight < &*first;
  }

  [[nodiscard]] bool stands_between_recurrent(const Tensor& weight) const {
    const auto last = std::find_if(tensors_.rbegin(), tensors_.rend(),
                                   [&](const Tensor& tensor) { return is_recurrent(tensor); });
    return !is_before_recurrent(weight) && &weight < &*last;
  }

  /// A hint where the head reads several vectors of a size.
  [[nodiscard]] std::string joined_states(const Tensor& weight, std::size_t size) const {
    const bool several = size != 0 && weight.sizes[1] % size == 0 && weight.sizes[1] / size <= 4;
    if (!several || !options_.head_from.empty() || is_before_recurrent(weight)) return "";
    return "; if it reads several states joined, say which, such as `head-from=last+mean+max`";
  }

  /// A module for pooling has no tensors, but says that the head does not read the last state.
  void refuse_pooling() const {
    for (const Module& module : modules_) {
      for (const char* type :
           {"AdaptiveMaxPool1d", "AdaptiveAvgPool1d", "MaxPool1d", "AvgPool1d"}) {
        if (module.type != type) continue;
        refuse("module " + quoted(module.path) + " (" + module.type +
               "): what it is applied to is not in the file: say with `head-from` which states the"
               " head reads (last, mean, max, ...)");
      }
    }
  }

  // ---- the head

  /// The dense layers and what stands behind them; `order` gets the names of what is applied.
  void set_head(NetworkSpec& spec, const std::vector<HeadItem>& items, std::size_t inputs,
                std::string& order) {
    const std::vector<NamedActivation> given = given_activations(items);
    if (options_.activations.empty()) refuse_loose_activation(items);
    HeadBuilder builder(inputs, std::max<std::size_t>(budget_, 65536));
    try {
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (options_.activations.empty()) {
          between(builder, items, i, order);
        } else {
          activate(builder, given[i], order);
        }
        add(builder, items[i], order);
      }
      spec.output = output_behind(items.back(), builder, order);
      spec.head = builder.take();
    } catch (const std::length_error& error) {
      refuse(error.what());
    }
  }

  static void activate(HeadBuilder& builder, const NamedActivation& activation,
                       std::string& order) {
    builder.activate(activation.activation, activation.slope);
    if (activation.activation != Activation::None) {
      order += ", then " + std::string(name(activation.activation));
    }
  }

  /// A name of the file for a sentence, without quotes.
  static std::string plain(const std::string& name) {
    return quoted(name).substr(1, quoted(name).size() - 2);
  }

  void add(HeadBuilder& builder, const HeadItem& item, std::string& order) {
    const std::string label =
        item.module.empty() ? item.weight->name : item.module.substr(0, item.module.size() - 1);
    order += ", then " + plain(label);
    if (item.is_dense()) {
      builder.dense(matrix(*item.weight), optional_vector(item.bias));
      return;
    }
    const Module* module = module_at(label);
    const double epsilon = module != nullptr && module->number ? *module->number : kDefaultEpsilon;
    if (module == nullptr || !module->number) order += " (epsilon 1e-5)";
    std::vector<double> scale = numbers(*item.weight);
    std::vector<double> shift = numbers(*item.bias);
    if (item.mean == nullptr) {
      builder.normalise(epsilon);
    } else {
      // weight (x - mean) / sqrt(variance + epsilon) + bias
      const std::vector<double> mean = numbers(*item.mean);
      const std::vector<double> variance = numbers(*item.variance);
      for (std::size_t i = 0; i < scale.size(); ++i) {
        scale[i] /= std::sqrt(variance[i] + epsilon);
        shift[i] -= mean[i] * scale[i];
      }
    }
    builder.rescale(std::move(scale), std::move(shift));
  }

  /// What the options say: what stands in front of each item. An activation belongs to a dense
  /// layer and stands in front of it; where numbers of an nn.Sequential show that something else
  /// stands before a normalisation in front of that layer, it stands there.
  [[nodiscard]] std::vector<NamedActivation> given_activations(
      const std::vector<HeadItem>& items) const {
    std::vector<NamedActivation> given = options_.activations;
    std::vector<NamedActivation> placed(items.size());
    if (given.empty()) return placed;
    const auto dense = static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [](const HeadItem& i) { return i.is_dense(); }));
    if (given.size() != dense) {
      if (given.size() == 1) given.resize(dense - 1, given.front());
      if (given.size() + 1 != dense) {
        refuse(
            fmt::format("activations: expected one, one for each of the {} dense layers, or one "
                        "for each gap between them, found {}",
                        dense, given.size()));
      }
      given.insert(given.begin(), NamedActivation{});
    }
    std::size_t first = 0;  // of those between the dense layer before and the next one
    std::size_t number = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i].is_dense()) continue;
      const NamedActivation& activation = given[number++];
      if (activation.activation != Activation::None) {
        placed[place_of_activation(items, first, i)] = activation;
      }
      first = i + 1;
    }
    return placed;
  }

  /// In front of which of items[first .. dense] an activation stands.
  [[nodiscard]] std::size_t place_of_activation(const std::vector<HeadItem>& items,
                                                std::size_t first, std::size_t dense) const {
    std::vector<std::size_t> gaps;
    for (std::size_t i = first; i <= dense; ++i) {
      if (is_behind_a_gap(items, i)) gaps.push_back(i);
    }
    if (gaps.size() > 1) {
      refuse(*items[dense].weight,
             "expected one place for the activation in front of it, found that modules without"
             " tensors stand before " +
                 quoted(items[gaps[0]].weight->name) + " and before " +
                 quoted(items[gaps[1]].weight->name) +
                 ": save the whole module with torch.save, or " + kExport);
    }
    return gaps.empty() ? dense : gaps.front();
  }

  /// Whether the numbers of an nn.Sequential show a module without tensors in front of an item.
  [[nodiscard]] bool is_behind_a_gap(const std::vector<HeadItem>& items, std::size_t i) const {
    const auto place = numbered(items[i].module);
    if (!place || place->second == 0) return false;
    if (i > 0) {
      const auto before = numbered(items[i - 1].module);
      return before && before->first == place->first && before->second + 1 < place->second;
    }
    // The recurrent layers may stand in the same nn.Sequential.
    return std::none_of(tensors_.begin(), tensors_.end(), [&](const Tensor& tensor) {
      const std::string module(split(tensor.name).module);
      const auto other = numbered(module);
      return other && other->first == place->first && other->second < place->second;
    });
  }

  /// What stands in front of an item of the head, without options.
  void between(HeadBuilder& builder, const std::vector<HeadItem>& items, std::size_t i,
               std::string& order) const {
    const HeadItem* const before = i == 0 ? nullptr : &items[i - 1];
    const HeadItem& item = items[i];
    if (in_sequential(before, item)) {
      for (const NamedActivation& found : activations_between(before, item)) {
        activate(builder, found, order);
      }
      return;
    }
    if (before == nullptr) {
      // A Dropout most of the time, which does nothing here.
      if (is_behind_a_gap(items, 0)) {
        const auto [prefix, number] = *numbered(item.module);
        order += ", then nothing that counts at " + plain(fmt::format("{}{}", prefix, number - 1));
      }
      return;
    }
    if (are_neighbours(*before, item)) return;
    // Between normalisation and dense layer there is an activation more often than not, but where
    // names have no numbers only two dense layers show that something is missing.
    const HeadItem* dense = nullptr;
    for (std::size_t k = i; k-- > 0 && dense == nullptr;) {
      if (items[k].is_dense()) dense = &items[k];
    }
    if (!is_behind_a_gap(items, i) && (!item.is_dense() || dense == nullptr)) return;
    const HeadItem& from = is_behind_a_gap(items, i) || dense == nullptr ? *before : *dense;
    refuse(*item.weight,
           "the network has several layers behind the recurrent ones, and a " + kind_ +
               " does not say which activation stands between " + quoted(from.weight->name) +
               " and this one: say it with `activation` (none, if it is nothing that counts, such"
               " as a Dropout), or export the network to ONNX");
  }

  /// A module outside of any nn.Sequential may stand in front of the head or behind it. A sigmoid
  /// beside a head that says all its activations stands behind it: it makes probabilities.
  void refuse_loose_activation(const std::vector<HeadItem>& items) const {
    const Module* const loose = loose_activation();
    if (loose == nullptr) return;
    bool all_said = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
      all_said = all_said && in_sequential(i == 0 ? nullptr : &items[i - 1], items[i]);
    }
    if (all_said && loose->type == "Sigmoid") return;
    const bool known = activation_of(*loose).has_value();
    refuse("module " + quoted(loose->path) + " (" + loose->type +
           "): where it is applied is not in the file: " +
           (known ? "say with `activation` which activation stands in front of the dense layers, or"
                    " `activation=none` if it stands behind the last one and makes its outputs"
                    " probabilities"
                  : std::string(kExport)));
  }

  /// `head.` and 1 for `head.1.`; none when the last part is no number.
  static std::optional<std::pair<std::string_view, std::size_t>> numbered(
      const std::string& module) {
    if (module.empty()) return std::nullopt;
    const std::string_view path = std::string_view(module).substr(0, module.size() - 1);
    const SplitName parts = split(path);
    std::size_t number = 0;
    const char* const end = parts.leaf.data() + parts.leaf.size();
    const auto parsed = std::from_chars(parts.leaf.data(), end, number);
    if (parts.leaf.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return std::pair(parts.module, number);
  }

  /// Whether nothing can stand between two modules of one nn.Sequential.
  static bool are_neighbours(const HeadItem& before, const HeadItem& item) {
    const auto a = numbered(before.module);
    const auto b = numbered(item.module);
    return a && b && a->first == b->first && a->second + 1 == b->second;
  }

  /// Whether the file says that a module, and the one before it, are in the same nn.Sequential.
  [[nodiscard]] bool in_sequential(const HeadItem* before, const HeadItem& item) const {
    const auto place = numbered(item.module);
    if (!place || place->first.empty()) return false;
    const Module* outer = module_at(place->first.substr(0, place->first.size() - 1));
    if (outer == nullptr || outer->type != "Sequential") return false;
    if (before == nullptr) return true;
    const auto other = numbered(before->module);
    return other && other->first == place->first && other->second < place->second;
  }

  [[nodiscard]] std::vector<NamedActivation> activations_between(const HeadItem* before,
                                                                 const HeadItem& item) const {
    const auto [prefix, end] = *numbered(item.module);
    std::vector<NamedActivation> found;
    for (std::size_t i = before == nullptr ? 0 : numbered(before->module)->second + 1; i < end;
         ++i) {
      const Module* module = module_at(fmt::format("{}{}", prefix, i));
      if (module == nullptr || does_nothing(*module)) continue;
      const auto activation = activation_of(*module);
      if (!activation) {
        refuse("module " + quoted(module->path) + ": expected an activation, a dense layer or a" +
               " normalisation, found " + quoted(module->type));
      }
      found.push_back(*activation);
    }
    return found;
  }

  /// What stands behind the last dense layer in its nn.Sequential, and behind that one in another,
  /// where the file states it: activations, then what makes probabilities of outputs.
  [[nodiscard]] Output output_behind(const HeadItem& last, HeadBuilder& builder,
                                     std::string& order) const {
    std::vector<const Module*> tail;
    std::string_view path = last.module;
    while (!path.empty()) {
      path.remove_suffix(1);  // the dot
      const std::string_view inside = split(path).module;
      const Module* const outer =
          module_at(inside.substr(0, inside.empty() ? 0 : inside.size() - 1));
      if (outer == nullptr || outer->type != "Sequential") break;
      bool behind = false;
      for (const Module& module : modules_) {  // in the order of the file
        if (module.path.empty() || split(module.path).module != inside) continue;
        if (behind && !does_nothing(module)) tail.push_back(&module);
        behind = behind || module.path == path;
      }
      path = inside;
    }
    for (const Module* const module : tail) {
      const bool is_last = module == tail.back();
      for (const auto& [type, output] : {std::pair("Sigmoid", Output::Sigmoid),
                                         {"Softmax", Output::Softmax},
                                         {"LogSoftmax", Output::LogSoftmax}}) {
        if (!is_last || module->type != type) continue;
        order += ", then " + std::string(name(output));
        return output;
      }
      const auto activation = activation_of(*module);
      if (!activation) {
        refuse("module " + quoted(module->path) +
               ": expected activations, then a Sigmoid, a Softmax or a LogSoftmax, behind the last"
               " dense layer, found " +
               quoted(module->type) + ": " + kExport);
      }
      activate(builder, *activation, order);
    }
    return Output::Raw;
  }

  /// Modules that pass numbers on as they are once training is over.
  static bool does_nothing(const Module& module) {
    for (const char* type : {"Dropout", "AlphaDropout", "Identity", "Flatten"}) {
      if (module.type == type) return true;
    }
    return false;
  }

  /// The activation that one of torch's modules is.
  static std::optional<NamedActivation> activation_of(const Module& module) {
    struct Known {
      std::string_view type;
      std::string_view name;
    };
    constexpr Known known[] = {{"ReLU", "relu"},
                               {"Tanh", "tanh"},
                               {"Sigmoid", "sigmoid"},
                               {"LeakyReLU", "leaky-relu"},
                               {"ELU", "elu"},
                               {"GELU", "gelu"},
                               {"SiLU", "silu"},
                               {"Softsign", "softsign"},
                               {"Hardsigmoid", "hard-sigmoid"}};
    for (const Known& entry : known) {
      if (entry.type != module.type) continue;
      auto found = activation_from_name(entry.name);
      if (module.mode == "tanh") found = activation_from_name("gelu-tanh");
      if (module.number) found->slope = *module.number;
      return found;
    }
    return std::nullopt;
  }

  /// torch's activations that are none of ours.
  static bool is_other_activation(const Module& module) {
    for (const char* type :
         {"ReLU6", "SELU", "CELU", "Mish", "Hardswish", "Hardtanh", "Softplus", "LogSigmoid",
          "RReLU", "Softshrink", "Hardshrink", "Tanhshrink", "Threshold", "GLU", "Softmin"}) {
      if (module.type == type) return true;
    }
    return false;
  }

  /// An activation that is a module of its own outside of any nn.Sequential. A softmax is none: it
  /// stands at the end and changes no answer.
  [[nodiscard]] const Module* loose_activation() const {
    for (const Module& module : modules_) {
      if (!activation_of(module) && !is_other_activation(module)) continue;
      const SplitName parts = split(module.path);
      const Module* outer = parts.module.empty()
                                ? nullptr
                                : module_at(parts.module.substr(0, parts.module.size() - 1));
      if (outer == nullptr || outer->type != "Sequential") return &module;
    }
    return nullptr;
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
  std::vector<Module> modules_;
  std::string kind_;
  std::string format_;
  bool in_order_;
  std::map<std::string_view, const Tensor*> by_name_;
  std::map<std::string_view, const Module*> module_by_path_;
  std::size_t budget_;  // numbers that may still be read
  const std::string& file_;
  const ReadOptions& options_;
  const Tensor* embedding_ = nullptr;
  std::optional<CellLayers> cell_layers_;
  std::string chained_;  // what is assumed of several recurrent modules
};

}  // namespace

std::string no_recurrent_weights() {
  return std::string(
             "expected recurrent weights (weight_ih_l0, weight_hh_l0, ... under any prefix), found "
             "none; if its cell has other names, ") +
         kExport;
}

NetworkSpec network_from_tensors(NamedTensors named, std::size_t file_size, const std::string& file,
                                 const ReadOptions& options) {
  return Builder(std::move(named), file_size, file, options).build();
}

}  // namespace rnnalf::tensors
