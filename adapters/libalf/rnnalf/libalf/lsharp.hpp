#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include <libalf/alf.h>

namespace rnnalf {

/// L# (Vaandrager, Garhewal, Rot and Wißmann, A New Approach for Active Automata Learning Based on
/// Apartness, 2022).
///
/// All answers are kept in an observation tree. Two of its nodes are *apart* if some suffix, asked
/// after both, has different answers. Nodes of the *basis* are pairwise apart: they are the states.
/// The *frontier* are their other successors; the candidates of a frontier node are the basis nodes
/// it is not apart from. The rules of the paper:
///
///   - every successor of a basis node is asked;
///   - a frontier node without candidates joins the basis;
///   - for a frontier node with two candidates, a suffix that tells these two apart is asked after
///     it, which rules one of them out;
///   - if every frontier node has one candidate, that is its target, and there is a hypothesis.
///     An answer of the tree that contradicts it is used as a counterexample.
///
/// Counterexamples are analysed by binary search: after it, a frontier node is apart from its only
/// candidate.
///
/// Deviation: the paper asks one word at a time. Here the first and third rule ask for all nodes at
/// once, because a network answers a large batch at little more than the cost of a small one.
///
/// Uses only those parts of libalf's interface that both providers have. Holds addresses of the
/// knowledgebase's nodes: after clear() or undo() of the knowledgebase, make a new learner. One
/// learner and its knowledgebase belong to one thread.
///
/// `answer` is bool, and conjectures are finite automata; or int, for classes 0, 1, ..., and
/// conjectures are Moore machines.
template <class answer>
class LSharpLearner final : public libalf::learning_algorithm<answer> {
 public:
  using Base = libalf::learning_algorithm<answer>;

  LSharpLearner(libalf::knowledgebase<answer>* base, libalf::logger* log, int size);

  const char* get_name() override { return "lsharp"; }
  libalf::learning_algorithm_type get_type() const override { return libalf::ALG_NONE; }
  libalf::learning_algorithm_type get_basic_compatible_type() const override {
    return libalf::ALG_NONE;
  }

  void increase_alphabet_size(int new_size) override;
  bool supports_sync() const override { return false; }
  bool sync_to_knowledgebase() override { return false; }

  /// False before the first conjecture, while another counterexample is in use, and for a word that
  /// is known not to be one.
  bool add_counterexample(std::list<int> word) override;
  bool conjecture_ready() override;

  std::basic_string<std::int32_t> serialize() const override;
  bool deserialize(serial_stretch& serial) override;
  void print(std::ostream& os) const override;
  void generate_statistics() override;

 protected:
  bool complete() override;
  libalf::conjecture* derive_conjecture() override;

 private:
  using Base::alphabet_size;
  using Base::my_knowledge;
  using Base::my_logger;
  using KnowledgeNode = typename libalf::knowledgebase<answer>::node;
  using Id = std::uint32_t;
  static constexpr Id none = 0xffffffffU;
  /// An answer as a number, or that it is not known yet.
  using Answer = int;
  static constexpr Answer pending = -1;
  static constexpr std::size_t first_own_uses = 16;

  enum class Step : std::uint8_t { Nothing, Changed, QueriesPending };

  struct TreeNode {
    Id parent = none;
    int symbol = -1;  ///< the last one of its word
    Answer says = pending;
    Id state = none;  ///< its number in the basis
    KnowledgeNode* at = nullptr;
    std::vector<std::pair<int, Id>> children = {};  ///< by symbol, in order of creation
  };
  /// A successor of a basis node.
  struct Transition {
    Id node = none;
    std::vector<Id> candidates = {};  ///< states; unused if the node is in the basis
  };

  void clear();
  void link();
  Id add_node(Id parent, int symbol);
  Id child(Id node, int symbol) const;
  Id descendant(Id node, std::list<int>::const_iterator from, std::list<int>::const_iterator to);
  Answer ask(Id node);
  std::list<int> word_of(Id node) const;

  /// A shortest suffix that tells two nodes apart; false: there is none.
  bool apart(Id a, Id b, std::list<int>* suffix) const;
  const std::list<int>& separating_suffix(Id state_a, Id state_b);

  void add_state(Id node);
  bool ask_successors();
  Step identify();
  Step use_counterexample();
  bool find_contradiction();

  Transition& transition(Id state, int symbol) {
    return transitions_[state][static_cast<std::size_t>(symbol)];
  }
  Id target(Id state, int symbol) const;
  Answer says(Id state) const { return tree_[basis_[state]].says; }
  bool deserialize_content(serial_stretch& serial);

  std::vector<TreeNode> tree_;  // 0 is the empty word; parents come before their children
  std::vector<Id> basis_;       // nodes by state
  std::vector<std::vector<Transition>> transitions_;  // by state and symbol
  std::map<std::pair<Id, Id>, std::list<int>> suffixes_;
  std::list<int> counterexample_;
  std::size_t uses_left_ = 0;  // bounds the time between conjectures if the target is not regular
  std::size_t own_uses_left_ = first_own_uses;
  bool identified_ = false;
};

extern template class LSharpLearner<bool>;
extern template class LSharpLearner<int>;

}  // namespace rnnalf
