#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <libalf/learning_algorithm.h>

namespace libalf {

/// Kearns and Vazirani's learner (An introduction to computational learning theory, 1994): states
/// are the leaves of a tree of suffixes; a word is sifted down that tree, and a counterexample
/// splits one leaf.
///
/// All transitions whose target is unknown are sifted side by side, so that queries come in
/// batches. The root asks for the word itself, so states with different outputs are found without
/// counterexamples.
///
/// Two additions to the book save equivalence queries. A counterexample is used again for as long
/// as the new automaton is wrong on it. And where the automaton contradicts the answers that made
/// the tree, those serve as counterexamples; between two conjectures the number of states at most
/// doubles this way, so that conjectures keep coming when the target is not regular.
template <class answer>
class kearns_vazirani : public learning_algorithm<answer> {
 public:
  /// use_binary_search: how the place in a counterexample is found where a state has to be split;
  /// otherwise from its beginning on.
  kearns_vazirani(knowledgebase<answer>* base, logger* log, int size, bool use_binary_search = true)
      : binary_(use_binary_search) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }
  kearns_vazirani(knowledgebase<answer>* base, int size) : kearns_vazirani(base, nullptr, size) {}

  learning_algorithm_type get_type() const override { return ALG_KEARNS_VAZIRANI; }
  learning_algorithm_type get_basic_compatible_type() const override { return ALG_KEARNS_VAZIRANI; }

  bool uses_binary_search() const { return binary_; }
  void set_binary_search(bool wanted) {
    binary_ = wanted;
    probing_ = false;
  }
  int get_leaf_node_count() const { return static_cast<int>(states_.size()); }
  int get_inner_node_count() const { return static_cast<int>(tree_.size() - states_.size()); }

  void increase_alphabet_size(int new_size) override {
    if (new_size <= this->alphabet_size) return;
    std::vector<id> targets(states_.size() * static_cast<std::size_t>(new_size), none);
    for (std::size_t s = 0; s < states_.size() && !targets_.empty(); ++s) {
      std::copy_n(
          targets_.begin() + static_cast<std::ptrdiff_t>(s * letter_count()), letter_count(),
          targets.begin() + static_cast<std::ptrdiff_t>(s * static_cast<std::size_t>(new_size)));
    }
    targets_.swap(targets);
    this->alphabet_size = new_size;
    probing_ = false;
    check_all();
    for (id s = 0; s < states_.size(); ++s) open_transitions(s);
  }

  bool supports_sync() const override { return false; }
  bool sync_to_knowledgebase() override { return false; }

  /// False before the first conjecture, while another counterexample is in use, and for a word
  /// known not to be one.
  bool add_counterexample(std::list<int> word) override {
    if (!conjecture_ready()) return refuse(word, "no conjecture was delivered since the last one");
    if (std::any_of(word.begin(), word.end(), [](int letter) { return letter < 0; })) {
      return refuse(word, "expected letters 0, 1, ...");
    }
    const int largest = word.empty() ? -1 : *std::max_element(word.begin(), word.end());
    if (largest < this->alphabet_size) {
      const id reached = run(word);
      node* at = this->my_knowledge->get_nodeptr(word);
      if (at->is_answered() && at->get_answer() == states_[reached].output) {
        return refuse(word, "the conjecture is right on it");
      }
    } else {
      (*this->my_logger)(LOGGER_ALGORITHM,
                         "kearns_vazirani: alphabet grows from %d to %d letters\n",
                         this->alphabet_size, largest + 1);
      increase_alphabet_size(largest + 1);
    }
    use(std::vector<int>(word.begin(), word.end()));
    return true;
  }

  bool conjecture_ready() override {
    return is_attached() && !states_.empty() && open_.empty() && uses_left_ == 0;
  }

  std::basic_string<std::int32_t> serialize() const override {
    std::basic_string<std::int32_t> tree = detail::serialize_value(tree_.size());
    for (const tree_node& n : tree_) {
      tree += detail::serialize_value(n.parent) + detail::serialize_value(n.suffix);
      tree += detail::serialize_value(n.on) + detail::serialize_value(n.state);
    }
    std::vector<std::vector<int>> accesses;
    for (const state& s : states_) accesses.push_back(s.access);
    return detail::with_length(
        detail::serialize_value(detail::learner_tag(get_type())) +
        detail::serialize_value(this->alphabet_size) + detail::serialize_value(binary_) + tree +
        detail::serialize_value(accesses) + detail::serialize_value(start_) +
        detail::serialize_value(counterexample_) + detail::serialize_value(uses_left_));
  }

  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = deserialize_content(serial) && serial.empty();
    serial = rest;
    if (!complete) clear();
    return complete;
  }

  void print(std::ostream& os) const override {
    os << "kearns_vazirani {\n";
    for (id n = 0; n < tree_.size(); ++n) {
      const tree_node& t = tree_[n];
      os << "\t" << n << ':';
      if (t.parent != none) os << " child of " << t.parent << " on " << t.on << ',';
      const auto& word = t.state == none ? t.suffix : states_[t.state].access;
      os << (t.state == none ? " suffix " : " state ");
      if (t.state != none) os << t.state << ", word ";
      os << word2string(std::list<int>(word.begin(), word.end())) << '\n';
    }
    os << "}\n";
  }

  void generate_statistics() override {
    const auto leaves = static_cast<std::size_t>(get_leaf_node_count());
    const auto inner = static_cast<std::size_t>(get_inner_node_count());
    this->statistics["memory.bytes.leaf_nodes"] =
        static_cast<int>(leaves * (sizeof(tree_node) + sizeof(state)));
    this->statistics["memory.bytes.inner_nodes"] = static_cast<int>(inner * sizeof(tree_node));
    this->statistics["memory.bytes"] =
        static_cast<int>(tree_.capacity() * sizeof(tree_node) + states_.capacity() * sizeof(state) +
                         leaves * letter_count() * (sizeof(transition) + sizeof(id)));
    this->statistics["tasks.size"] = static_cast<int>(open_.size());
  }

 protected:
  bool complete() override {
    attach();
    for (;;) {
      if (!sift_transitions()) return false;
      if (uses_left_ == 0 && !find_contradiction()) return true;
      if (!use_counterexample()) return false;
    }
  }

  conjecture* derive_conjecture() override {
    return detail::make_machine<answer>(
        this->spare, static_cast<int>(states_.size()), this->alphabet_size,
        [&](int s) { return states_[static_cast<id>(s)].output; },
        [targets = targets_.data(), letters = letter_count()](int s, int letter) {
          return static_cast<int>(
              targets[static_cast<std::size_t>(s) * letters + static_cast<std::size_t>(letter)]);
        });
  }

 private:
  using base_type = knowledgebase<answer>;
  using node = typename base_type::node;
  using infix = typename base_type::infix;
  using id = std::uint32_t;
  static constexpr id none = 0xffffffffu;

  struct tree_node {
    id parent = none;
    answer on{};      // what the parent's suffix was answered with
    id state = none;  // leaf: its state; inner node: none
    std::vector<int> suffix;
    infix path;                                   // the suffix, in the knowledgebase
    std::vector<std::pair<answer, id>> children;  // by answer
  };
  struct transition {
    node* at = nullptr;  // the word access + letter
    id sifted_to = 0;    // the tree node reached so far
    id before = none;    // its target before the last split
  };
  struct state {
    std::vector<int> access;
    node* at = nullptr;
    id leaf = none;
    answer output{};
    std::vector<transition> transitions;
    id reliances = 0;                          // of the last look at it
    std::vector<std::pair<id, int>> incoming;  // (state, letter); some may lead elsewhere by now
  };

  void clear() {
    tree_.clear();
    states_.clear();
    targets_.clear();
    open_.clear();
    uses_left_ = 0;
    probing_ = false;
    own_uses_left_ = first_own_uses;
    check_all();
    base_ = nullptr;
  }

  bool is_attached() const {
    return this->my_knowledge && base_ == this->my_knowledge &&
           generation_ == this->my_knowledge->generation();
  }

  /// Node addresses belong to one knowledgebase in one generation. If that changes on the way,
  /// answers may have changed too: start over, with what the knowledgebase knows.
  void attach() {
    if (!is_attached()) {
      if (base_) clear();
      base_ = this->my_knowledge;
      generation_ = base_->generation();
      for (tree_node& n : tree_) n.path = base_->intern(n.suffix);
      targets_.assign(states_.size() * letter_count(), none);
      for (id s = 0; s < states_.size(); ++s) {
        states_[s].at = base_->get_rootptr()->find_or_create_descendant(states_[s].access.begin(),
                                                                        states_[s].access.end());
        open_transitions(s);
      }
      check_all();
    }
    if (tree_.empty()) {
      tree_.emplace_back();
      tree_[0].path = base_->intern(tree_[0].suffix);
    }
  }

  bool refuse(const std::list<int>& word, const char* reason) {
    (*this->my_logger)(LOGGER_WARN, "kearns_vazirani: counterexample %s refused: %s\n",
                       word2string(word).c_str(), reason);
    return false;
  }

  void use(std::vector<int> word) {
    uses_left_ = word.size() + 1;
    own_uses_left_ = std::max<std::size_t>(first_own_uses, states_.size());
    start_ = 0;
    belongs_to_ = none;
    counterexample_ = std::move(word);
    probing_ = false;
  }

  std::size_t letter_count() const { return static_cast<std::size_t>(this->alphabet_size); }
  id& target(id s, int letter) {
    return targets_[s * letter_count() + static_cast<std::size_t>(letter)];
  }
  id target(id s, int letter) const {
    return targets_[s * letter_count() + static_cast<std::size_t>(letter)];
  }
  template <class Letters>
  id run(const Letters& word, id s = 0) const {
    for (int letter : word) s = target(s, letter);
    return s;
  }

  // Sifting.

  enum class sifted { state, missing_child, query_pending };

  /// Moves `position` down from where it stands. missing_child: `missing` is the answer of a node
  /// that has no child for it, where `position` stops.
  sifted sift(node* at, id& position, answer& missing) {
    while (tree_[position].state == none) {
      answer value{};
      if (!base_->resolve_or_mark(base_->descendant(at, tree_[position].path), value)) {
        return sifted::query_pending;
      }
      const id below = child(position, value);
      if (below == none) {
        missing = value;
        return sifted::missing_child;
      }
      position = below;
    }
    return sifted::state;
  }

  id child(id inner, const answer& value) const {
    for (const auto& [on, below] : tree_[inner].children) {
      if (on == value) return below;
    }
    return none;
  }

  /// Sifts every transition without a target; true when all have one.
  bool sift_transitions() {
    if (states_.empty()) {  // epsilon is the first state
      answer value{};
      if (!base_->resolve_or_mark(base_->get_rootptr(), value)) return false;
      add_state({}, base_->get_rootptr(), 0, value);
    }
    std::vector<std::pair<id, int>> waiting;
    while (!open_.empty()) {
      const auto [s, letter] = open_.back();
      open_.pop_back();
      transition t = states_[s].transitions[static_cast<std::size_t>(letter)];
      answer missing{};
      const sifted result = sift(t.at, t.sifted_to, missing);
      if (result == sifted::query_pending) {
        waiting.emplace_back(s, letter);
      } else {
        if (result == sifted::missing_child) {
          std::vector<int> access = states_[s].access;
          access.push_back(letter);
          const id added = add_state(std::move(access), t.at, t.sifted_to, missing);
          t.sifted_to = states_[added].leaf;
        }
        const id reached = tree_[t.sifted_to].state;
        target(s, letter) = reached;
        if (reached != t.before) check_reliant(s, letter);
        states_[reached].incoming.emplace_back(s, letter);
      }
      states_[s].transitions[static_cast<std::size_t>(letter)] = t;
    }
    std::reverse(waiting.begin(), waiting.end());
    open_.swap(waiting);
    return open_.empty();
  }

  // The tree and its states.

  id add_leaf(id parent, const answer& on, id s) {
    const id leaf = static_cast<id>(tree_.size());
    tree_.emplace_back();
    tree_[leaf].parent = parent;
    tree_[leaf].on = on;
    tree_[leaf].state = s;
    tree_[parent].children.emplace_back(on, leaf);
    return leaf;
  }

  id add_state(std::vector<int>&& access, node* at, id parent, const answer& on) {
    const id s = static_cast<id>(states_.size());
    states_.emplace_back();
    targets_.resize(states_.size() * letter_count(), none);
    relied_on_.resize(targets_.size(), none);
    unchecked_.push_back(true);
    states_[s].access = std::move(access);
    states_[s].at = at;
    states_[s].leaf = add_leaf(parent, on, s);
    states_[s].output = output_at(states_[s].leaf);
    open_transitions(s);
    return s;
  }

  /// The root's suffix is epsilon, so the first answer on the way to a leaf is the output there.
  answer output_at(id leaf) const {
    while (tree_[leaf].parent != 0) leaf = tree_[leaf].parent;
    return tree_[leaf].on;
  }

  /// Adds the transitions that a state lacks.
  void open_transitions(id s) {
    if (!base_) return;
    auto& transitions = states_[s].transitions;
    for (int letter = static_cast<int>(transitions.size()); letter < this->alphabet_size;
         ++letter) {
      transition t;
      t.at = states_[s].at->find_or_create_child(letter);
      transitions.push_back(t);
      open_.emplace_back(s, letter);
    }
  }

  /// Replaces the leaf of a state by a suffix that tells it from a new state.
  void split(id s, std::vector<int> suffix, const answer& on_old, std::vector<int> new_access,
             node* new_at, const answer& on_new) {
    const id inner = states_[s].leaf;
    tree_[inner].state = none;
    tree_[inner].path = base_->intern(suffix);
    tree_[inner].suffix = std::move(suffix);
    states_[s].leaf = add_leaf(inner, on_old, s);
    add_state(std::move(new_access), new_at, inner, on_new);
    std::vector<std::pair<id, int>> incoming;
    incoming.swap(states_[s].incoming);
    for (const auto& [from, letter] : incoming) {
      if (target(from, letter) != s) continue;
      target(from, letter) = none;
      transition& t = states_[from].transitions[static_cast<std::size_t>(letter)];
      t.sifted_to = inner;
      t.before = s;
      open_.emplace_back(from, letter);
    }
  }

  id lowest_common_ancestor(id a, id b) const {
    std::vector<id> above;
    for (id n = a; n != none; n = tree_[n].parent) above.push_back(n);
    std::vector<id> other;
    for (id n = b; n != none; n = tree_[n].parent) other.push_back(n);
    id common = 0;
    while (!above.empty() && !other.empty() && above.back() == other.back()) {
      common = above.back();
      above.pop_back();
      other.pop_back();
    }
    return common;
  }

  // Counterexamples; detail/kearns_vazirani_steps.h has the idea.

  /// Looks for a state whose access word leads elsewhere, or for a suffix above its leaf which the
  /// automaton gets wrong, though the answer is what put the state there; makes that the
  /// counterexample in use. Goes round the states, so that after a split it goes on where it
  /// stopped; states about which nothing has changed are left out.
  bool find_contradiction();

  bool contradicts(id s);

  // What contradicts() found for a state holds as long as the transitions do that were followed.
  // Each transition has a list of the states that rely on it.

  struct reliance {
    id who;
    id next;  // in the list of the same transition
  };

  /// Follows the word, on behalf of state `who`.
  id run_for(id who, const std::vector<int>& word, id s);

  /// That transition leads elsewhere now.
  void check_reliant(id s, int letter) {
    id& list = relied_on_[s * letter_count() + static_cast<std::size_t>(letter)];
    for (; list != none; list = reliances_[list].next) unchecked_[reliances_[list].who] = true;
  }

  void check_all() {
    relied_on_.assign(targets_.size(), none);
    reliances_.clear();
    reliances_in_use_ = 0;
    for (state& s : states_) s.reliances = 0;
    unchecked_.assign(states_.size(), true);
  }

  void use_own(id start, std::vector<int> word) {
    --own_uses_left_;
    uses_left_ = 1;
    start_ = start;
    belongs_to_ = none;
    counterexample_ = std::move(word);
  }

  /// One round; false if queries are pending.
  bool use_counterexample();

  /// The prefix to be sifted next; false when the place of the split is found.
  bool choose_probe();

  /// Follows the conjecture; false if the answer for the whole word is pending.
  bool start_probing();

  void split_at_high();

  void finish_round() {
    --uses_left_;
    probing_ = false;
  }

  /// Only needed when answers were altered in the knowledgebase meanwhile.
  void give_up() {
    (*this->my_logger)(LOGGER_ERROR, "kearns_vazirani: contradicting answers for one word\n");
    uses_left_ = 0;
    probing_ = false;
  }

  answer known_answer(node* at, const std::vector<int>& suffix) {
    return at->find_or_create_descendant(suffix.begin(), suffix.end())->get_answer();
  }

  /// The start's access word and the first letters of the counterexample, and their node, which is
  /// not before that of low_.
  std::vector<int> prefix(std::size_t length) const {
    std::vector<int> word = states_[start_].access;
    word.insert(word.end(), counterexample_.begin(),
                counterexample_.begin() + static_cast<std::ptrdiff_t>(length));
    return word;
  }
  node* prefix_node(std::size_t length) {
    return low_at_->find_or_create_descendant(
        counterexample_.begin() + static_cast<std::ptrdiff_t>(low_),
        counterexample_.begin() + static_cast<std::ptrdiff_t>(length));
  }

  bool deserialize_content(serial_stretch& serial);

  /// After deserialisation: links the tree's nodes and checks that it is one.
  bool is_sound();

  bool binary_;
  std::vector<tree_node> tree_;           // 0 is the root
  std::vector<state> states_;             // 0 is initial
  std::vector<id> targets_;               // by state, then letter; none while it is unknown
  std::vector<std::pair<id, int>> open_;  // transitions without a target: (state, letter)
  base_type* base_ = nullptr;
  unsigned generation_ = 0;

  static constexpr std::size_t first_own_uses = 16;
  std::size_t own_uses_left_ =
      first_own_uses;            // contradictions to be used before the next conjecture
  id looked_at_ = 0;             // the state that the last one was about
  std::vector<char> unchecked_;  // by state: it may contradict something
  std::vector<id> relied_on_;    // by state, then letter: a list in reliances_, or none
  std::vector<reliance> reliances_;
  std::size_t reliances_in_use_ = 0;  // the others are of earlier looks at a state

  id start_ = 0;          // the state that the counterexample starts from
  id belongs_to_ = none;  // the state that it sifts to, if it is the access word of one
  std::vector<int> counterexample_;
  std::size_t uses_left_ = 0;  // bounds the time between conjectures when the target is not regular
  bool probing_ = false;       // the members below are in use
  std::vector<id> path_;       // q_0 ... q_n
  std::size_t low_ = 0;        // p_low = q_low
  node* low_at_ = nullptr;     // that prefix
  std::size_t high_ = 0;       // p_high != q_high
  bool high_known_ = false;    // p_high has been sifted: it is sifted_high_
  id sifted_high_ = 0;
  id probe_ = none;  // the prefix being sifted, so far down to position_
  node* probe_at_ = nullptr;
  id position_ = 0;
};

}  // namespace libalf

#include <libalf/detail/kearns_vazirani_steps.h>
