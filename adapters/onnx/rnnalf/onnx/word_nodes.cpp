#include "rnnalf/onnx/word_nodes.hpp"

#include <fmt/core.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace rnnalf::onnx_impl {
namespace {

using ::onnx::NodeProto;
using ::onnx::TensorProto;
using Op = WordOperation;

constexpr std::pair<std::string_view, Op> kPlain[] = {
    {"Exp", Op::Exp},         {"Log", Op::Log},       {"Neg", Op::Negate},
    {"Abs", Op::Absolute},    {"Floor", Op::Floor},   {"Reciprocal", Op::Reciprocal},
    {"Ceil", Op::Ceiling},    {"Sin", Op::Sine},      {"Cos", Op::Cosine},
    {"Not", Op::Not},         {"Add", Op::Add},       {"Sub", Op::Subtract},
    {"Mul", Op::Multiply},    {"Div", Op::Divide},    {"Mod", Op::Modulo},
    {"Pow", Op::Power},       {"Equal", Op::Equal},   {"Less", Op::Less},
    {"And", Op::And},         {"Or", Op::Or},         {"LessOrEqual", Op::LessOrEqual},
    {"Where", Op::Select},    {"MatMul", Op::MatMul}, {"CumSum", Op::Running},
    {"Reshape", Op::Reshape}, {"Expand", Op::Expand}, {"Tile", Op::Tile},
    {"Shape", Op::Lengths},   {"Range", Op::Range},
};

constexpr std::pair<std::string_view, Op> kReductions[] = {{"ReduceSum", Op::Sum},
                                                           {"ReduceMean", Op::Mean},
                                                           {"ReduceMax", Op::Largest},
                                                           {"ReduceMin", Op::Smallest},
                                                           {"ReduceProd", Op::Product}};

struct NamedActivationOperator {
  std::string_view name;
  Activation activation;
  double slope;
};
constexpr NamedActivationOperator kWordActivations[] = {
    {"Relu", Activation::Relu, 0},         {"Tanh", Activation::Tanh, 0},
    {"Sigmoid", Activation::Sigmoid, 0},   {"LeakyRelu", Activation::LeakyRelu, 0.01},
    {"Elu", Activation::Elu, 1},           {"Gelu", Activation::Gelu, 0},
    {"Softsign", Activation::Softsign, 0}, {"HardSigmoid", Activation::HardSigmoid, 0.2},
    {"Erf", Activation::Erf, 0},           {"Sqrt", Activation::Sqrt, 0}};

template <class Table>
const auto* entry_of(const Table& table, std::string_view name) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const auto& entry) { return std::get<0>(entry) == name; });
  return found == std::end(table) ? nullptr : &*found;
}

class Translator {
 public:
  explicit Translator(WordNodes& nodes) : nodes_(nodes) {}

  [[nodiscard]] std::size_t input(const NodeProto& proto, const Node& node, int slot) {
    if (slot >= proto.input_size() || proto.input(slot).empty()) {
      node.refuse(
          fmt::format("expected an input {}, found {} inputs", slot + 1, proto.input_size()));
    }
    return nodes_.node_of(proto.input(slot));
  }

  static bool has(const NodeProto& proto, int slot) {
    return slot < proto.input_size() && !proto.input(slot).empty();
  }

  /// A list that must be constant: an attribute in older operator sets, an input in newer ones.
  std::optional<std::vector<std::int64_t>> list(const NodeProto& proto, const Node& node,
                                                const char* attribute, int slot) {
    if (auto given = node.integer_list(attribute)) return given;
    if (!has(proto, slot)) return std::nullopt;
    const WordNode& constant = nodes_.words.nodes[nodes_.node_of(proto.input(slot))];
    if (constant.operation != Op::Constant) {
      node.refuse("input " + quoted(proto.input(slot)) + ": expected constant integers");
    }
    std::vector<std::int64_t> values;
    for (const double value : constant.constant.values) {
      values.push_back(static_cast<std::int64_t>(value));
    }
    return values;
  }

  void define(const NodeProto& proto, int output, std::size_t value) {
    if (output >= proto.output_size() || proto.output(output).empty()) return;
    nodes_.define(proto.output(output), value);
  }

  void translate(const NodeProto& proto, const Node& node) {
    const std::string_view op = proto.op_type();
    if (!proto.domain().empty() && proto.domain() != "ai.onnx") unknown(proto, node);
    if (op == "LSTM" || op == "GRU" || op == "RNN") return recurrent(proto, node);
    if (op == "Split") return split(proto, node);
    if (const auto* plain = entry_of(kPlain, op)) {
      return define(proto, 0, with_inputs(proto, node, plain->second));
    }
    define(proto, 0, value(proto, node, op));
  }

  [[noreturn]] void unknown(const NodeProto& proto, const Node& node) {
    node.refuse("the operator " + quoted(proto.op_type()) +
                " cannot be run; use the live module in Python (rnnalf.network) or a step function"
                " (rnnalf.acceptor)");
  }

  /// How many inputs an operation takes at least.
  static int arity(Op op) {
    if (op == Op::Select || op == Op::Range) return 3;
    if (op == Op::Lengths || op == Op::Not || (op >= Op::Exp && op <= Op::Cosine)) return 1;
    return 2;
  }

  std::size_t with_inputs(const NodeProto& proto, const Node& node, Op op,
                          std::vector<std::int64_t> attributes = {}) {
    WordNode made{.operation = op, .list = std::move(attributes)};
    for (int i = 0; i < arity(op); ++i) made.inputs.push_back(input(proto, node, i));
    return nodes_.add(std::move(made));
  }

  std::size_t of_first(const NodeProto& proto, const Node& node, Op op,
                       std::vector<std::int64_t> attributes = {}, double number = 0) {
    return nodes_.add({.operation = op,
                       .inputs = {input(proto, node, 0)},
                       .list = std::move(attributes),
                       .number = number});
  }

  std::size_t value(const NodeProto& proto, const Node& node, std::string_view op) {
    const auto first = [&] { return input(proto, node, 0); };
    const auto axis = [&](std::int64_t otherwise) { return node.integer("axis", otherwise); };
    if (const auto* activation = find_activation(op)) {
      const bool approximate = op == "Gelu" && node.text("approximate", "none") == "tanh";
      return nodes_.add(
          {.operation = Op::Activate,
           .inputs = {first()},
           .number = node.number("alpha", activation->slope),
           .activation = approximate ? Activation::GeluTanh : activation->activation});
    }
    if (const auto* reduction = entry_of(kReductions, op)) {
      std::vector<std::int64_t> attributes = {node.integer("keepdims", 1)};
      const auto axes = list(proto, node, "axes", 1);
      if (axes) attributes.insert(attributes.end(), axes->begin(), axes->end());
      return of_first(proto, node, reduction->second, std::move(attributes));
    }
    if (op == "Identity" || op == "Dropout") return first();
    if (op == "Constant") return constant_node(proto, node);
    if (op == "Cast") return cast(proto, node);
    if (op == "Greater") return nodes_.binary(Op::Less, input(proto, node, 1), first());
    if (op == "GreaterOrEqual")
      return nodes_.binary(Op::LessOrEqual, input(proto, node, 1), first());
    if (op == "Max" || op == "Min") {
      std::size_t all = first();
      for (int i = 1; i < proto.input_size(); ++i) {
        all = nodes_.binary(op == "Max" ? Op::Maximum : Op::Minimum, all, input(proto, node, i));
      }
      return all;
    }
    if (op == "Sum") {
      std::size_t all = first();
      for (int i = 1; i < proto.input_size(); ++i)
        all = nodes_.binary(Op::Add, all, input(proto, node, i));
      return all;
    }
    if (op == "Clip") {
      std::size_t x = first();
      if (has(proto, 1)) x = nodes_.binary(Op::Maximum, x, input(proto, node, 1));
      if (has(proto, 2)) x = nodes_.binary(Op::Minimum, x, input(proto, node, 2));
      if (node.has_attribute("min"))
        x = nodes_.binary(Op::Maximum, x, nodes_.number(node.number("min", 0)));
      if (node.has_attribute("max"))
        x = nodes_.binary(Op::Minimum, x, nodes_.number(node.number("max", 0)));
      return x;
    }
    if (op == "Softplus") {
      const std::size_t power = of_first(proto, node, Op::Exp);
      return nodes_.add(
          {.operation = Op::Log, .inputs = {nodes_.binary(Op::Add, power, nodes_.number(1))}});
    }
    if (op == "Softmax" || op == "LogSoftmax") {
      return of_first(proto, node, op == "Softmax" ? Op::Softmax : Op::LogSoftmax, {axis(-1)});
    }
    if (op == "Gemm") return gemm(proto, node);
    if (op == "Transpose") {
      return of_first(proto, node, Op::Transpose,
                      node.integer_list("perm").value_or(std::vector<std::int64_t>{}));
    }
    if (op == "Flatten") return of_first(proto, node, Op::Flatten, {axis(1)});
    if (op == "Squeeze" || op == "Unsqueeze") {
      return of_first(proto, node, op == "Squeeze" ? Op::Squeeze : Op::Unsqueeze,
                      list(proto, node, "axes", 1).value_or(std::vector<std::int64_t>{}));
    }
    if (op == "Concat") {
      WordNode all{.operation = Op::Concat, .list = {axis(0)}};
      for (int i = 0; i < proto.input_size(); ++i) all.inputs.push_back(input(proto, node, i));
      if (all.inputs.empty()) node.refuse("expected inputs, found none");
      return nodes_.add(std::move(all));
    }
    if (op == "Slice") return slice(proto, node);
    if (op == "Gather") return with_two(proto, node, Op::Gather, axis(0));
    if (op == "GatherElements") return with_two(proto, node, Op::GatherElements, axis(0));
    if (op == "ConstantOfShape") {
      const auto given = node.tensor("value");
      const double filling = given && given->count() == 1U ? given->front() : 0;
      return of_first(proto, node, Op::Filled,
                      given ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{}, filling);
    }
    if (op == "Trilu") {
      WordNode made{
          .operation = Op::Triangle, .inputs = {first()}, .list = {node.integer("upper", 1)}};
      if (has(proto, 1)) made.inputs.push_back(input(proto, node, 1));
      return nodes_.add(std::move(made));
    }
    if (op == "OneHot") {
      const auto depth = list(proto, node, "depth", 1);
      const std::vector<double> off_on = {0, 1};
      const WordNode& values = nodes_.words.nodes[input(proto, node, 2)];
      if (!depth || depth->size() != 1 || depth->front() < 1 ||
          depth->front() > static_cast<std::int64_t>(kMostOneHot) || axis(-1) != -1 ||
          values.constant.values != off_on) {
        unknown(proto, node);
      }
      return nodes_.one_hot(first(), static_cast<std::size_t>(depth->front()));
    }
    if (op == "LayerNormalization" && axis(-1) == -1) {
      std::size_t x = of_first(proto, node, Op::Normalise, {}, node.number("epsilon", 1e-5));
      x = nodes_.binary(Op::Multiply, x, input(proto, node, 1));
      return has(proto, 2) ? nodes_.binary(Op::Add, x, input(proto, node, 2)) : x;
    }
    unknown(proto, node);
  }

  static const NamedActivationOperator* find_activation(std::string_view op) {
    for (const NamedActivationOperator& known : kWordActivations) {
      if (known.name == op) return &known;
    }
    return nullptr;
  }

  std::size_t with_two(const NodeProto& proto, const Node& node, Op op, std::int64_t axis) {
    return nodes_.add({.operation = op,
                       .inputs = {input(proto, node, 0), input(proto, node, 1)},
                       .list = {axis}});
  }

  std::size_t constant_node(const NodeProto& proto, const Node& node) {
    for (const auto& attribute : proto.attribute()) {
      if (attribute.name() == "value") {
        return nodes_.constant(attribute.t(), node_label(proto, 0));
      }
    }
    if (node.has_attribute("value_int")) {
      return nodes_.number(static_cast<double>(node.integer("value_int", 0)), true);
    }
    if (node.has_attribute("value_float")) return nodes_.number(node.number("value_float", 0));
    if (const auto ints = node.integer_list("value_ints")) return nodes_.integers(*ints);
    unknown(proto, node);
  }

  std::size_t cast(const NodeProto& proto, const Node& node) {
    const std::int64_t to = node.integer("to", TensorProto::FLOAT);
    std::vector<std::int64_t> kind;
    if (to == TensorProto::BOOL) kind = {2};
    if (to == TensorProto::INT64 || to == TensorProto::INT32) kind = {1};
    return of_first(proto, node, Op::Cast, std::move(kind));
  }

  std::size_t gemm(const NodeProto& proto, const Node& node) {
    const auto turned = [&](int slot, const char* attribute) {
      const std::size_t x = input(proto, node, slot);
      if (node.integer(attribute, 0) == 0) return x;
      return nodes_.add({.operation = Op::Transpose, .inputs = {x}});
    };
    std::size_t product = nodes_.binary(Op::MatMul, turned(0, "transA"), turned(1, "transB"));
    if (const double alpha = node.number("alpha", 1); alpha != 1) {
      product = nodes_.binary(Op::Multiply, product, nodes_.number(alpha));
    }
    if (!has(proto, 2)) return product;
    std::size_t bias = input(proto, node, 2);
    if (const double beta = node.number("beta", 1); beta != 1) {
      bias = nodes_.binary(Op::Multiply, bias, nodes_.number(beta));
    }
    return nodes_.binary(Op::Add, product, bias);
  }

  std::size_t slice(const NodeProto& proto, const Node& node) {
    WordNode made{.operation = Op::Slice, .inputs = {input(proto, node, 0)}};
    if (const auto starts = node.integer_list("starts")) {
      made.inputs.push_back(nodes_.integers(*starts));
      made.inputs.push_back(
          nodes_.integers(node.integer_list("ends").value_or(std::vector<std::int64_t>{})));
      const auto axes = node.integer_list("axes");
      made.inputs.push_back(axes ? nodes_.integers(*axes) : kNoWordNode);
    } else {
      for (int i = 1; i < 3; ++i) made.inputs.push_back(input(proto, node, i));
      for (int i = 3; i < 5; ++i) {
        made.inputs.push_back(has(proto, i) ? input(proto, node, i) : kNoWordNode);
      }
    }
    return nodes_.add(std::move(made));
  }

  void split(const NodeProto& proto, const Node& node) {
    const std::int64_t axis = node.integer("axis", 0);
    const auto sizes = list(proto, node, "split", 1);
    const std::size_t x = input(proto, node, 0);
    std::int64_t first = 0;
    for (int i = 0; i < proto.output_size(); ++i) {
      if (!sizes) {
        define(proto, i,
               nodes_.add(
                   {.operation = Op::Part, .inputs = {x}, .list = {axis, i, proto.output_size()}}));
        continue;
      }
      if (static_cast<std::size_t>(i) >= sizes->size())
        node.refuse("expected a size for each part");
      const std::int64_t end =
          first +
          std::clamp<std::int64_t>((*sizes)[static_cast<std::size_t>(i)], 0, std::int64_t{1} << 40);
      define(proto, i,
             nodes_.add({.operation = Op::Slice,
                         .inputs = {x, nodes_.integers({first}), nodes_.integers({end}),
                                    nodes_.integers({axis})}}));
      first = end;
    }
  }

  /// A constant of the given sizes.
  const std::vector<double>& weights(const NodeProto& proto, const Node& node, int slot,
                                     const std::vector<std::size_t>& sizes) {
    const WordNode& given = nodes_.words.nodes[input(proto, node, slot)];
    if (given.operation != Op::Constant || given.constant.sizes != sizes) {
      node.refuse("input " + quoted(proto.input(slot)) +
                  ": expected constant weights of the sizes that the other inputs have");
    }
    return given.constant.values;
  }

  void recurrent(const NodeProto& proto, const Node& node) {
    const std::string_view op = proto.op_type();
    const std::string direction = node.text("direction", "forward");
    const std::size_t directions = direction == "bidirectional" ? 2 : 1;
    if (node.integer("layout", 0) != 0 || node.has_attribute("clip") || has(proto, 7) ||
        node.integer("input_forget", 0) != 0) {
      unknown(proto, node);
    }
    WordRecurrence layer{.cell = op == "LSTM"  ? WordRecurrence::Cell::Lstm
                                 : op == "RNN" ? WordRecurrence::Cell::Elman
                                 : node.integer("linear_before_reset", 0) != 0
                                     ? WordRecurrence::Cell::Gru
                                     : WordRecurrence::Cell::GruResetBefore};
    for (const std::string& name : node.text_list("activations")) {
      if (op == "RNN" && (name == "Relu" || name == "Tanh")) {
        layer.activation = name == "Relu" ? Activation::Relu : Activation::Tanh;
      } else if (op == "RNN" || (name != "Sigmoid" && name != "Tanh")) {
        unknown(proto, node);
      }
    }
    const std::size_t gates = op == "LSTM" ? 4 : op == "GRU" ? 3 : 1;
    const std::vector<std::size_t> sizes = nodes_.words.nodes[input(proto, node, 2)].constant.sizes;
    const std::vector<std::size_t> in_sizes =
        nodes_.words.nodes[input(proto, node, 1)].constant.sizes;
    if (sizes.size() != 3 || in_sizes.size() != 3) {
      node.refuse("expected constant weights of 3 axes, found others");
    }
    layer.hidden = sizes[2];
    layer.inputs = in_sizes[2];
    const std::size_t rows = gates * layer.hidden;
    const std::vector<double> w = weights(proto, node, 1, {directions, rows, layer.inputs});
    const std::vector<double> u = weights(proto, node, 2, {directions, rows, layer.hidden});
    std::vector<double> bias(directions * 2 * rows, 0);
    if (has(proto, 3)) bias = weights(proto, node, 3, {directions, 2 * rows});
    if (has(proto, 4))
      nodes_.expected.emplace_back(input(proto, node, 4), WordNodes::Expected::Length);
    for (const int slot : {5, 6}) {
      if (has(proto, slot))
        nodes_.expected.emplace_back(input(proto, node, slot), WordNodes::Expected::Zero);
    }

    const std::size_t x = input(proto, node, 0);
    WordNode all{.operation = Op::Concat, .list = {1}},
        hidden{.operation = Op::Concat, .list = {0}};
    WordNode cells = hidden;
    for (std::size_t d = 0; d < directions; ++d) {
      layer.backwards = direction == "reverse" || d == 1;
      layer.input_weights = in_our_order(w, d * rows * layer.inputs, rows * layer.inputs, gates);
      layer.hidden_weights = in_our_order(u, d * rows * layer.hidden, rows * layer.hidden, gates);
      layer.input_bias = in_our_order(bias, d * 2 * rows, rows, gates);
      layer.hidden_bias = in_our_order(bias, d * 2 * rows + rows, rows, gates);
      std::size_t states = nodes_.add({.operation = Op::Recur, .inputs = {x}, .layer = layer});
      std::size_t cell_states = states;
      if (op == "LSTM") {
        cell_states = nodes_.add({.operation = Op::Part, .inputs = {states}, .list = {-1, 1, 2}});
        states = nodes_.add({.operation = Op::Part, .inputs = {states}, .list = {-1, 0, 2}});
      }
      const std::size_t end = nodes_.integers({layer.backwards ? 0 : -1});
      const auto final_state = [&](std::size_t of) {
        return nodes_.add({.operation = Op::Gather, .inputs = {of, end}, .list = {0}});
      };
      all.inputs.push_back(
          nodes_.add({.operation = Op::Unsqueeze, .inputs = {states}, .list = {1}}));
      hidden.inputs.push_back(final_state(states));
      cells.inputs.push_back(final_state(cell_states));
    }
    define(proto, 0, nodes_.add(std::move(all)));
    define(proto, 1, nodes_.add(std::move(hidden)));
    define(proto, 2, nodes_.add(std::move(cells)));
  }

  /// ONNX stacks a GRU's gates as z, r, n and an LSTM's as i, o, f, g; ours are r, z, n and i, f,
  /// g, o.
  static std::vector<double> in_our_order(const std::vector<double>& all, std::size_t first,
                                          std::size_t count, std::size_t gates) {
    static const std::map<std::size_t, std::vector<std::size_t>> orders = {
        {1, {0}}, {3, {1, 0, 2}}, {4, {0, 2, 3, 1}}};
    std::vector<double> ours;
    for (const std::size_t gate : orders.at(gates)) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first + gate * (count / gates));
      ours.insert(ours.end(), begin, begin + static_cast<std::ptrdiff_t>(count / gates));
    }
    return ours;
  }

  WordNodes& nodes_;
};

}  // namespace

WordNodes::WordNodes(const ::onnx::GraphProto& graph, Context& context) : context_(context) {
  for (const auto& tensor : graph.initializer()) initializers_.emplace(tensor.name(), &tensor);
}

const TensorProto* WordNodes::initializer(const std::string& name) const {
  const auto found = initializers_.find(name);
  return found == initializers_.end() ? nullptr : found->second;
}

void WordNodes::define(const std::string& name, std::size_t node) {
  if (nodes_.emplace(name, node).second) return;
  context_.refuse("tensor " + quoted(name) + ": expected one node that computes it, found two");
}

/// The node of a tensor by name; constants are read when they are used.
std::size_t WordNodes::node_of(const std::string& name) {
  if (const auto found = nodes_.find(name); found != nodes_.end()) return found->second;
  const auto found_constant = initializers_.find(name);
  if (found_constant == initializers_.end()) {
    context_.refuse("tensor " + quoted(name) +
                    ": expected one that is computed before it is"
                    " used, found none");
  }
  return nodes_[name] = constant(*found_constant->second, quoted(name));
}

std::size_t WordNodes::constant(const TensorProto& tensor, const std::string& what) {
  const Numbers numbers = read_tensor(tensor, what, context_);
  auto values = numbers.entries(context_.meter);
  if (!values) context_.refuse(what + ": expected numbers in proportion to the file, found more");
  WordTensor tensor_read{.values = *std::move(values),
                         .whole = tensor.data_type() != TensorProto::FLOAT &&
                                  tensor.data_type() != TensorProto::DOUBLE &&
                                  tensor.data_type() != TensorProto::FLOAT16 &&
                                  tensor.data_type() != TensorProto::BFLOAT16};
  for (const Integer& size : numbers.dims) {
    tensor_read.sizes.push_back(static_cast<std::size_t>(size.value.value_or(0)));
  }
  return words.add({.operation = Op::Constant, .constant = std::move(tensor_read)});
}

std::size_t WordNodes::integers(const std::vector<std::int64_t>& list) {
  WordTensor constant{.sizes = {list.size()}, .whole = true};
  for (const std::int64_t value : list) constant.values.push_back(static_cast<double>(value));
  return words.add({.operation = Op::Constant, .constant = std::move(constant)});
}

std::size_t WordNodes::number(double value, bool whole) {
  return words.add({.operation = Op::Constant, .constant = {.values = {value}, .whole = whole}});
}

std::size_t WordNodes::one_hot(std::size_t word, std::size_t symbols) {
  if (!context_.meter.spend(symbols)) context_.refuse("expected fewer symbols, found too many");
  WordTensor identity{.sizes = {symbols, symbols},
                      .values = std::vector<double>(symbols * symbols, 0)};
  for (std::size_t a = 0; a < symbols; ++a) identity.values[a * symbols + a] = 1;
  const std::size_t rows = words.add({.operation = Op::Constant, .constant = std::move(identity)});
  return words.add({.operation = Op::Gather, .inputs = {rows, word}, .list = {0}});
}

void translate(const NodeProto& proto, const Node& node, WordNodes& nodes) {
  Translator(nodes).translate(proto, node);
}

}  // namespace rnnalf::onnx_impl
