#pragma once

#include <list>
#include <vector>

#include "rnnalf/libalf/discrimination_tree_learner.hpp"

namespace rnnalf {

/// TTT (Isberner, Howar, Steffen: The TTT algorithm, 2014): suffixes of counterexamples, which may
/// be long, stay in the tree for a while only.
///
/// A suffix from a counterexample is temporary. The subtree below the uppermost temporary suffix is
/// a *block*: states not yet told apart by final suffixes. Where a letter leads the states of a
/// block to different sides of a final suffix d, the final suffix "letter d" splits the block. In
/// the end every suffix is one letter and another suffix of the tree: as short as can be, whatever
/// the counterexamples.
template <class answer>
class TttLearner final : public DiscriminationTreeLearner<answer> {
 public:
  using Tree = DiscriminationTreeLearner<answer>;

  TttLearner(libalf::knowledgebase<answer>* base, libalf::logger* log, int size)
      : Tree(base, log, size, 1002) {}

  const char* get_name() override { return "ttt"; }

 protected:
  using Tree::alphabet_size;
  using Tree::none;
  using Tree::tree_;
  using typename Tree::Answer;
  using typename Tree::Id;
  using typename Tree::Step;
  using typename Tree::TreeNode;

  Step tidy() override;
  bool suffixes_are_temporary() const override { return true; }
  void forget_tree() override { blocks_known_ = false; }
  void leaf_was_split(Id inner) override;

 private:
  void find_blocks();
  bool is_block(Id node) const;
  std::vector<Id> nodes_below(Id block) const;
  bool find_splitter(const std::vector<Id>& block_nodes, std::list<int>& splitter) const;
  Step split_block(Id block, const std::vector<Id>& block_nodes, std::list<int> splitter);

  std::vector<Id> blocks_;  // uppermost temporary nodes
  bool blocks_known_ = false;
};

extern template class TttLearner<bool>;
extern template class TttLearner<int>;

using Ttt = TttLearner<bool>;

}  // namespace rnnalf
