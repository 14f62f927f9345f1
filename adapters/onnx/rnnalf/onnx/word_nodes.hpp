#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rnnalf/network/word_graph.hpp"
#include "rnnalf/onnx/node.hpp"

namespace onnx {
class GraphProto;
}

namespace rnnalf::onnx_impl {

/// Symbols of which a square table is made.
inline constexpr std::size_t kMostOneHot = 2048;

/// A word graph that is being made from the nodes of a file.
class WordNodes {
 public:
  /// Both outlive it.
  WordNodes(const ::onnx::GraphProto& graph, Context& context);

  /// What a recurrent node takes for granted of one of its inputs.
  enum class Expected : std::uint8_t { Zero, Length };

  WordGraph words{};
  std::vector<std::pair<std::size_t, Expected>> expected{};

  /// Null if there is no such constant.
  [[nodiscard]] const ::onnx::TensorProto* initializer(const std::string& name) const;
  /// The node of a tensor by name; constants are read when they are used.
  [[nodiscard]] std::size_t node_of(const std::string& name);
  /// Names a node; refused where the name is taken.
  void define(const std::string& name, std::size_t node);

  std::size_t add(WordNode node) { return words.add(std::move(node)); }
  std::size_t binary(WordOperation op, std::size_t a, std::size_t b) {
    return add({.operation = op, .inputs = {a, b}});
  }
  std::size_t constant(const ::onnx::TensorProto& tensor, const std::string& what);
  std::size_t integers(const std::vector<std::int64_t>& list);
  std::size_t number(double value, bool whole = false);
  std::size_t one_hot(std::size_t word, std::size_t symbols);

 private:
  Context& context_;
  std::unordered_map<std::string, const ::onnx::TensorProto*> initializers_;
  std::unordered_map<std::string, std::size_t> nodes_;
};

/// Adds what a node of the file computes. Its inputs were added before.
void translate(const ::onnx::NodeProto& proto, const Node& node, WordNodes& nodes);

}  // namespace rnnalf::onnx_impl
