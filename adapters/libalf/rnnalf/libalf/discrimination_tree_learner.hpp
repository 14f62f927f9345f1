#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <libalf/alf.h>

namespace rnnalf {

/// What the learners with a discrimination tree have in common. It uses those parts of libalf's
/// interface alone that both providers have.
///
/// Every state has an access word; the access words form a tree of transitions (a state's access
/// word is its parent's and one letter), and every other transition is *sifted*: down a tree whose
/// inner nodes ask a suffix, with a child for each answer, and whose leaves are the states. All
/// transitions without a target are sifted side by side, so that queries come in large batches.
///
/// A counterexample is analysed by binary search (Rivest and Schapire): it yields a transition
/// whose access word and letter differ from the target's access word by some suffix. That
/// transition becomes a new state, and the suffix an inner node in the target's place. A
/// counterexample is used for as long as the automaton is wrong on it; where the automaton
/// contradicts an answer that made the tree, that answer serves as a counterexample. Between two
/// conjectures the number of states at most doubles this way, so that conjectures keep coming when
/// the target is not regular.
///
/// Holds addresses of the knowledgebase's nodes: clear() and undo() of the knowledgebase ask for a
/// new learner. One learner and its knowledgebase belong to one thread.
///
/// There are two of each: `answer` is bool, and conjectures are finite automata; or int, for
/// classes 0, 1, ..., and conjectures are Moore machines.
template <class answer>
class DiscriminationTreeLearner : public libalf::learning_algorithm<answer> {
 public:
  using Base = libalf::learning_algorithm<answer>;
  using Base::get_name;

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
  using Base::alphabet_size;
  using Base::my_knowledge;
  using Base::my_logger;

  using Node = typename libalf::knowledgebase<answer>::node;
  using Id = std::uint32_t;
  static constexpr Id none = 0xffffffffU;

  enum class Step : std::uint8_t { Nothing, Changed, QueriesPending };
  /// An answer as a number, or that it is not known yet.
  using Answer = int;
  static constexpr Answer pending = -1;

  struct TreeNode {
    Id parent = none;
    Answer on = 0;           // the answer to the parent's suffix that leads here
    bool temporary = false;  // an inner node whose suffix is to be replaced by a shorter one
    Id state = none;         // leaf: its state
    std::vector<Id> child;   // inner node: by answer; none, or beyond the end, where no word came
    std::list<int> suffix;

    [[nodiscard]] Id child_on(Answer given) const {
      const auto number = static_cast<std::size_t>(given);
      return number < child.size() ? child[number] : none;
    }
    void set_child(Answer given, Id below) {
      const auto number = static_cast<std::size_t>(given);
      if (number >= child.size()) child.resize(number + 1, none);
      child[number] = below;
    }
  };

  DiscriminationTreeLearner(libalf::knowledgebase<answer>* base, libalf::logger* log, int size,
                            std::int32_t serial_type);

  bool complete() override;
  libalf::conjecture* derive_conjecture() override;

  /// A chance to improve the tree once all transitions have targets.
  virtual Step tidy() { return Step::Nothing; }
  /// Whether the suffix of a counterexample is to be replaced later on.
  virtual bool suffixes_are_temporary() const { return false; }
  /// The tree changed as a whole (deserialisation).
  virtual void forget_tree() {}
  /// The inner node has just taken the place of a leaf.
  virtual void leaf_was_split(Id /*inner*/) {}

  /// The answer for the node's word followed by the suffix; asks for it if it is not known.
  Answer ask(Node* at, std::list<int>& suffix);
  Answer ask(Node* at, std::list<int>& suffix, std::list<int>::iterator from);

  Id add_tree_node(Id parent, Answer on);
  /// A node that is not in the tree yet, and one that no longer is.
  Id new_tree_node();
  void release_tree_node(Id node);
  /// Sifts the transitions to that state again, from `from` on.
  void reopen_transitions_to(Id state, Id from);
  Id lowest_common_ancestor(Id a, Id b) const;
  Id target(Id state, int letter) const {
    return states_[state].transitions[static_cast<std::size_t>(letter)].target;
  }
  Node* state_node(Id state) const { return states_[state].at; }
  Id leaf_of(Id state) const { return states_[state].leaf; }

  std::vector<TreeNode> tree_;  // 0 is the root, which asks epsilon; unused nodes have no parent

 private:
  struct Transition {
    Node* at = nullptr;    // access word + letter
    Id target = none;      // a state, once it is known ...
    Id sifted_to = 0;      // ... until then, the tree node reached
    bool in_tree = false;  // the word is the target's access word
  };
  struct State {
    Id parent = none;  // its access word is this state's and ...
    int letter = -1;   // ... this letter
    Node* at = nullptr;
    Id leaf = none;
    Answer says = 0;
    std::vector<Transition> transitions;
    std::vector<std::pair<Id, int>> incoming;  // (state, letter); some may lead elsewhere by now
  };

  void clear();
  bool refuse(const std::list<int>& word, const char* reason);
  void use(std::list<int> word);
  Id run(Id from, const std::list<int>& word) const;
  std::list<int> access_word(Id state) const;
  Transition& transition(Id state, int letter) {
    return states_[state].transitions[static_cast<std::size_t>(letter)];
  }

  Id add_state(Id parent, int letter, Node* at, Id leaf);
  void open_transitions(Id state);
  bool sift_transitions();
  Answer sift(Node* at, Id& position, bool& missing);
  Step use_counterexample();
  void split(Id state, std::list<int>&& suffix, Answer on_old, Id from, int letter, Answer on_new);
  bool find_contradiction();

  bool deserialize_content(serial_stretch& serial);
  bool is_sound();

  std::int32_t serial_type_;
  std::vector<Id> unused_tree_nodes_;
  std::vector<State> states_;             // 0 is initial
  std::vector<std::pair<Id, int>> open_;  // transitions without a target

  static constexpr std::size_t first_own_uses = 16;
  std::size_t own_uses_left_ =
      first_own_uses;                  // contradictions to be used before the next conjecture
  std::size_t consistent_states_ = 0;  // that many states up to looked_at_ contradict nothing
  Id looked_at_ = 0;

  Id start_ = 0;  // the state that the counterexample starts from
  std::list<int> counterexample_;
  std::size_t uses_left_ = 0;  // bounds the time between conjectures when the target is not regular
};

extern template class DiscriminationTreeLearner<bool>;
extern template class DiscriminationTreeLearner<int>;

}  // namespace rnnalf
