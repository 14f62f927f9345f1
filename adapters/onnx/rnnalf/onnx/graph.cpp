// Tensors are evaluated by name, from the first output of the graph backwards, with a stack of its
// own instead of recursion. A node's operator turns the values of its inputs into values of its
// outputs. Nodes with graphs inside (If, Loop, Scan) evaluate these with the outer tensors in
// sight: a loop's body is evaluated once, for any step, with its carried states as inputs.

#include "rnnalf/onnx/graph.hpp"

#include <fmt/core.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "rnnalf/onnx/operator_table.hpp"

namespace rnnalf::onnx_impl {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

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
      const std::string place =
          fmt::format(" as input {} of {}", slot + 1, node_label(consumer, index(open_[i].node)));
      switch (find_operator(consumer)->kind) {
        case Kind::Transparent:
          if (consumer.op_type() == "If" || consumer.op_type() == "Concat") continue;
          if (slot > 0) return "a constant or a length" + place;
          continue;
        case Kind::Head:
          if (slot > 0 && (consumer.op_type() == "Gemm" || consumer.op_type() == "MatMul")) {
            return "constant weights" + place;
          }
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
    const Stack* const steps = stacked_steps(proto, evaluated);
    results_[node] = steps != nullptr            ? of_each_step(proto, evaluated, *steps)
                     : meaning != nullptr        ? meaning(evaluated)
                     : proto.op_type() == "If"   ? branch(proto, evaluated)
                     : proto.op_type() == "Loop" ? loop(proto, evaluated)
                                                 : scan(proto, evaluated);
    states_[index(node)] = State::Done;
  }

  /// The stacked steps of a loop that is written out, where a node of the head works on them.
  static const Stack* stacked_steps(const NodeProto& proto, const Node& node) {
    const std::string_view op = node.op();
    const bool collects = op.starts_with("Reduce") || op.starts_with("Global");
    if (find_operator(proto)->kind != Kind::Head || collects) return nullptr;
    for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
      if (const auto* steps = node.input_as<Stack>(slot)) return steps;
    }
    return nullptr;
  }

  /// What the node computes of one step after the other.
  Outputs of_each_step(const NodeProto& proto, const Node& node, const Stack& steps) {
    Stack result{.parts = {}, .axis = steps.axis};
    for (std::size_t step = 0; step < steps.parts.size(); ++step) {
      std::vector<ValuePtr> inputs;
      for (std::size_t slot = 0; slot < node.input_count(); ++slot) {
        const auto* stack = node.input_as<Stack>(slot);
        if (stack == nullptr) {
          inputs.push_back(node.has_input(slot) ? node.shared_input(slot) : nullptr);
          continue;
        }
        if (stack->parts.size() != steps.parts.size() || stack->axis != steps.axis) {
          node.refuse_input(slot, "as many steps as the other input has");
        }
        inputs.push_back(std::make_shared<const Value>(stack->parts[step]));
      }
      const Outputs outputs =
          find_operator(proto)->meaning(Node(proto, 0, std::move(inputs), context_));
      const auto* signal = std::get_if<Signal>(outputs.front().get());
      const bool same_axes = signal != nullptr && steps.axis < signal->axes.size() &&
                             signal->axes[steps.axis].length.is(1);
      if (!same_axes) node.refuse("expected a vector of each step, found another shape");
      result.parts.push_back(*signal);
    }
    return one_output(std::move(result));
  }

  /// The graph in an attribute.
  static const GraphProto& body_of(const NodeProto& proto, const Node& node) {
    for (const auto& attribute : proto.attribute()) {
      if (attribute.name() == "body" && attribute.has_g()) return attribute.g();
    }
    node.refuse("expected a graph 'body', found none");
  }

  static bool is_true(const Value& value) {
    const auto* numbers = std::get_if<Numbers>(&value);
    return numbers != nullptr && numbers->count() == 1U && numbers->front() != 0;
  }

  /// What a loop carries from step to step, as its body sees it.
  Signal carried(const Node& node, std::size_t slot, std::size_t scope) {
    CarriedState state;
    Signal signal{.stage = Stage::Dense,
                  .axes = {},
                  .link = {},
                  .name = node.input_name(slot).substr(0, kLongestName),
                  .scope = scope};
    state.name = signal.name;
    if (node.input_as<Numbers>(slot) != nullptr) {
      ConstantState initial = constant_state(node, slot, "an initial state, constant or zero");
      state.size = initial.size;
      state.initial = std::move(initial.values);
      signal.axes = std::move(initial.axes);
    } else if (const auto* given = node.input_as<Signal>(slot); given != nullptr && given->link) {
      const auto* from = std::get_if<StatePart>(&context_.links[*given->link].part);
      if (from == nullptr || !context_.states[from->number].is_input) {
        node.refuse_input(slot, "an initial state that does not depend on the word");
      }
      state.size = context_.states[from->number].size;
      signal.axes = given->axes;
      node.spend(state.size);
    } else {
      node.refuse_input(slot, "an initial state, constant or zero");
    }
    signal.link = context_.links.size();
    context_.links.push_back({StatePart{context_.states.size()}, {}});
    context_.states.push_back(std::move(state));
    return signal;
  }

  /// The value of a body's output as a signal of this scope.
  Signal body_output(const Node& node, Evaluation& inner, const GraphProto& body, int output,
                     std::size_t scope) {
    const std::string& name = body.output(output).name();
    const ValuePtr value = inner.evaluate(name);
    const auto* signal = std::get_if<Signal>(value.get());
    if (signal == nullptr || signal->scope != scope || !signal->link) {
      node.refuse("body output " + quoted(name) + ": expected a state of the network, found " +
                  describe(*value));
    }
    return *signal;
  }

  /// The states after the last step and the outputs of all steps, from a body whose states begin at
  /// `first` of context_.states.
  Outputs loop_outputs(const Node& node, Evaluation& inner, const GraphProto& body, int skipped,
                       std::size_t first, std::size_t count, std::size_t scope,
                       const Integer& length) {
    Outputs outputs;
    for (int i = skipped; i < body.output_size(); ++i) {
      const std::size_t number = outputs.size();
      Signal signal = body_output(node, inner, body, i, scope);
      signal.scope = 0;
      if (number < count) {
        CarriedState& state = context_.states[first + number];
        const auto features = std::find_if(signal.axes.begin(), signal.axes.end(),
                                           [](const Axis& a) { return a.role == Role::Feature; });
        if (features == signal.axes.end() ||
            !features->length.is(static_cast<std::int64_t>(state.size))) {
          node.refuse(fmt::format("state {}: expected {} numbers after a step, found another shape",
                                  quoted(state.name), state.size));
        }
        state.next = signal.link;
        signal.stage = Stage::Hidden;
      } else {
        signal.axes.insert(signal.axes.begin(), Axis{.role = Role::Time, .length = length});
      }
      outputs.push_back(std::make_shared<const Value>(std::move(signal)));
    }
    return outputs;
  }

  /// Loop over the steps of the word, with the steps' number as an index.
  Outputs loop(const NodeProto& proto, const Node& node) {
    const GraphProto& body = body_of(proto, node);
    if (outer_ != nullptr)
      node.refuse_unsupported("a loop inside of a graph's graph", "a word has one axis of time");
    const Integers count = node.integers(0);
    if (count.entries.size() != 1 || !count.entries.front().input_axis) {
      node.refuse_input(0, "as many steps as the word is long");
    }
    if (node.has_input(1) && !is_true(node.input(1))) {
      node.refuse_input(1, "a loop that ends with the word");
    }
    const std::size_t states = node.input_count() < 2 ? 0 : node.input_count() - 2;
    if (static_cast<std::size_t>(body.input_size()) != states + 2 ||
        static_cast<std::size_t>(body.output_size()) < states + 1) {
      node.refuse(
          fmt::format("expected a body with {} inputs, found {}", states + 2, body.input_size()));
    }
    const std::size_t scope = ++context_.scopes;
    const std::size_t first = context_.states.size();
    Evaluation inner(body, context_, this);
    const Integer& length = count.entries.front();
    inner.preset(body.input(0).name(), LoopIndex{scope, length, true});
    inner.preset(body.input(1).name(), Numbers::filled({}, 1));
    for (std::size_t i = 0; i < states; ++i) {
      inner.preset(body.input(static_cast<int>(i + 2)).name(), carried(node, i + 2, scope));
    }
    if (!is_true(*inner.evaluate(body.output(0).name()))) {
      node.refuse("body output " + quoted(body.output(0).name()) +
                  ": expected a loop that ends with the word, found a condition");
    }
    return loop_outputs(node, inner, body, 1, first, states, scope, length);
  }

  /// Scan over the steps of the word.
  Outputs scan(const NodeProto& proto, const Node& node) {
    const GraphProto& body = body_of(proto, node);
    if (outer_ != nullptr)
      node.refuse_unsupported("a loop inside of a graph's graph", "a word has one axis of time");
    if (context_.opset < 9)
      node.refuse("expected Scan of operator set 9 or later, found an older one");
    const std::int64_t scanned = node.integer("num_scan_inputs", 0);
    const auto inputs = static_cast<std::int64_t>(node.input_count());
    if (scanned < 1 || scanned > inputs || body.input_size() != inputs ||
        body.output_size() < inputs - scanned) {
      node.refuse(fmt::format(
          "expected a body with one input for each state and each sequence, found {} inputs",
          body.input_size()));
    }
    for (const char* directions : {"scan_input_directions", "scan_output_directions"}) {
      for (const std::int64_t direction :
           node.integer_list(directions).value_or(std::vector<std::int64_t>{})) {
        if (direction != 0) {
          node.refuse_unsupported("a scan from the end of the word",
                                  "its state after a word needs symbols that come later");
        }
      }
    }
    const auto states = static_cast<std::size_t>(inputs - scanned);
    const auto axes = node.integer_list("scan_input_axes");
    const std::size_t scope = ++context_.scopes;
    const std::size_t first = context_.states.size();
    Evaluation inner(body, context_, this);
    for (std::size_t i = 0; i < states; ++i) {
      inner.preset(body.input(static_cast<int>(i)).name(), carried(node, i, scope));
    }
    Integer length;
    for (std::size_t slot = states; slot < node.input_count(); ++slot) {
      const auto* sequence = node.input_as<Signal>(slot);
      if (sequence == nullptr || sequence->scope != 0)
        node.refuse_input(slot, "the word's symbols or a part of the network");
      Signal element = *sequence;
      const std::size_t given = slot - states;
      const std::size_t axis =
          node.axis(axes && given < axes->size() ? (*axes)[given] : 0, element.axes.size());
      const Axis steps = element.axes[axis];
      if ((steps.role != Role::Time && steps.role != Role::Input) ||
          (slot > states && steps.length.input_axis != length.input_axis)) {
        node.refuse_input(slot, fmt::format("the steps of the word on axis {}", axis));
      }
      length = steps.length;
      element.axes.erase(element.axes.begin() + static_cast<std::ptrdiff_t>(axis));
      element.scope = scope;
      inner.preset(body.input(static_cast<int>(slot)).name(), std::move(element));
    }
    return loop_outputs(node, inner, body, 0, first, states, scope, length);
  }

  /// Gives an input of a body its value.
  template <class Kind>
  void preset(const std::string& name, Kind value) {
    leaves_.emplace(name, std::make_shared<const Value>(std::move(value)));
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
      context_.refuse(fmt::format("{}: expected at most {} outputs to be used, found output {}",
                                  node_label(graph_.node(producer.node), index(producer.node)),
                                  outputs.size(), producer.slot + 1));
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
      value = std::make_shared<const Value>(graph_input(input->second));
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

  /// The first input that is not stored in the file is the word. Others are a state that the caller
  /// carries (real numbers) or the length of the word (integers).
  Value graph_input(int position) {
    const ValueInfoProto& info = graph_.input(position);
    const std::string what = "graph input " + quoted(info.name());
    if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) {
      context_.refuse(what + ": expected a tensor with a shape, found none");
    }
    const auto& shape = info.type().tensor_type().shape();
    if (index(shape.dim_size()) > kMostAxes) {
      context_.refuse(
          fmt::format("{}: expected at most {} axes, found {}", what, kMostAxes, shape.dim_size()));
    }
    int first = 0;
    while (first < position && initializers_.contains(graph_.input(first).name())) ++first;
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
    if (position == first) return signal;
    using ::onnx::TensorProto;
    const int type = info.type().tensor_type().elem_type();
    if (type == TensorProto::INT64 || type == TensorProto::INT32) {
      if (signal.axes.size() > 1) {
        context_.refuse(fmt::format("{}: expected the length of each word, found {} axes", what,
                                    signal.axes.size()));
      }
      return Integers{.scalar = signal.axes.empty(),
                      .entries = {{.value = {}, .input_axis = kWordLength}}};
    }
    return carried_by_caller(std::move(signal), what);
  }

  Signal carried_by_caller(Signal signal, const std::string& what) {
    if (signal.axes.empty() || !signal.axes.back().length.value) {
      context_.refuse(what + ": expected a state of a known size, found a free one");
    }
    for (Axis& axis : signal.axes) axis.role = axis.length.is(1) ? Role::Unit : Role::Batch;
    signal.axes.back().role = Role::Feature;
    signal.stage = Stage::Dense;
    signal.link = context_.links.size();
    const auto size = static_cast<std::size_t>(*signal.axes.back().length.value);
    if (!context_.meter.spend(size)) {
      context_.refuse(fmt::format(
          "{}: expected a state in proportion to the file, found one of {} numbers", what, size));
    }
    context_.links.push_back({StatePart{context_.states.size()}, {}});
    context_.states.push_back({.name = signal.name, .size = size, .next = {}, .is_input = true});
    context_.assumed.push_back("the state " + quoted(signal.name) +
                               ", an input of the graph, is zero at the start of a word");
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
  Evaluation evaluation(graph, context);
  const ValuePtr value = evaluation.evaluate(name);
  const auto* steps = std::get_if<Stack>(value.get());
  const auto* signal = steps != nullptr ? &steps->parts.back() : std::get_if<Signal>(value.get());
  if (signal == nullptr || (signal->stage != Stage::Dense && signal->stage != Stage::Scores)) {
    context.refuse("graph output " + quoted(name) + ": expected the scores of the network, found " +
                   describe(*value));
  }
  if (steps != nullptr || std::any_of(signal->axes.begin(), signal->axes.end(),
                                      [](const Axis& a) { return a.role == Role::Time; })) {
    context.assumed.emplace_back(
        "of the scores after every symbol, the last are those of the word");
  }
  // What the caller carries from step to step: the outputs behind the scores, in the same order.
  int output = 0;
  for (std::size_t i = 0; i < context.states.size(); ++i) {
    if (!context.states[i].is_input || context.states[i].is_part) continue;
    if (++output >= graph.output_size()) break;
    const ValuePtr next = evaluation.evaluate(graph.output(output).name());
    const auto* state = std::get_if<Signal>(next.get());
    if (state != nullptr && state->link) context.states[i].next = state->link;
  }
  return *signal;
}

}  // namespace rnnalf::onnx_impl
