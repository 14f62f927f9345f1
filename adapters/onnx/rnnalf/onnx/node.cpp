#include "rnnalf/onnx/node.hpp"

#include <fmt/core.h>

#include <onnx/onnx_pb.h>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::onnx_impl {

using ::onnx::AttributeProto;

void Context::refuse(const std::string& message) const {
  throw NetworkFileError(file, message);
}

std::string node_label(const ::onnx::NodeProto& proto, std::size_t position) {
  const std::string name =
      proto.name().empty() ? std::to_string(position + 1) : quoted(proto.name());
  const std::string op = quoted(proto.op_type());
  return "node " + name + " (" + op.substr(1, op.size() - 2) + ")";
}

void Node::refuse(const std::string& message) const {
  context.refuse(node_label(proto_, position_) + ": " + message);
}

void Node::refuse_unsupported(const std::string& what, const std::string& why) const {
  refuse(what + " is not supported because " + why);
}

void Node::refuse_input(std::size_t slot, const std::string& expected) const {
  refuse("input " + quoted(input_name(slot)) + ": expected " + expected + ", found " +
         (has_input(slot) ? describe(*inputs_[slot]) : "none"));
}

void Node::spend(std::size_t numbers) const {
  if (!context.meter.spend(numbers)) {
    refuse("expected a graph in proportion to its file, found one that multiplies its tensors");
  }
}

std::string_view Node::op() const {
  return proto_.op_type();
}

std::size_t Node::output_count() const {
  return static_cast<std::size_t>(proto_.output_size());
}

std::string Node::input_name(std::size_t slot) const {
  const int at = static_cast<int>(slot);
  return at < proto_.input_size() ? proto_.input(at) : std::string();
}

std::string Node::output_name(std::size_t slot) const {
  const int at = static_cast<int>(slot);
  return at < proto_.output_size() ? proto_.output(at).substr(0, kLongestName) : std::string();
}

const ValuePtr& Node::shared_input(std::size_t slot) const {
  if (!has_input(slot)) {
    refuse(fmt::format("expected an input {}, found {} inputs", slot + 1, inputs_.size()));
  }
  return inputs_[slot];
}

const Numbers& Node::numbers(std::size_t slot, const std::string& expected) const {
  if (!has_input(slot)) static_cast<void>(shared_input(slot));
  const auto* found = input_as<Numbers>(slot);
  if (found == nullptr) refuse_input(slot, expected);
  return *found;
}

std::vector<double> Node::entries(const Numbers& numbers) const {
  const auto count = numbers.count();
  if (!count)
    refuse("expected a tensor of known size, found one of shape " + shape_text(numbers.dims));
  auto values = numbers.entries(context.meter);
  if (!values) spend(*count);
  return *std::move(values);
}

Integers Node::integers(std::size_t slot) const {
  if (const auto* lengths = input_as<Integers>(slot)) {
    spend(lengths->entries.size());
    return *lengths;
  }
  const Numbers& constant = numbers(slot, "a constant or the length of an axis");
  if (constant.rank() > 1) refuse_input(slot, "integers in a row");
  Integers result{.scalar = constant.rank() == 0, .entries = {}};
  for (const double number : entries(constant)) {
    const auto integer = to_integer(number);
    if (!integer) refuse_input(slot, "integers");
    result.entries.push_back(known(*integer));
  }
  return result;
}

std::vector<std::int64_t> Node::known_integers(std::size_t slot) const {
  std::vector<std::int64_t> result;
  for (const Integer& integer : integers(slot).entries) {
    if (!integer.value) refuse_input(slot, "known integers");
    result.push_back(*integer.value);
  }
  return result;
}

const AttributeProto* Node::find(std::string_view name) const {
  for (const AttributeProto& attribute : proto_.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

const AttributeProto* Node::find(std::string_view name, int type, const char* type_name) const {
  const AttributeProto* attribute = find(name);
  if (attribute != nullptr && attribute->type() != type) {
    refuse(fmt::format("attribute '{}': expected {}, found type {}", name, type_name,
                       attribute->type()));
  }
  return attribute;
}

std::int64_t Node::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* attribute = find(name, AttributeProto::INT, "an integer");
  return attribute != nullptr ? attribute->i() : otherwise;
}

double Node::number(std::string_view name, double otherwise) const {
  const auto* attribute = find(name, AttributeProto::FLOAT, "a number");
  return attribute != nullptr ? static_cast<double>(attribute->f()) : otherwise;
}

std::string Node::text(std::string_view name, std::string_view otherwise) const {
  const auto* attribute = find(name, AttributeProto::STRING, "a string");
  return attribute != nullptr ? attribute->s() : std::string(otherwise);
}

std::optional<std::vector<std::int64_t>> Node::integer_list(std::string_view name) const {
  const auto* attribute = find(name, AttributeProto::INTS, "integers");
  if (attribute == nullptr) return std::nullopt;
  spend(static_cast<std::size_t>(attribute->ints_size()));
  return std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end());
}

std::vector<std::string> Node::text_list(std::string_view name) const {
  const auto* attribute = find(name, AttributeProto::STRINGS, "strings");
  if (attribute == nullptr) return {};
  return {attribute->strings().begin(), attribute->strings().end()};
}

std::vector<double> Node::number_list(std::string_view name) const {
  const auto* attribute = find(name, AttributeProto::FLOATS, "numbers");
  if (attribute == nullptr) return {};
  spend(static_cast<std::size_t>(attribute->floats_size()));
  return {attribute->floats().begin(), attribute->floats().end()};
}

std::optional<Numbers> Node::tensor(std::string_view name) const {
  const auto* attribute = find(name, AttributeProto::TENSOR, "a tensor");
  if (attribute == nullptr) return std::nullopt;
  return read_tensor(attribute->t(), node_label(proto_, position_), context);
}

std::optional<std::vector<std::int64_t>> Node::axes(std::size_t slot) const {
  if (auto listed = integer_list("axes")) return listed;
  if (has_input(slot)) return known_integers(slot);
  return std::nullopt;
}

std::size_t Node::axis(std::int64_t axis, std::size_t rank) const {
  const auto axes = static_cast<std::int64_t>(rank);
  if (axis < -axes || axis >= axes) {
    refuse(fmt::format("expected an axis from {} to {}, found {}", -axes, axes - 1, axis));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

}  // namespace rnnalf::onnx_impl
