#include "rnnalf/states/word_tree.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

Node node_at(std::size_t number) {
  return static_cast<Node>(number);
}

std::uint32_t number(Node node) {
  return static_cast<std::uint32_t>(node);
}

std::uint64_t child_hash(Node parent, Symbol symbol) {
  std::uint64_t key = (static_cast<std::uint64_t>(index(parent)) << 32U) | index(symbol);
  key *= 0x9e3779b97f4a7c15U;
  key ^= key >> 29U;
  key *= 0xbf58476d1ce4e5b9U;
  return key ^ (key >> 32U);
}

}  // namespace

WordTree::WordTree() : table_(1024, kNone) {
  edge_.push_back({root(), Symbol{0}});
  length_.push_back(0);
  child_.push_back(kNone);
  lookup_.push_back(Lookup::None);
}

Word WordTree::word(Node node) const {
  Word word(length(node));
  for (std::size_t i = word.size(); i-- > 0; node = parent(node)) word[i] = label(node);
  return word;
}

std::optional<Node> WordTree::find(Node from, Symbol symbol) const {
  const std::uint32_t child = child_[index(from)];
  switch (lookup_[index(from)]) {
    case Lookup::None:
      return std::nullopt;
    case Lookup::One:
      if (edge_[child].label == symbol) return node_at(child);
      return std::nullopt;
    case Lookup::Hashed: {
      const std::uint32_t found = hashed_child(from, symbol);
      if (found == kNone) return std::nullopt;
      return node_at(found);
    }
    case Lookup::All:
      return node_at(child + index(symbol));
  }
  return std::nullopt;
}

Node WordTree::add(Node from, WordView suffix) {
  for (const Symbol symbol : suffix) {
    if (const auto child = find(from, symbol)) {
      from = *child;
      continue;
    }
    const Node child = add_node(from, symbol);
    Lookup& lookup = lookup_[index(from)];
    if (lookup == Lookup::None) {
      lookup = Lookup::One;
      child_[index(from)] = number(child);
    } else {
      if (lookup == Lookup::One) hash_child(node_at(child_[index(from)]));
      lookup = Lookup::Hashed;
      hash_child(child);
    }
    from = child;
  }
  return from;
}

WordTree::Children WordTree::children(Node node) const {
  switch (lookup_[index(node)]) {
    case Lookup::None:
      return Children::None;
    case Lookup::All:
      return Children::All;
    case Lookup::One:
    case Lookup::Hashed:
      break;
  }
  return Children::Some;
}

Node WordTree::add_all(Node parent, std::size_t symbols) {
  RNNALF_CHECK(children(parent) == Children::None, "the node has successors already");
  const Node first = node_at(size());
  lookup_[index(parent)] = Lookup::All;
  child_[index(parent)] = number(first);
  for (std::size_t a = 0; a < symbols; ++a) add_node(parent, static_cast<Symbol>(a));
  return first;
}

void WordTree::sort_by_length(std::vector<Node>& nodes) const {
  if (nodes.empty()) return;
  const auto [least, most] = std::minmax_element(
      nodes.begin(), nodes.end(), [&](Node a, Node b) { return length(a) < length(b); });
  const std::size_t base = length(*least);
  std::vector<std::size_t> start(length(*most) - base + 2, 0);
  for (const Node node : nodes) ++start[length(node) - base + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<Node> sorted(nodes.size());
  for (const Node node : nodes) sorted[start[length(node) - base]++] = node;
  nodes.swap(sorted);
}

Node WordTree::add_node(Node parent, Symbol symbol) {
  RNNALF_CHECK(size() < kNone - 1, "too many words for one tree");
  const Node node = node_at(size());
  edge_.push_back({parent, symbol});
  length_.push_back(length_[index(parent)] + 1);
  child_.push_back(kNone);
  lookup_.push_back(Lookup::None);
  return node;
}

std::uint32_t WordTree::hashed_child(Node parent, Symbol symbol) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = child_hash(parent, symbol) & mask;; at = (at + 1) & mask) {
    const std::uint32_t child = table_[at];
    if (child == kNone) return kNone;
    if (edge_[child].parent == parent && edge_[child].label == symbol) return child;
  }
}

void WordTree::hash_child(Node child) {
  if (2 * (hashed_ + 1) > table_.size()) {
    const std::vector<std::uint32_t> old =
        std::exchange(table_, std::vector<std::uint32_t>(2 * table_.size(), kNone));
    for (const std::uint32_t entry : old) {
      if (entry != kNone) insert(entry);
    }
  }
  insert(number(child));
  ++hashed_;
}

void WordTree::insert(std::uint32_t number) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = child_hash(edge_[number].parent, edge_[number].label) & mask;
  while (table_[at] != kNone) at = (at + 1) & mask;
  table_[at] = number;
}

}  // namespace rnnalf
