// Changes an ONNX model as a model: other operators, wiring, attributes, shapes. Changed bytes
// alone rarely leave a model that is read further than its first broken field.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::array kOperators = {"Constant",   "ConstantOfShape",
                                   "Shape",      "Expand",
                                   "Tile",       "Add",
                                   "Sub",        "Mul",
                                   "Equal",      "Where",
                                   "If",         "Identity",
                                   "Dropout",    "Cast",
                                   "Squeeze",    "Unsqueeze",
                                   "Transpose",  "Reshape",
                                   "Flatten",    "Gather",
                                   "Slice",      "Concat",
                                   "OneHot",     "RNN",
                                   "GRU",        "LSTM",
                                   "Gemm",       "MatMul",
                                   "Relu",       "Tanh",
                                   "Sigmoid",    "Softmax",
                                   "LogSoftmax", "Unknown"};
constexpr std::array kIntegers = {"axis",  "layout", "hidden_size", "linear_before_reset",
                                  "to",    "transA", "transB",      "allowzero",
                                  "start", "end",    "value_int",   "input_forget"};
constexpr std::array kLists = {"axes", "perm", "starts", "ends", "shape", "value_ints"};
constexpr std::array<std::int64_t, 14> kValues = {
    -1, 0, 1, 2, 3, 4, 5, 7, -2, -3, 12, 1 << 20, std::int64_t{1} << 62, INT64_MAX};

class Mutator {
 public:
  Mutator(onnx::ModelProto& model, unsigned seed)
      : graph_(*model.mutable_graph()), model_(model), engine_(seed) {}

  void mutate() {
    collect_names();
    if (graph_.node_size() == 0) return;
    switch (below(13)) {
      case 0:
        node().set_op_type(pick(kOperators));
        break;
      case 1:
        rewire();
        break;
      case 2:
        node().add_input(name());
        break;
      case 3:
        integer_attribute();
        break;
      case 4:
        list_attribute();
        break;
      case 5:
        insert_node();
        break;
      case 6:
        change_dims();
        break;
      case 7:
        change_integers();
        break;
      case 8:
        change_input_shape();
        break;
      case 9:
        model_.mutable_opset_import(0)->set_version(static_cast<std::int64_t>(below(19)));
        break;
      case 10:
        other_activations();
        break;
      case 11:
        move_out();
        break;
      default:
        remove_something();
        break;
    }
  }

 private:
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  template <class List>
  typename List::value_type pick(const List& list) {
    return list[below(list.size())];
  }
  int index(int size) { return static_cast<int>(below(static_cast<std::size_t>(size))); }

  void collect_names() {
    names_ = {""};
    for (const auto& tensor : graph_.initializer()) names_.push_back(tensor.name());
    for (const auto& input : graph_.input()) names_.push_back(input.name());
    for (const auto& node : graph_.node()) {
      for (const auto& output : node.output()) names_.push_back(output);
    }
  }

  std::string name() { return pick(names_); }
  onnx::NodeProto& node() { return *graph_.mutable_node(index(graph_.node_size())); }

  void rewire() {
    auto& changed = node();
    if (changed.input_size() > 0) changed.set_input(index(changed.input_size()), name());
  }

  onnx::AttributeProto& attribute(onnx::NodeProto& owner, const std::string& called) {
    for (auto& known : *owner.mutable_attribute()) {
      if (known.name() == called) return known;
    }
    auto* added = owner.add_attribute();
    added->set_name(called);
    return *added;
  }

  void integer_attribute() {
    auto& changed = attribute(node(), pick(kIntegers));
    changed.set_type(onnx::AttributeProto::INT);
    changed.set_i(pick(kValues));
  }

  void list_attribute() {
    auto& changed = attribute(node(), pick(kLists));
    changed.set_type(onnx::AttributeProto::INTS);
    if (below(3) == 0) changed.clear_ints();
    for (std::size_t i = below(4); i > 0; --i) changed.add_ints(pick(kValues));
  }

  /// Activations of a recurrent node, some of them unknown.
  void other_activations() {
    constexpr std::array known = {"Relu", "Tanh",      "Sigmoid",    "HardSigmoid", "Affine",
                                  "Elu",  "LeakyRelu", "ScaledTanh", "Softsign",    "Softplus"};
    auto& owner = node();
    auto& names = attribute(owner, "activations");
    names.set_type(onnx::AttributeProto::STRINGS);
    names.clear_strings();
    for (std::size_t i = below(4); i > 0; --i) names.add_strings(pick(known));
    for (const char* called : {"activation_alpha", "activation_beta"}) {
      if (below(2) == 0) continue;
      auto& numbers = attribute(owner, called);
      numbers.set_type(onnx::AttributeProto::FLOATS);
      numbers.add_floats(static_cast<float>(pick(kValues)) / 8);
    }
  }

  /// Says of a tensor that its numbers lie in another file.
  void move_out() {
    if (graph_.initializer_size() == 0) return;
    auto& tensor = *graph_.mutable_initializer(index(graph_.initializer_size()));
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const std::array names = {"data", "data", "data", "../data", "/data", ".", "none"};
    const auto say = [&](const char* key, const std::string& value) {
      auto* entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    say("location", pick(names));
    if (below(2) == 0) say("offset", std::to_string(pick(kValues)));
    std::int64_t count = 1;
    for (const std::int64_t dim : tensor.dims()) count = count * (dim % 1000);
    if (below(2) == 0) say("length", std::to_string(below(2) == 0 ? 4 * count : pick(kValues)));
  }

  void insert_node() {
    auto& consumer = node();
    if (consumer.input_size() == 0) return;
    const int slot = index(consumer.input_size());
    const std::string made = "made" + std::to_string(graph_.node_size());
    auto* added = graph_.add_node();
    added->set_op_type(pick(kOperators));
    added->add_input(consumer.input(slot));
    for (std::size_t i = below(3); i > 0; --i) added->add_input(name());
    added->add_output(made);
    consumer.set_input(slot, made);  // still there: protobuf does not move messages when adding one
  }

  void change_dims() {
    if (graph_.initializer_size() == 0) return;
    auto& tensor = *graph_.mutable_initializer(index(graph_.initializer_size()));
    if (tensor.dims_size() > 0 && below(3) > 0) {
      const int axis = index(tensor.dims_size());
      const int other = index(tensor.dims_size());
      tensor.mutable_dims()->SwapElements(axis, other);
      if (below(2) == 0) tensor.set_dims(axis, pick(kValues));
    } else {
      tensor.add_dims(below(2) == 0 ? 1 : pick(kValues));
    }
  }

  void change_integers() {
    for (int tries = 0; tries < 8; ++tries) {
      onnx::TensorProto* tensor = nullptr;
      auto& owner = node();
      if (owner.op_type() == "Constant" && owner.attribute_size() > 0) {
        tensor = owner.mutable_attribute(0)->mutable_t();
      } else if (graph_.initializer_size() > 0) {
        tensor = graph_.mutable_initializer(index(graph_.initializer_size()));
      }
      if (tensor == nullptr || tensor->data_type() != onnx::TensorProto::INT64) continue;
      if (tensor->int64_data_size() > 0) {
        tensor->set_int64_data(index(tensor->int64_data_size()), pick(kValues));
      } else if (tensor->raw_data().size() >= 8) {
        const std::int64_t value = pick(kValues);
        tensor->mutable_raw_data()->replace(8 * below(tensor->raw_data().size() / 8), 8,
                                            reinterpret_cast<const char*>(&value), 8);
      }
      return;
    }
  }

  void change_input_shape() {
    if (graph_.input_size() == 0) return;
    auto& shape = *graph_.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    if (shape.dim_size() > 0 && below(2) == 0) {
      shape.mutable_dim(index(shape.dim_size()))->set_dim_value(pick(kValues));
    } else if (shape.dim_size() > 0 && below(2) == 0) {
      shape.mutable_dim()->RemoveLast();
    } else {
      shape.add_dim();
    }
  }

  void remove_something() {
    auto& changed = node();
    if (changed.attribute_size() > 0)
      changed.mutable_attribute()->RemoveLast();
    else if (changed.input_size() > 1)
      changed.mutable_input()->RemoveLast();
  }

  onnx::GraphProto& graph_;
  onnx::ModelProto& model_;
  std::minstd_rand engine_;
  std::vector<std::string> names_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  onnx::ModelProto model;
  const bool parsed = model.ParseFromArray(data, static_cast<int>(size));
  if (!parsed || model.opset_import_size() == 0 || seed % 8 == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  Mutator mutator(model, seed);
  for (unsigned changes = seed % 3 + 1; changes > 0; --changes) mutator.mutate();
  const std::string bytes = model.SerializeAsString();
  if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
