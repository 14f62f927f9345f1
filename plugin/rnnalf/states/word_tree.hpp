#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A word of a WordTree. Valid as long as the tree.
enum class Node : std::uint32_t {};

/// Words as a tree of their prefixes, numbered in the order in which they were added.
///
/// A node takes 17 bytes and finds a child in constant time, however many symbols there are. One
/// caller at a time.
class WordTree {
 public:
  WordTree();

  [[nodiscard]] static constexpr Node root() { return Node{0}; }  ///< the empty word
  [[nodiscard]] std::size_t size() const { return edge_.size(); }
  [[nodiscard]] Node parent(Node node) const { return edge_[index(node)].parent; }
  [[nodiscard]] Symbol label(Node node) const { return edge_[index(node)].label; }
  [[nodiscard]] std::size_t length(Node node) const { return length_[index(node)]; }
  [[nodiscard]] Word word(Node node) const;

  /// The node of from's word and one symbol more, if it was added.
  [[nodiscard]] std::optional<Node> find(Node from, Symbol symbol) const;
  /// The node of from's word and the suffix, added with all prefixes that are new.
  Node add(Node from, WordView suffix);

  enum class Children : std::uint8_t { None, Some, All };
  [[nodiscard]] Children children(Node node) const;
  /// Adds the successors of a node that has none, with symbols 0 .. symbols-1. They get consecutive
  /// numbers; the first is returned. From then on the node has `All` children.
  Node add_all(Node parent, std::size_t symbols);

  /// By length, nodes of one length in the order given; in time linear in nodes and lengths.
  void sort_by_length(std::vector<Node>& nodes) const;

 private:
  /// How a node's children are found.
  enum class Lookup : std::uint8_t {
    None,
    One,     ///< child_ is the only one
    Hashed,  ///< in the table
    All      ///< child_ + symbol
  };
  struct Edge {
    Node parent;
    Symbol label;
  };

  Node add_node(Node parent, Symbol symbol);
  [[nodiscard]] std::uint32_t hashed_child(Node parent, Symbol symbol) const;
  void hash_child(Node child);
  void insert(std::uint32_t number);

  // One entry per node.
  std::vector<Edge> edge_;  // into the node
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> child_;
  std::vector<Lookup> lookup_;

  std::vector<std::uint32_t> table_;  // open addressing, power of two
  std::size_t hashed_ = 0;
};

}  // namespace rnnalf
