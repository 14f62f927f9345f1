#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rnnalf::test {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": expected a file, found none");
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// A graph written node by node, for what exporters do not write. The methods that change something
/// take it by name, so that a test says what it breaks.
class ModelBuilder {
 public:
  ModelBuilder() {
    model.set_ir_version(7);
    auto* import = model.add_opset_import();
    import->set_version(14);
  }

  onnx::ModelProto model;

  onnx::GraphProto& graph() { return *model.mutable_graph(); }

  onnx::NodeProto& node(const std::string& op, std::initializer_list<std::string> inputs,
                        std::initializer_list<std::string> outputs) {
    auto* node = graph().add_node();
    node->set_op_type(op);
    node->set_name("the_" + op);
    for (const auto& input : inputs) node->add_input(input);
    for (const auto& output : outputs) node->add_output(output);
    return *node;
  }

  /// The first node of this kind.
  onnx::NodeProto& find(const std::string& op) {
    for (auto& node : *graph().mutable_node()) {
      if (node.op_type() == op) return node;
    }
    throw std::logic_error("no node " + op);
  }

  onnx::TensorProto& tensor(const std::string& name) {
    for (auto& tensor : *graph().mutable_initializer()) {
      if (tensor.name() == name) return tensor;
    }
    throw std::logic_error("no tensor " + name);
  }

  /// A stored float tensor of small numbers that differ from each other.
  onnx::TensorProto& floats(const std::string& name, std::initializer_list<std::int64_t> dims) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
      tensor->add_dims(dim);
      count *= dim;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      tensor->add_float_data(static_cast<float>((i * 37) % 19) / 10.0F - 0.9F);
    }
    return *tensor;
  }

  void integers(const std::string& name, std::initializer_list<std::int64_t> values) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::INT64);
    tensor->add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) tensor->add_int64_data(value);
  }

  /// A graph input; -1 is an axis of free length.
  void input(const std::string& name, std::initializer_list<std::int64_t> dims,
             int type = onnx::TensorProto::FLOAT) {
    auto* info = graph().add_input();
    info->set_name(name);
    auto* tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    for (const std::int64_t dim : dims) {
      auto* added = tensor->mutable_shape()->add_dim();
      if (dim >= 0) {
        added->set_dim_value(dim);
      } else {
        added->set_dim_param("free");
      }
    }
  }

  void output(const std::string& name) { graph().add_output()->set_name(name); }

  void metadata(const std::string& key, const std::string& value) {
    auto* entry = model.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }

  std::string bytes() const { return model.SerializeAsString(); }
};

inline onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& name,
                                       onnx::AttributeProto::AttributeType type) {
  for (auto& known : *node.mutable_attribute()) {
    if (known.name() == name) return known;
  }
  auto* added = node.add_attribute();
  added->set_name(name);
  added->set_type(type);
  return *added;
}

inline void set(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

inline void set(onnx::NodeProto& node, const std::string& name, const std::string& value) {
  attribute(node, name, onnx::AttributeProto::STRING).set_s(value);
}

/// Hidden size 2, 3 symbols, one recurrent node, its last state, a dense layer and a sigmoid: a
/// graph that is read, for tests to break in one place. Gate counts: RNN 1, GRU 3, LSTM 4.
inline ModelBuilder small_network(const std::string& op, std::int64_t gates,
                                  std::int64_t outputs = 1) {
  ModelBuilder builder;
  builder.input("x", {-1, 1, 3});
  builder.floats("W", {1, 2 * gates, 3});
  builder.floats("R", {1, 2 * gates, 2});
  builder.floats("B", {1, 4 * gates});
  builder.integers("axis0", {0});
  builder.floats("V", {2, outputs});
  builder.floats("v", {outputs});
  set(builder.node(op, {"x", "W", "R", "B"}, {"Y", "Y_h"}), "hidden_size", 2);
  builder.node("Squeeze", {"Y_h", "axis0"}, {"last"});
  builder.node("Gemm", {"last", "V", "v"}, {"logit"});
  builder.node(outputs == 1 ? "Sigmoid" : "Softmax", {"logit"}, {"score"});
  builder.output("score");
  return builder;
}

}  // namespace rnnalf::test
