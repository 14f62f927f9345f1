#include "rnnalf/libalf/ttt.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace rnnalf {

bool Ttt::is_block(Id node) const {
  return tree_[node].temporary && tree_[node].state == none && !tree_[tree_[node].parent].temporary;
}

void Ttt::find_blocks() {
  blocks_.clear();
  for (Id n = 1; n < tree_.size(); ++n) {
    if (tree_[n].parent != none && is_block(n)) blocks_.push_back(n);
  }
  blocks_known_ = true;
}

void Ttt::leaf_was_split(Id inner) {
  if (blocks_known_ && is_block(inner)) blocks_.push_back(inner);
}

/// The block's nodes, parents first.
std::vector<DiscriminationTreeLearner::Id> Ttt::nodes_below(Id block) const {
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
bool Ttt::find_splitter(const std::vector<Id>& block_nodes, std::list<int>& splitter) const {
  bool found = false;
  for (int letter = 0; letter < alphabet_size; ++letter) {
    Id common = none;
    for (const Id node : block_nodes) {
      if (tree_[node].state == none) continue;
      const Id leaf = leaf_of(target(tree_[node].state, letter));
      common = common == none ? leaf : lowest_common_ancestor(common, leaf);
    }
    if (tree_[common].state != none || tree_[common].temporary) continue;
    if (found && tree_[common].suffix.size() + 1 >= splitter.size()) continue;
    splitter = tree_[common].suffix;
    splitter.push_front(letter);
    found = true;
  }
  return found;
}

DiscriminationTreeLearner::Step Ttt::tidy() {
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
        if (is_block(child)) blocks_.push_back(child);
      }
    }
    return step;
  }
  return Step::Nothing;
}

/// The splitter takes the block's place; below it, for each answer, what remains of the block when
/// only the states with that answer are kept: temporary nodes with one child left disappear.
DiscriminationTreeLearner::Step Ttt::split_block(Id block, const std::vector<Id>& block_nodes,
                                                 std::list<int> splitter) {
  std::vector<std::pair<Id, bool>> answers;  // leaf, answer to the splitter
  bool pending = false;
  for (const Id node : block_nodes) {
    if (tree_[node].state == none) continue;
    // Known as a rule: the successor's sifting asked the same word.
    const Answer answer = ask(state_node(tree_[node].state), splitter);
    pending = pending || answer == Answer::Pending;
    answers.emplace_back(node, answer == Answer::Yes);
  }
  if (pending) return Step::QueriesPending;
  const auto yes_count =
      std::count_if(answers.begin(), answers.end(), [](auto a) { return a.second; });
  if (yes_count == 0 || yes_count == std::ssize(answers))
    return Step::Nothing;  // answers were altered

  // kept[n][v]: what remains of the subtree of n for answer v. Children come after their
  // parents in block_nodes, so backwards every child is ready before its parent.
  std::unordered_map<Id, std::array<Id, 2>> kept;
  for (const Id node : block_nodes) kept[node] = {none, none};
  for (const auto& [leaf, answer] : answers) kept[leaf][answer ? 1 : 0] = leaf;
  for (auto n = block_nodes.rbegin(); n != block_nodes.rend(); ++n) {
    const TreeNode node = tree_[*n];
    if (node.state != none) continue;
    for (const std::size_t v : {0U, 1U}) {
      const Id no = kept[node.child[0]][v];
      const Id yes = kept[node.child[1]][v];
      if (no == none || yes == none) {
        kept[*n][v] = no == none ? yes : no;
        continue;
      }
      const Id copy = new_tree_node();
      tree_[copy] = node;
      kept[*n][v] = copy;
      for (const auto& [child, on] : {std::pair(no, false), std::pair(yes, true)}) {
        tree_[copy].child[on ? 1 : 0] = child;
        tree_[child].parent = copy;
        tree_[child].on = on;
      }
    }
  }

  tree_[block].suffix = std::move(splitter);
  tree_[block].temporary = false;
  for (const std::size_t v : {0U, 1U}) {
    const Id child = kept[block][v];
    tree_[block].child[v] = child;
    tree_[child].parent = block;
    tree_[child].on = v == 1;
  }
  for (const Id node : block_nodes) {
    if (node != block && tree_[node].state == none) release_tree_node(node);
  }
  for (const auto& answered : answers) reopen_transitions_to(tree_[answered.first].state, block);
  return Step::Changed;
}

}  // namespace rnnalf
