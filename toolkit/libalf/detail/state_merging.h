#pragma once

#include <deque>
#include <utility>
#include <vector>

#include <libalf/prefix_tree.h>

namespace libalf::detail {

/// The states of a prefix tree, merged step by step into those of a deterministic automaton. A
/// class of merged nodes is named after its first node.
template <class answer>
class state_merging {
 public:
  explicit state_merging(const prefix_tree<answer>& tree)
      : edges_(tree.edges), labels_(tree.node_count, unlabelled), first_(tree.node_count) {
    for (unsigned node = 0; node < tree.node_count; ++node) {
      first_[node] = node;
      if (tree.specified[node]) labels_[node] = label_of(tree.output[node]);
    }
  }

  /// The class of a node.
  unsigned find(unsigned node) const {
    while (first_[node] != node) node = first_[node];
    return node;
  }

  /// Merges two classes, and then classes reached from one class by one letter, until the automaton
  /// is deterministic again. False, and nothing changed, if a class would get two answers.
  bool merge(unsigned a, unsigned b) {
    std::vector<std::pair<unsigned, unsigned>> open{{a, b}};
    while (!open.empty()) {
      auto [kept, gone] = open.back();
      open.pop_back();
      kept = find(kept);
      gone = find(gone);
      if (kept == gone) continue;
      if (gone < kept) std::swap(kept, gone);
      if (labels_[kept] != unlabelled && labels_[gone] != unlabelled &&
          labels_[kept] != labels_[gone]) {
        undo();
        return false;
      }
      trail_.push_back({change::merged, gone, kept, labels_[kept]});
      first_[gone] = kept;
      if (labels_[kept] == unlabelled) labels_[kept] = labels_[gone];
      for (unsigned letter = 0; letter < edges_[gone].size(); ++letter) {
        const unsigned below = edges_[gone][letter];
        if (below == prefix_tree<answer>::no_edge) continue;
        if (edges_[kept][letter] != prefix_tree<answer>::no_edge) {
          open.emplace_back(edges_[kept][letter], below);
        } else {
          trail_.push_back({change::new_edge, kept, letter, 0});
          edges_[kept][letter] = below;
        }
      }
    }
    trail_.clear();
    return true;
  }

  /// Where a letter leads from a class; prefix_tree::no_edge if nowhere.
  unsigned target(unsigned of, unsigned letter) const {
    const unsigned below = edges_[of][letter];
    return below == prefix_tree<answer>::no_edge ? below : find(below);
  }

 private:
  static constexpr unsigned unlabelled = ~0u;
  struct change {
    enum { merged, new_edge } what;
    unsigned at;         // merged: the class that is gone; new_edge: the one that got an edge
    unsigned other;      // merged: the class it went into; new_edge: the letter
    unsigned old_label;  // merged: of the class that it went into
  };

  unsigned label_of(const answer& value) {
    for (unsigned label = 0; label < answers_.size(); ++label) {
      if (answers_[label] == value) return label;
    }
    answers_.push_back(value);
    return static_cast<unsigned>(answers_.size() - 1);
  }

  void undo() {
    for (; !trail_.empty(); trail_.pop_back()) {
      const change& last = trail_.back();
      if (last.what == change::merged) {
        first_[last.at] = last.at;
        labels_[last.other] = last.old_label;
      } else {
        edges_[last.at][last.other] = prefix_tree<answer>::no_edge;
      }
    }
  }

  std::vector<std::vector<unsigned>> edges_;  // of classes, from nodes to nodes
  std::vector<unsigned> labels_;
  std::vector<unsigned> first_;  // a node of the same class that comes before, or the node itself
  std::deque<answer> answers_;   // by label; a deque has no special case for bool
  std::vector<change> trail_;    // of the merge under way
};

}  // namespace libalf::detail
