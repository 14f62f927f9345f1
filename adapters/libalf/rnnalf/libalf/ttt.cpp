#include "rnnalf/libalf/ttt.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace rnnalf {

template <class answer>
bool TttLearner<answer>::is_block(Id node) const {
  return tree_[node].temporary && tree_[node].state == none && !tree_[tree_[node].parent].temporary;
}

template <class answer>
void TttLearner<answer>::find_blocks() {
  blocks_.clear();
  for (Id n = 1; n < tree_.size(); ++n) {
    if (tree_[n].parent != none && is_block(n)) blocks_.push_back(n);
  }
  blocks_known_ = true;
}

template <class answer>
void TttLearner<answer>::leaf_was_split(Id inner) {
  if (blocks_known_ && is_block(inner)) blocks_.push_back(inner);
}

/// The block's nodes, parents first.
template <class answer>
auto TttLearner<answer>::nodes_below(Id block) const -> std::vector<Id> {
  std::vector<Id> nodes{block};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Id child : tree_[nodes[i]].child) {
      if (child != none) nodes.push_back(child);
    }
  }
  return nodes;
}

/// The shortest "letter d" where d is the final suffix below which all successors by that letter
/// lie, on both sides of it.
template <class answer>
bool TttLearner<answer>::find_splitter(const std::vector<Id>& block_nodes,
                                       std::list<int>& splitter) const {
  bool found = false;
  for (int letter = 0; letter < alphabet_size; ++letter) {
    Id common = none;
    for (const Id node : block_nodes) {
      if (tree_[node].state == none) continue;
      const Id leaf = this->leaf_of(this->target(tree_[node].state, letter));
      common = common == none ? leaf : this->lowest_common_ancestor(common, leaf);
    }
    if (tree_[common].state != none || tree_[common].temporary) continue;
    if (found && tree_[common].suffix.size() + 1 >= splitter.size()) continue;
    splitter = tree_[common].suffix;
    splitter.push_front(letter);
    found = true;
  }
  return found;
}

template <class answer>
auto TttLearner<answer>::tidy() -> Step {
  if (!blocks_known_) find_blocks();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Id block = blocks_[b];
    const std::vector<Id> nodes = nodes_below(block);
    std::list<int> splitter;
    if (!find_splitter(nodes, splitter)) continue;
    const Step step = split_block(block, nodes, std::move(splitter));
    if (step == Step::Nothing) continue;
    if (step == Step::Changed) {
      blocks_[b] = blocks_.back();
      blocks_.pop_back();
      for (const Id child : tree_[block].child) {
        if (child != none && is_block(child)) blocks_.push_back(child);
      }
    }
    return step;
  }
  return Step::Nothing;
}

/// The splitter takes the block's place; below it, for each answer, what remains of the block when
/// only the states with that answer are kept: temporary nodes with one child left disappear.
template <class answer>
auto TttLearner<answer>::split_block(Id block, const std::vector<Id>& block_nodes,
                                     std::list<int> splitter) -> Step {
  std::vector<std::pair<Id, Answer>> answers;  // leaf, answer to the splitter
  bool waiting = false;
  for (const Id node : block_nodes) {
    if (tree_[node].state == none) continue;
    // Known as a rule: the successor's sifting asked the same word.
    const Answer said = this->ask(this->state_node(tree_[node].state), splitter);
    waiting = waiting || said == Tree::pending;
    answers.emplace_back(node, said);
  }
  if (waiting) return Step::QueriesPending;
  std::set<Answer> given;
  for (const auto& answered : answers) given.insert(answered.second);
  if (given.size() < 2) return Step::Nothing;  // answers were altered

  // kept[n][v]: what remains of the subtree of n for answer v. Children come after their
  // parents in block_nodes, so backwards every child is ready before its parent.
  std::unordered_map<Id, std::map<Answer, Id>> kept;
  for (const auto& [leaf, said] : answers) kept[leaf][said] = leaf;
  for (auto n = block_nodes.rbegin(); n != block_nodes.rend(); ++n) {
    const TreeNode node = tree_[*n];
    if (node.state != none) continue;
    for (const Answer v : given) {
      std::vector<Id> remaining;
      for (const Id child : node.child) {
        if (child == none) continue;
        const auto part = kept[child].find(v);
        if (part != kept[child].end()) remaining.push_back(part->second);
      }
      if (remaining.empty()) continue;
      if (remaining.size() == 1) {
        kept[*n][v] = remaining.front();
        continue;
      }
      const Id copy = this->new_tree_node();
      tree_[copy] = node;
      tree_[copy].child.clear();
      kept[*n][v] = copy;
      for (const Id child : node.child) {
        if (child == none) continue;
        const auto part = kept[child].find(v);
        if (part == kept[child].end()) continue;
        const Answer on = tree_[child].on;
        tree_[copy].set_child(on, part->second);
        tree_[part->second].parent = copy;
        tree_[part->second].on = on;
      }
    }
  }

  tree_[block].suffix = std::move(splitter);
  tree_[block].temporary = false;
  tree_[block].child.clear();
  for (const Answer v : given) {
    const Id child = kept[block].at(v);
    tree_[block].set_child(v, child);
    tree_[child].parent = block;
    tree_[child].on = v;
  }
  for (const Id node : block_nodes) {
    if (node != block && tree_[node].state == none) this->release_tree_node(node);
  }
  for (const auto& answered : answers) {
    this->reopen_transitions_to(tree_[answered.first].state, block);
  }
  return Step::Changed;
}

template class TttLearner<bool>;
template class TttLearner<int>;

}  // namespace rnnalf
