// Tensors have names and shapes, and no word about what forward() does with them. The names of the
// recurrent weights are torch's own, so the layers come first. Of the other tensors, one may be an
// embedding in front; the rest are dense layers and normalisations behind, in the order of the file
// or in the one order in which their sizes fit. What stands between them is taken from the modules
// in the file, from nn.Sequential's numbers or from the options, and where none of these states it
// the file is refused with what to do.

#include "rnnalf/tensors/network_from_tensors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "rnnalf/network/head_builder.hpp"
#include "rnnalf/tensors/head_items.hpp"
#include "rnnalf/tensors/recurrent_layers.hpp"
#include "rnnalf/tensors/tensor_source.hpp"

namespace rnnalf::tensors {
namespace {

// torch's default, which a state_dict does not have.
constexpr double kDefaultEpsilon = 1e-5;

/// A module for pooling has no tensors, but says that the head does not read the last state.
void refuse_pooling(const TensorSource& source) {
  for (const Module& module : source.modules) {
    for (const char* type : {"AdaptiveMaxPool1d", "AdaptiveAvgPool1d", "MaxPool1d", "AvgPool1d"}) {
      if (module.type != type) continue;
      source.refuse(
          "module " + quoted(module.path) + " (" + module.type +
          "): what it is applied to is not in the file: say with `head-from` which states the"
          " head reads (last, mean, max, ...)");
    }
  }
}

/// The dense layers behind the recurrent ones, with what stands between and behind them.
class HeadReader {
 public:
  explicit HeadReader(TensorSource& source) : source_(source) {}

  /// The dense layers and what stands behind them; `order` gets the names of what is applied.
  void read(NetworkSpec& spec, const std::vector<HeadItem>& items, std::size_t inputs,
            std::string& order) {
    const std::vector<NamedActivation> given = given_activations(items);
    if (source_.options.activations.empty()) refuse_loose_activation(items);
    HeadBuilder builder(inputs, std::max<std::size_t>(source_.budget(), 65536));
    try {
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (source_.options.activations.empty()) {
          between(builder, items, i, order);
        } else {
          activate(builder, given[i], order);
        }
        add(builder, items[i], order);
      }
      spec.output = output_behind(items.back(), builder, order);
      spec.head = builder.take();
    } catch (const std::length_error& error) {
      source_.refuse(error.what());
    }
  }

 private:
  static void activate(HeadBuilder& builder, const NamedActivation& activation,
                       std::string& order) {
    builder.activate(activation.activation, activation.slope);
    if (activation.activation != Activation::None) {
      order += ", then " + std::string(name(activation.activation));
    }
  }

  void add(HeadBuilder& builder, const HeadItem& item, std::string& order) {
    const std::string label =
        item.module.empty() ? item.weight->name : item.module.substr(0, item.module.size() - 1);
    order += ", then " + plain(label);
    if (item.is_dense()) {
      builder.dense(source_.matrix(*item.weight), source_.optional_vector(item.bias));
      return;
    }
    const Module* module = source_.module_at(label);
    const double epsilon = module != nullptr && module->number ? *module->number : kDefaultEpsilon;
    if (module == nullptr || !module->number) order += " (epsilon 1e-5)";
    std::vector<double> scale = source_.numbers(*item.weight);
    std::vector<double> shift = source_.numbers(*item.bias);
    if (item.mean == nullptr) {
      builder.normalise(epsilon);
    } else {
      // weight (x - mean) / sqrt(variance + epsilon) + bias
      const std::vector<double> mean = source_.numbers(*item.mean);
      const std::vector<double> variance = source_.numbers(*item.variance);
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
    std::vector<NamedActivation> given = source_.options.activations;
    std::vector<NamedActivation> placed(items.size());
    if (given.empty()) return placed;
    const auto dense = static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [](const HeadItem& i) { return i.is_dense(); }));
    if (given.size() != dense) {
      if (given.size() == 1) given.resize(dense - 1, given.front());
      if (given.size() + 1 != dense) {
        source_.refuse(
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
      source_.refuse(
          *items[dense].weight,
          "expected one place for the activation in front of it, found that modules without"
          " tensors stand before " +
              quoted(items[gaps[0]].weight->name) + " and before " +
              quoted(items[gaps[1]].weight->name) + ": save the whole module with torch.save, or " +
              kExport);
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
    return std::none_of(source_.tensors.begin(), source_.tensors.end(), [&](const Tensor& tensor) {
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
    source_.refuse(
        *item.weight,
        "the network has several layers behind the recurrent ones, and a " + source_.kind +
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
    source_.refuse(
        "module " + quoted(loose->path) + " (" + loose->type +
        "): where it is applied is not in the file: " +
        (known ? "say with `activation` which activation stands in front of the dense layers, or"
                 " `activation=none` if it stands behind the last one and makes its outputs"
                 " probabilities"
               : std::string(kExport)));
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
    const Module* outer = source_.module_at(place->first.substr(0, place->first.size() - 1));
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
      const Module* module = source_.module_at(fmt::format("{}{}", prefix, i));
      if (module == nullptr || does_nothing(*module)) continue;
      const auto activation = activation_of(*module);
      if (!activation) {
        source_.refuse("module " + quoted(module->path) +
                       ": expected an activation, a dense layer or a" + " normalisation, found " +
                       quoted(module->type));
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
          source_.module_at(inside.substr(0, inside.empty() ? 0 : inside.size() - 1));
      if (outer == nullptr || outer->type != "Sequential") break;
      bool behind = false;
      for (const Module& module : source_.modules) {  // in the order of the file
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
        source_.refuse(
            "module " + quoted(module->path) +
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
    for (const Module& module : source_.modules) {
      if (!activation_of(module) && !is_other_activation(module)) continue;
      const SplitName parts = split(module.path);
      const Module* outer =
          parts.module.empty() ? nullptr
                               : source_.module_at(parts.module.substr(0, parts.module.size() - 1));
      if (outer == nullptr || outer->type != "Sequential") return &module;
    }
    return nullptr;
  }

  TensorSource& source_;
};

/// Columns of the tensor that the first layer multiplies its input with.
std::size_t inputs_of(const CellLayers& cells) {
  const CellTensors& first = cells.layers.front();
  const std::size_t numbers_each = cells.cell->name == "s5" ? 2 : 1;
  for (const char* name : {"linear_h.weight", "to_hidden_and_gate.weight", "B_re", "B",
                           "in_proj.weight", "weight_ih"}) {
    const auto found = first.find(name);
    if (found != first.end()) return found->second.cols / numbers_each;
  }
  return 0;
}

/// The step of layers of one of network/cells.hpp, with embedding and head around them.
void add_cell_layers(TensorSource& source, NetworkSpec& spec) {
  const CellLayers& cells = *source.cells;
  const std::vector<HeadFrom>& asked = source.options.head_from;
  if (!asked.empty() && asked != std::vector<HeadFrom>{HeadFrom::Last}) {
    source.refuse(
        "expected a head that reads the last state behind such layers, found `head-from=" +
        names(asked) + "`: " + kExport);
  }
  try {
    // What the first layer takes and the last one gives shows when they are put together; without
    // an embedding, it takes one number for each symbol.
    const std::size_t inputs = inputs_of(cells);
    const auto build = [&](const Matrix* embedding, std::size_t symbols, std::size_t* outputs) {
      CellGraph graph(symbols);
      Vector x = graph.symbol(embedding);
      for (const CellTensors& layer : cells.layers) {
        graph.set_tensors(layer);
        x = cells.cell->step(graph, x);
      }
      *outputs = x.size();
      return graph.finish(x);
    };
    std::size_t outputs = 0;
    static_cast<void>(build(nullptr, inputs, &outputs));
    const OtherModules others = other_modules(source, inputs, outputs, false);
    std::optional<Matrix> embedding;
    if (others.embedding != nullptr) embedding = source.matrix(*others.embedding);
    spec.step =
        build(embedding ? &*embedding : nullptr, embedding ? embedding->rows : inputs, &outputs);
    spec.cell = cells.cell->name;
    std::string order = fmt::format("{} layers", cells.cell->name);
    for (const std::string& module : cells.modules) {
      order += " " + plain(module.empty() ? "at the top" : path_of(module));
    }
    order += ", of the last one what it gives for the last symbol";
    HeadReader(source).read(spec, others.head, outputs, order);
    spec.assumed.push_back(order);
  } catch (const std::length_error& error) {
    source.refuse(fmt::format("{} layers: {}", cells.cell->name, error.what()));
  }
}

}  // namespace

std::string no_recurrent_weights() {
  return std::string(
             "expected recurrent weights (weight_ih_l0, weight_hh_l0, ... under any prefix), found "
             "none; if its cell has other names, ") +
         kExport;
}

NetworkSpec network_from_tensors(NamedTensors named, std::size_t file_size, const std::string& file,
                                 const ReadOptions& options) {
  TensorSource source(std::move(named), file_size, file, options);
  NetworkSpec spec;
  spec.file = file;
  spec.kind = source.format;
  if (source.cells) {
    add_cell_layers(source, spec);
  } else {
    const RecurrentLayers layers = recurrent_layers(source);
    const std::size_t size = layers.outputs() * std::max<std::size_t>(1, options.head_from.size());
    const OtherModules others =
        other_modules(source, layers.inputs(), size, !layers.chained.empty());
    if (options.head_from.empty()) refuse_pooling(source);
    std::string order = add_layers(source, layers, others.embedding, spec);
    HeadReader(source).read(spec, others.head, size, order);
    spec.assumed.push_back(order);
  }
  set_classes(options, spec);
  if (spec.symbol_count() > kMostSymbols) {
    source.refuse(fmt::format("expected at most {} input symbols, found {}", kMostSymbols,
                              spec.symbol_count()));
  }
  spec.alphabet = options.alphabet ? *options.alphabet : Alphabet::numbered(spec.symbol_count());
  validate(spec);
  recognise_padding(spec);
  return spec;
}

}  // namespace rnnalf::tensors
