#include "rnnalf/tensors/recurrent_layers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace rnnalf::tensors {
namespace {

constexpr std::size_t kMostNumber = 1U << 20;     // in the name of a module
constexpr std::size_t kMostOneHotSymbols = 2048;  // their table is square

/// The layers of one recurrent module, by number.
struct RecurrentModule {
  std::string_view path{};  ///< with its dot, or empty
  std::map<std::size_t, LayerTensors> layers{};
};

/// The name of a module with its numbers taken out, and they.
std::pair<std::string, std::vector<std::size_t>> numbers_of(const RecurrentModule& module) {
  std::pair<std::string, std::vector<std::size_t>> parts;
  bool inside = false;
  for (const char c : module.path) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !inside) parts.first += digit ? '0' : c;
    if (digit && !inside) parts.second.push_back(0);
    if (digit) {
      parts.second.back() =
          parts.second.back() % kMostNumber * 10 + static_cast<std::size_t>(c - '0');
    }
    inside = digit;
  }
  return parts;
}

/// How several modules are connected is not in the file; see recurrent_layers. Returns what is
/// assumed.
std::string chain(const TensorSource& source, std::vector<RecurrentModule>& modules) {
  const auto before = [](const RecurrentModule& a, const RecurrentModule& b) {
    return numbers_of(a) < numbers_of(b);
  };
  const bool siblings = std::all_of(modules.begin(), modules.end(), [&](const auto& module) {
    return numbers_of(module).first == numbers_of(modules.front()).first;
  });
  if (siblings && !source.in_order) std::sort(modules.begin(), modules.end(), before);
  std::string paths;
  for (const RecurrentModule& module : modules) {
    paths += (paths.empty() ? "" : ", ") + plain(path_of(module.path));
  }
  const bool told = siblings && std::is_sorted(modules.begin(), modules.end(), before);
  if (!told && source.options.probes.empty()) {
    source.refuse("the file has several recurrent modules (" + paths + "), but a " + source.kind +
                  " does not say how they are connected: if they stand one behind the other, give"
                  " `probes`, which show it; else " +
                  kExport);
  }
  return paths + " one behind the other, then ";
}

/// Puts a tensor such as weight_ih_l0 into its layer; the names of cells have no layer number.
void place(const TensorSource& source, const Tensor& tensor,
           std::map<std::size_t, LayerTensors>& layers) {
  constexpr std::string_view reverse = "_reverse";
  std::string_view leaf = split(tensor.name).leaf;
  if (leaf.starts_with("weight_hr")) {
    source.refuse(tensor,
                  "this is the projection of an LSTM with proj_size, which is not supported");
  }
  const bool backward = leaf.ends_with(reverse);
  if (backward) leaf.remove_suffix(reverse.size());
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
      source.refuse(tensor, "expected a name such as " +
                                quoted(std::string(leaf.substr(0, stem)) + "_l0") +
                                ", found another; weights that are computed from others are not"
                                " supported");
    }
  }
  DirectionTensors& into = backward ? layers[layer].backward : layers[layer].forward;
  const Tensor*& slot = is_weight ? (of_input ? into.weight_ih : into.weight_hh)
                                  : (of_input ? into.bias_ih : into.bias_hh);
  if (slot != nullptr) {
    source.refuse(tensor, "expected one such tensor, found " + quoted(slot->name) + " too");
  }
  slot = &tensor;
}

/// weight_hh has gates x hidden rows and hidden columns.
CellKind cell_of(const TensorSource& source, const DirectionTensors& layer) {
  const Tensor& weight_hh = *layer.weight_hh;
  const std::size_t hidden = weight_hh.sizes[1];
  const std::size_t gates =
      hidden == 0 || weight_hh.sizes[0] % hidden != 0 ? 0 : weight_hh.sizes[0] / hidden;
  if (gates != 1 && gates != 3 && gates != 4) {
    source.refuse(weight_hh,
                  "expected 1, 3 or 4 times as many rows as columns (Elman, GRU, LSTM), found " +
                      weight_hh.shape());
  }
  const std::string wanted(source.options.cell.value_or(""));
  const auto asked = cell_from_name(wanted);
  if (source.options.cell && !asked) {
    source.refuse(
        fmt::format("`cell={}`: expected the tensors of such a layer, found those of an "
                    "Elman, GRU or LSTM network; docs/networks.md has their names",
                    wanted));
  }
  if (asked) {
    if (gate_count(*asked) != gates) {
      source.refuse(weight_hh,
                    fmt::format("`cell={}`: expected {} times as many rows as columns, found {}",
                                name(*asked), gate_count(*asked), weight_hh.shape()));
    }
    return *asked;
  }
  if (gates > 1) return gates == 3 ? CellKind::Gru : CellKind::Lstm;
  const Module* module = source.module_at(path_of(split(weight_hh.name).module));
  const std::string mode = module == nullptr ? "" : module->mode;
  if (mode == "RNN_TANH" || mode == "tanh") return CellKind::ElmanTanh;
  if (mode == "RNN_RELU" || mode == "relu") return CellKind::ElmanRelu;
  source.refuse("the network is an Elman network, and a " + source.kind +
                " does not say with which activation:" +
                std::string(" say `cell=elman-tanh` or `cell=elman-relu`"));
}

/// `what` begins messages.
void expect_complete(const TensorSource& source, const DirectionTensors& layer,
                     const std::string& what) {
  if (layer.weight_ih == nullptr || layer.weight_hh == nullptr) {
    source.refuse(what + "expected weight_ih and weight_hh, found one of them alone");
  }
  if ((layer.bias_ih == nullptr) != (layer.bias_hh == nullptr)) {
    source.refuse(what + "expected bias_ih and bias_hh or none, found one of them alone");
  }
  for (const Tensor* weight : {layer.weight_ih, layer.weight_hh}) source.expect_matrix(*weight);
}

/// Refuses a layer that cannot stand behind those before it.
void add(const TensorSource& source, const LayerTensors& layer, RecurrentLayers& all) {
  const CellKind cell = cell_of(source, layer.forward);
  if (all.layers.empty()) {
    all.cell = cell;
  } else {
    const LayerTensors& before = all.layers.back();
    if (layer.forward.inputs() != before.outputs()) {
      source.refuse(*layer.forward.weight_ih,
                    fmt::format("the layer takes {} inputs, but the one before it, {}, gives {}; "
                                "if they do not stand one behind the other, {}",
                                layer.forward.inputs(), quoted(before.forward.weight_hh->name),
                                before.outputs(), kExport));
    }
    if (cell != all.cell) {
      source.refuse(*layer.forward.weight_hh, "this is another kind of cell than that of " +
                                                  quoted(before.forward.weight_hh->name) + ": " +
                                                  kExport);
    }
  }
  if (layer.is_bidirectional() &&
      (layer.backward.weight_ih->sizes != layer.forward.weight_ih->sizes ||
       layer.backward.weight_hh->sizes != layer.forward.weight_hh->sizes)) {
    source.refuse(
        *layer.backward.weight_hh,
        "expected the sizes of " + quoted(layer.forward.weight_hh->name) + ", found others");
  }
  all.layers.push_back(layer);
}

// ---- as a word graph

using Op = WordOperation;

/// The hidden states of one direction at every position, [length, 1, hidden].
std::size_t add_direction(TensorSource& source, WordGraph& graph, std::size_t x, CellKind cell,
                          const DirectionTensors& layer, bool backwards) {
  const std::size_t hidden = layer.hidden();
  const auto bias = [&](const Tensor* tensor) {
    std::vector<double> values = source.optional_vector(tensor);
    if (values.empty()) values.resize(gate_count(cell) * hidden, 0);
    if (values.size() != gate_count(cell) * hidden) {
      source.refuse(*tensor, fmt::format("expected {} numbers, found {}", gate_count(cell) * hidden,
                                         values.size()));
    }
    return values;
  };
  if (layer.weight_ih->sizes[0] != layer.weight_hh->sizes[0]) {
    source.refuse(*layer.weight_ih, "expected as many rows as " + quoted(layer.weight_hh->name) +
                                        " has, found others");
  }
  WordRecurrence recurrence{.cell = cell == CellKind::Lstm  ? WordRecurrence::Cell::Lstm
                                    : cell == CellKind::Gru ? WordRecurrence::Cell::Gru
                                    : cell == CellKind::GruResetBefore
                                        ? WordRecurrence::Cell::GruResetBefore
                                        : WordRecurrence::Cell::Elman,
                            .activation = usual_activations(cell).candidate.activation,
                            .hidden = hidden,
                            .inputs = layer.inputs(),
                            .backwards = backwards,
                            .input_weights = source.numbers(*layer.weight_ih),
                            .hidden_weights = source.numbers(*layer.weight_hh),
                            .input_bias = bias(layer.bias_ih),
                            .hidden_bias = bias(layer.bias_hh)};
  const std::size_t states =
      graph.add({.operation = Op::Recur, .inputs = {x}, .layer = std::move(recurrence)});
  if (cell != CellKind::Lstm) return states;
  return graph.add({.operation = Op::Part, .inputs = {states}, .list = {-1, 0, 2}});
}

/// One position of [length, 1, size], as [1, size]; -1 is the last.
std::size_t add_position(WordGraph& graph, std::size_t states, double position) {
  const std::size_t at = graph.add({.operation = Op::Constant, .constant = {{}, {position}, true}});
  return graph.add({.operation = Op::Gather, .inputs = {states, at}, .list = {0}});
}

/// What the head reads of the states of the last layer.
std::string add_readout(WordGraph& graph, std::size_t joined, std::size_t forward,
                        std::size_t backward, const std::vector<HeadFrom>& asked) {
  if (asked.empty() && forward == backward) {
    add_position(graph, joined, -1);
    return "last state of the last layer";
  }
  if (asked.empty()) {
    const std::size_t first = add_position(graph, forward, -1);
    const std::size_t last = add_position(graph, backward, 0);
    graph.add({.operation = Op::Concat, .inputs = {first, last}, .list = {-1}});
    return "the state in which each direction of the last layer ends, not its output at the last"
           " symbol";
  }
  WordNode all{.operation = Op::Concat, .list = {-1}};
  for (const HeadFrom from : asked) {
    all.inputs.push_back(from == HeadFrom::Last
                             ? add_position(graph, joined, -1)
                             : graph.add({.operation = from == HeadFrom::Mean  ? Op::Mean
                                                       : from == HeadFrom::Sum ? Op::Sum
                                                                               : Op::Largest,
                                          .inputs = {joined},
                                          .list = {0, 0}}));
  }
  graph.add(std::move(all));
  return names(asked) + " over time of both directions of the last layer";
}

std::string add_word_graph(TensorSource& source, const RecurrentLayers& all,
                           const Tensor* embedding, NetworkSpec& spec) {
  WordGraph graph;
  const std::size_t parts = std::max<std::size_t>(1, source.options.head_from.size());
  graph.symbols = embedding != nullptr ? embedding->sizes[0] : all.inputs();
  graph.features = parts * all.outputs();
  const std::size_t word = graph.add({.operation = Op::Symbols});
  WordTensor table{.sizes = {graph.symbols, all.inputs()}};
  if (embedding != nullptr) {
    table.values = source.numbers(*embedding);
  } else {
    if (graph.symbols > kMostOneHotSymbols) {
      source.refuse(fmt::format("expected at most {} one-hot symbols, found {}", kMostOneHotSymbols,
                                graph.symbols));
    }
    table.values.resize(graph.symbols * graph.symbols, 0);
    for (std::size_t a = 0; a < graph.symbols; ++a) table.values[a * graph.symbols + a] = 1;
  }
  const std::size_t rows = graph.add({.operation = Op::Constant, .constant = std::move(table)});
  std::size_t x = graph.add({.operation = Op::Gather, .inputs = {rows, word}, .list = {0}});
  std::size_t forward = x, backward = x;
  for (const LayerTensors& layer : all.layers) {
    const std::size_t input = x;
    forward = backward = add_direction(source, graph, input, all.cell, layer.forward, false);
    x = forward;
    if (!layer.is_bidirectional()) continue;
    backward = add_direction(source, graph, input, all.cell, layer.backward, true);
    x = graph.add({.operation = Op::Concat, .inputs = {forward, backward}, .list = {-1}});
  }
  std::string read = add_readout(graph, x, forward, backward, source.options.head_from);
  spec.word_graph = std::move(graph);
  return read;
}

RecurrentLayer as_layer(TensorSource& source, const DirectionTensors& layer) {
  return {.hidden = layer.hidden(),
          .input_weights = source.matrix(*layer.weight_ih),
          .recurrent_weights = source.matrix(*layer.weight_hh),
          .input_bias = source.optional_vector(layer.bias_ih),
          .recurrent_bias = source.optional_vector(layer.bias_hh),
          .initial_hidden = {},
          .initial_cell = {}};
}

}  // namespace

bool RecurrentLayers::read_whole_words() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const LayerTensors& layer) { return layer.is_bidirectional(); });
}

RecurrentLayers recurrent_layers(const TensorSource& source) {
  std::vector<RecurrentModule> modules;
  for (const Tensor& tensor : source.tensors) {
    if (!is_recurrent_name(tensor.name)) continue;
    const std::string_view path = split(tensor.name).module;
    auto module = std::find_if(modules.begin(), modules.end(),
                               [&](const RecurrentModule& known) { return known.path == path; });
    if (module == modules.end()) module = modules.insert(modules.end(), {.path = path});
    place(source, tensor, module->layers);
  }
  if (modules.empty()) source.refuse(no_recurrent_weights());
  RecurrentLayers all;
  if (modules.size() > 1) all.chained = chain(source, modules);
  for (const RecurrentModule& module : modules) {
    const std::string of = modules.size() > 1 ? plain(module.path) + " " : "";
    for (std::size_t i = 0; i < module.layers.size(); ++i) {
      const std::string what = fmt::format("{}recurrent layer {}: ", of, i);
      const auto found = module.layers.find(i);
      if (found == module.layers.end()) {
        source.refuse(fmt::format("{}expected weight_ih_l{}, found none", what, i));
      }
      const LayerTensors& layer = found->second;
      expect_complete(source, layer.forward, what);
      const DirectionTensors& back = layer.backward;
      if (back.weight_ih != nullptr || back.weight_hh != nullptr || back.bias_ih != nullptr ||
          back.bias_hh != nullptr) {
        expect_complete(source, back, what + "backwards: ");
      }
      add(source, layer, all);
    }
  }
  return all;
}

std::string add_layers(TensorSource& source, const RecurrentLayers& all, const Tensor* embedding,
                       NetworkSpec& spec) {
  if (all.read_whole_words()) {
    return all.chained + add_word_graph(source, all, embedding, spec);
  }
  LayerStack stack{.cell = all.cell};
  if (embedding != nullptr) stack.embedding = source.matrix(*embedding);
  for (const LayerTensors& layer : all.layers) {
    stack.layers.push_back(as_layer(source, layer.forward));
  }
  const std::vector<HeadFrom>& asked = source.options.head_from;
  if (!asked.empty()) stack.head_from = asked;
  if (stack.symbol_count() > kMostSymbols) {
    source.refuse(fmt::format("expected at most {} input symbols, found {}", kMostSymbols,
                              stack.symbol_count()));
  }
  validate(stack, source.file);
  spec.step = graph_of(stack);
  if (asked.empty() || asked == std::vector<HeadFrom>{HeadFrom::Last}) {
    return all.chained + "last state of the last layer";
  }
  return all.chained + names(asked) + " over time of the last layer's states" +
         (asked.size() > 1 ? ", joined" : "");
}

}  // namespace rnnalf::tensors
