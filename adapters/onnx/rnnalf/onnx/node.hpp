#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/onnx/external_data.hpp"
#include "rnnalf/onnx/network_parts.hpp"
#include "rnnalf/onnx/values.hpp"

namespace onnx {
class AttributeProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace rnnalf::onnx_impl {

/// A loop that the exporter wrote out step by step: the symbols are picked one by one.
struct WrittenOut {
  std::optional<std::size_t> axis{};  ///< the input axis they are picked from; none: no such loop
  Integer length{};
};

/// What all nodes of one file share while it is read.
struct Context {
  std::string file;
  Meter meter;
  ExternalData external;
  std::int64_t opset = 0;
  std::vector<Link> links;
  std::vector<CarriedState> states{};
  std::size_t scopes = 0;  ///< loops seen so far
  WrittenOut written_out{};
  std::vector<std::string> assumed{};  ///< see NetworkSpec::assumed

  [[noreturn]] void refuse(const std::string& message) const;
};

/// The numbers of a tensor stored in the file; `what` names it in messages.
[[nodiscard]] Numbers read_tensor(const ::onnx::TensorProto& tensor, const std::string& what,
                                  Context& context);

/// `node 'GRU_12' (GRU)`, or with its position if it has no name.
[[nodiscard]] std::string node_label(const ::onnx::NodeProto& proto, std::size_t position);

/// A node with its inputs evaluated: what an operator's meaning is computed from. Every accessor
/// refuses what does not fit, naming the node.
class Node {
 public:
  Node(const ::onnx::NodeProto& proto, std::size_t position, std::vector<ValuePtr> inputs,
       Context& shared)
      : context(shared), proto_(proto), position_(position), inputs_(std::move(inputs)) {}

  Context& context;  // outlives the node

  [[noreturn]] void refuse(const std::string& message) const;
  /// "<what> is not supported because <why>"
  [[noreturn]] void refuse_unsupported(const std::string& what, const std::string& why) const;
  /// "input <slot>: expected <what>, found <value>"
  [[noreturn]] void refuse_input(std::size_t slot, const std::string& expected) const;
  void spend(std::size_t numbers) const;

  [[nodiscard]] std::string_view op() const;
  [[nodiscard]] std::size_t input_count() const { return inputs_.size(); }
  [[nodiscard]] std::size_t output_count() const;
  [[nodiscard]] bool has_input(std::size_t slot) const {
    return slot < inputs_.size() && inputs_[slot] != nullptr;
  }
  [[nodiscard]] std::string input_name(std::size_t slot) const;
  /// For messages: cut, as signals carry it along.
  [[nodiscard]] std::string output_name(std::size_t slot) const;

  [[nodiscard]] const ValuePtr& shared_input(std::size_t slot) const;
  [[nodiscard]] const Value& input(std::size_t slot) const { return *shared_input(slot); }
  /// The input as one kind of value, or null.
  template <class Kind>
  [[nodiscard]] const Kind* input_as(std::size_t slot) const {
    return has_input(slot) ? std::get_if<Kind>(inputs_[slot].get()) : nullptr;
  }
  /// A constant; refused unless it is one.
  [[nodiscard]] const Numbers& numbers(std::size_t slot, const std::string& expected) const;
  /// All numbers of a tensor, row by row.
  [[nodiscard]] std::vector<double> entries(const Numbers& numbers) const;
  /// A list of integers: a constant of rank 0 or 1, or lengths.
  [[nodiscard]] Integers integers(std::size_t slot) const;
  [[nodiscard]] std::vector<std::int64_t> known_integers(std::size_t slot) const;

  [[nodiscard]] bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] double number(std::string_view name, double otherwise) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integer_list(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> text_list(std::string_view name) const;
  [[nodiscard]] std::vector<double> number_list(std::string_view name) const;
  [[nodiscard]] std::optional<Numbers> tensor(std::string_view name) const;

  /// Axes as an attribute (older operator sets) or as an input.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> axes(std::size_t slot) const;
  /// An axis counted from the front; refused when `rank` axes do not have it.
  [[nodiscard]] std::size_t axis(std::int64_t axis, std::size_t rank) const;

 private:
  [[nodiscard]] const ::onnx::AttributeProto* find(std::string_view name) const;
  [[nodiscard]] const ::onnx::AttributeProto* find(std::string_view name, int type,
                                                   const char* type_name) const;

  const ::onnx::NodeProto& proto_;  // part of the model, which outlives the node
  std::size_t position_;
  std::vector<ValuePtr> inputs_;  // null where an optional input is absent
};

/// What the outputs of a node are; asked for by position.
using Outputs = std::vector<ValuePtr>;

template <class Kind>
[[nodiscard]] Outputs one_output(Kind value) {
  return {std::make_shared<const Value>(std::move(value))};
}

}  // namespace rnnalf::onnx_impl
