#include "rnnalf/onnx/graph.hpp"

#include <onnx/onnx_pb.h>

#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "rnnalf/onnx/operators.hpp"

namespace rnnalf::onnx_impl {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

/// How much an operator changes what its first input has to be: see expected_in_place_of.
enum class Kind : std::uint8_t { Transparent, Head, Recurrent, Other };

struct Operator {
  std::string_view name;
  Outputs (*meaning)(const Node&);
  Kind kind;
};

constexpr std::array kOperators = {
    Operator{"Constant", constant, Kind::Other},
    Operator{"ConstantOfShape", constant_of_shape, Kind::Other},
    Operator{"Shape", shape, Kind::Other},
    Operator{"Expand", expand, Kind::Transparent},
    Operator{"Tile", tile, Kind::Transparent},
    Operator{"Sub", arithmetic, Kind::Other},
    Operator{"Mul", arithmetic, Kind::Other},
    Operator{"Equal", arithmetic, Kind::Other},
    Operator{"Where", where, Kind::Other},
    Operator{"If", nullptr, Kind::Transparent},  // has a graph of its own: Evaluation::branch
    Operator{"Identity", pass, Kind::Transparent},
    Operator{"Dropout", dropout, Kind::Transparent},
    Operator{"Cast", cast, Kind::Transparent},
    Operator{"Transpose", transpose, Kind::Transparent},
    Operator{"Squeeze", squeeze, Kind::Transparent},
    Operator{"Unsqueeze", unsqueeze, Kind::Transparent},
    Operator{"Reshape", reshape, Kind::Transparent},
    Operator{"Flatten", flatten, Kind::Transparent},
    Operator{"Gather", gather, Kind::Transparent},
    Operator{"Slice", slice, Kind::Transparent},
    Operator{"Concat", concat, Kind::Transparent},
    Operator{"OneHot", one_hot, Kind::Other},
    Operator{"RNN", recurrent, Kind::Recurrent},
    Operator{"GRU", recurrent, Kind::Recurrent},
    Operator{"LSTM", recurrent, Kind::Recurrent},
    Operator{"Gemm", gemm, Kind::Head},
    Operator{"MatMul", matmul, Kind::Head},
    Operator{"Add", add, Kind::Head},
    Operator{"Relu", activation, Kind::Head},
    Operator{"Tanh", activation, Kind::Head},
    Operator{"Sigmoid", activation, Kind::Head},
    Operator{"Softmax", softmax, Kind::Head},
    Operator{"LogSoftmax", softmax, Kind::Head},
    Operator{"Log", log, Kind::Head},
};

const Operator* find_operator(const NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return nullptr;
  for (const Operator& known_operator : kOperators) {
    if (known_operator.name == node.op_type()) return &known_operator;
  }
  return nullptr;
}

/// Names a graph uses and does not define, the graphs inside it included.
void add_free_names(const GraphProto& graph, std::vector<const std::string*>& names) {
  std::unordered_set<std::string_view> defined;
  for (const auto& tensor : graph.initializer()) defined.insert(tensor.name());
  for (const auto& input : graph.input()) defined.insert(input.name());
  for (const NodeProto& node : graph.node())
    defined.insert(node.output().begin(), node.output().end());
  std::vector<const std::string*> used;
  for (const NodeProto& node : graph.node()) {
    for (const std::string& name : node.input()) used.push_back(&name);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) add_free_names(attribute.g(), used);
    }
  }
  for (const auto& output : graph.output()) used.push_back(&output.name());
  for (const std::string* name : used) {
    if (!defined.contains(*name)) names.push_back(name);
  }
}

/// Evaluates tensors by name, what they depend on first. An explicit stack instead of recursion: a
/// graph may be a chain as long as its file. Graphs inside graphs are nested at most as deep as
/// protobuf reads messages.
class Evaluation {
 public:
  Evaluation(const GraphProto& graph, Context& context, Evaluation* outer = nullptr)
      : graph_(graph), context_(context), outer_(outer) {
    for (int i = 0; i < graph.initializer_size(); ++i) {
      initializers_.emplace(graph.initializer(i).name(), i);
    }
    for (const auto& sparse : graph.sparse_initializer())
      sparse_.emplace(sparse.values().name(), 0);
    for (int i = 0; i < graph.input_size(); ++i) inputs_.emplace(graph.input(i).name(), i);
    for (int i = 0; i < graph.node_size(); ++i) {
      for (int slot = 0; slot < graph.node(i).output_size(); ++slot) {
        const std::string& name = graph.node(i).output(slot);
        if (name.empty()) continue;
        if (!producers_.emplace(name, Producer{i, slot}).second) {
          context.refuse("tensor " + quoted(name) +
                         ": expected one node that computes it, found two");
        }
      }
    }
    states_.resize(static_cast<std::size_t>(graph.node_size()));
  }

  ValuePtr evaluate(const std::string& output) {
    const Producer* producer = find_producer(output);
    if (producer == nullptr) return leaf(output, nullptr);
    if (states_[index(producer->node)] != State::Done) open(producer->node);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next < top.needed.size()) {
        const std::string& name = *top.needed[top.next++];
        const Producer* below = name.empty() ? nullptr : find_producer(name);
        if (below != nullptr && states_[index(below->node)] != State::Done) open(below->node);
        continue;
      }
      compute(top.node);
      open_.pop_back();
    }
    return result(*producer);
  }

 private:
  enum class State : std::uint8_t { Untouched, Open, Done };

  struct Producer {
    int node;
    int slot;
  };

  struct Open {
    int node;
    std::vector<const std::string*> needed;  // its inputs, then what its inner graphs use
    std::size_t next;                        // of those, the first not yet looked at
  };

  static std::size_t index(int at) { return static_cast<std::size_t>(at); }

  const Producer* find_producer(const std::string& name) const {
    const auto found = producers_.find(name);
    return found == producers_.end() ? nullptr : &found->second;
  }

  void open(int node) {
    const NodeProto& proto = graph_.node(node);
    State& state = states_[index(node)];
    if (state == State::Open) {
      context_.refuse(node_label(proto, index(node)) +
                      ": expected a graph without cycles, found a node that depends on itself");
    }
    if (find_operator(proto) == nullptr) {
      const std::string domain =
          proto.domain().empty() ? "" : " of domain " + quoted(proto.domain());
      context_.refuse(node_label(proto, index(node)) + ": expected " + expected_here() +
                      ", found " + quoted(proto.op_type()) + domain);
    }
    state = State::Open;
    std::vector<const std::string*> needed;
    for (const std::string& name : proto.input()) needed.push_back(&name);
    for (const auto& attribute : proto.attribute()) {
      if (attribute.has_g()) add_free_names(attribute.g(), needed);
    }
    open_.push_back({node, std::move(needed), 0});
  }

  /// What the nodes being evaluated need from the one that comes next.
  std::string expected_here() const {
    for (std::size_t i = open_.size(); i-- > 0;) {
      const NodeProto& consumer = graph_.node(open_[i].node);
      const std::size_t slot = open_[i].next - (open_[i].next > 0 ? 1 : 0);
      const std::string place = " as input " + std::to_string(slot + 1) + " of " +
                                node_label(consumer, index(open_[i].node));
      switch (find_operator(consumer)->kind) {
        case Kind::Transparent:
          if (consumer.op_type() == "If" || consumer.op_type() == "Concat") continue;
          if (slot > 0) return "a constant or a length" + place;
          continue;
        case Kind::Head:
          if (slot > 0 && consumer.op_type() != "Add") return "constant weights" + place;
          return "a dense layer or activation of the head, or the last step of a recurrent layer" +
                 place;
        case Kind::Recurrent:
          if (slot == 0) {
            return "the word's symbols, one-hot or embedded, or a recurrent layer" + place;
          }
          if (slot < 4) return "constant weights" + place;
          return "a constant or zero-filled initial state" + place;
        case Kind::Other:
          if (consumer.op_type() == "OneHot" && slot == 0)
            return "the word's symbol indices" + place;
          if (consumer.op_type() == "Shape") return "a constant or a part of the network" + place;
          return "a constant or a length" + place;
      }
    }
    if (outer_ != nullptr) return outer_->expected_here();
    return "the scores of the network (Gemm, MatMul, Add, Sigmoid, Softmax or LogSoftmax) as "
           "output of "
           "the graph";
  }

  void compute(int node) {
    const NodeProto& proto = graph_.node(node);
    std::vector<ValuePtr> inputs;
    for (const std::string& name : proto.input()) {
      if (name.empty()) {
        inputs.emplace_back();
        continue;
      }
      const Producer* producer = find_producer(name);
      inputs.push_back(producer != nullptr ? result(*producer) : leaf(name, &proto));
    }
    const Node evaluated(proto, index(node), std::move(inputs), context_);
    const auto meaning = find_operator(proto)->meaning;
    results_[node] = meaning != nullptr ? meaning(evaluated) : branch(proto, evaluated);
    states_[index(node)] = State::Done;
  }

  /// If, with a condition known without the word, as exporters write it around Squeeze.
  Outputs branch(const NodeProto& proto, const Node& node) {
    const auto condition = node.integers(0);
    if (condition.entries.size() != 1 || !condition.entries.front().value) {
      node.refuse_input(0, "a condition that does not depend on the word");
    }
    const char* taken = *condition.entries.front().value != 0 ? "then_branch" : "else_branch";
    for (const auto& attribute : proto.attribute()) {
      if (attribute.name() != taken || !attribute.has_g()) continue;
      Evaluation inner(attribute.g(), context_, this);
      Outputs outputs;
      for (const auto& output : attribute.g().output())
        outputs.push_back(inner.evaluate(output.name()));
      return outputs;
    }
    node.refuse(std::string("expected a graph '") + taken + "', found none");
  }

  ValuePtr result(const Producer& producer) const {
    const Outputs& outputs = results_.at(producer.node);
    if (index(producer.slot) >= outputs.size()) {
      context_.refuse(node_label(graph_.node(producer.node), index(producer.node)) +
                      ": expected at most " + std::to_string(outputs.size()) +
                      " outputs to be used, found output " + std::to_string(producer.slot + 1));
    }
    return outputs[index(producer.slot)];
  }

  /// A tensor no node computes: stored in the file, or an input of the graph.
  ValuePtr leaf(const std::string& name, const NodeProto* consumer) {
    if (const auto known_value = leaves_.find(name); known_value != leaves_.end()) {
      return known_value->second;
    }
    ValuePtr value;
    if (const auto stored = initializers_.find(name); stored != initializers_.end()) {
      value = std::make_shared<const Value>(
          read_tensor(graph_.initializer(stored->second), "tensor " + quoted(name), context_));
    } else if (sparse_.contains(name)) {
      context_.refuse("tensor " + quoted(name) +
                      ": a sparse tensor is not supported because weights are read densely");
    } else if (const auto input = inputs_.find(name); input != inputs_.end()) {
      value =
          std::make_shared<const Value>(graph_input(graph_.input(input->second), input->second));
    } else if (outer_ != nullptr) {
      const Producer* producer = outer_->find_producer(name);
      value = producer != nullptr ? outer_->result(*producer) : outer_->leaf(name, consumer);
    } else {
      context_.refuse("tensor " + quoted(name) +
                      ": expected a node, a stored tensor or a graph input " + "of this name" +
                      (consumer != nullptr ? " for " + quoted(consumer->op_type()) : "") +
                      ", found none");
    }
    leaves_.emplace(name, value);
    return value;
  }

  Signal graph_input(const ValueInfoProto& info, int position) const {
    const std::string what = "graph input " + quoted(info.name());
    if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) {
      context_.refuse(what + ": expected a tensor with a shape, found none");
    }
    const auto& shape = info.type().tensor_type().shape();
    if (index(shape.dim_size()) > kMostAxes) {
      context_.refuse(what + ": expected at most " + std::to_string(kMostAxes) + " axes, found " +
                      std::to_string(shape.dim_size()));
    }
    Signal signal{
        .stage = Stage::Input, .axes = {}, .link = {}, .name = info.name().substr(0, kLongestName)};
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      Integer length;
      length.input_axis = index(position) * kMostAxes + index(axis);
      if (shape.dim(axis).has_dim_value() && shape.dim(axis).dim_value() > 0) {
        length.value = shape.dim(axis).dim_value();
      }
      signal.axes.push_back({.role = Role::Input, .length = length});
    }
    return signal;
  }

  const GraphProto& graph_;
  Context& context_;
  Evaluation* outer_;  // of the graph around this one, or null; outlives this
  std::unordered_map<std::string_view, int> initializers_;
  std::unordered_map<std::string_view, int> sparse_;
  std::unordered_map<std::string_view, int> inputs_;
  std::unordered_map<std::string_view, Producer> producers_;
  std::unordered_map<std::string_view, ValuePtr> leaves_;
  std::unordered_map<int, Outputs> results_;
  std::vector<State> states_;
  std::vector<Open> open_;
};

}  // namespace

Signal read_graph(const GraphProto& graph, Context& context) {
  if (graph.output_size() == 0) context.refuse("expected a graph with an output, found none");
  const std::string& name = graph.output(0).name();
  const ValuePtr value = Evaluation(graph, context).evaluate(name);
  const auto* signal = std::get_if<Signal>(value.get());
  if (signal == nullptr || (signal->stage != Stage::Dense && signal->stage != Stage::Scores)) {
    context.refuse("graph output " + quoted(name) + ": expected the scores of the network, found " +
                   describe(*value));
  }
  for (const Axis& axis : signal->axes) {
    if (axis.role == Role::Time) {
      context.refuse(
          "graph output " + quoted(name) +
          ": expected one answer for a whole word, found one for every position; take the "
          "last time step");
    }
  }
  return *signal;
}

}  // namespace rnnalf::onnx_impl
