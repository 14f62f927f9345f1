// Observation Pack and TTT (Howar; Isberner, Howar, Steffen): states are the leaves of a tree of
// suffixes, and a transition's target is found by sifting its word down the tree. All transitions
// without a target are sifted side by side, so that queries come in batches. A binary search in a
// counterexample (Rivest and Schapire) finds the state that has to be split; TTT then looks for a
// shorter suffix that does the same.

#include "rnnalf/libalf/discrimination_tree_learner.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>
#include <type_traits>

namespace rnnalf {
namespace {

using Serial = std::basic_string<std::int32_t>;

template <class Number>
int as_int(Number number) {
  return static_cast<int>(number);
}

bool is_word(const std::list<int>& word, int alphabet_size) {
  return std::all_of(word.begin(), word.end(),
                     [&](int letter) { return 0 <= letter && letter < alphabet_size; });
}

}  // namespace

template <class answer>
DiscriminationTreeLearner<answer>::DiscriminationTreeLearner(libalf::knowledgebase<answer>* base,
                                                             libalf::logger* log, int size,
                                                             std::int32_t serial_type)
    : serial_type_(serial_type) {
  this->set_alphabet_size(size);
  this->set_logger(log);
  this->set_knowledge_source(base);
}

template <class answer>
void DiscriminationTreeLearner<answer>::clear() {
  tree_.clear();
  unused_tree_nodes_.clear();
  states_.clear();
  open_.clear();
  own_uses_left_ = first_own_uses;
  consistent_states_ = 0;
  uses_left_ = 0;
  forget_tree();
}

template <class answer>
void DiscriminationTreeLearner<answer>::increase_alphabet_size(int new_size) {
  if (new_size <= alphabet_size) return;
  alphabet_size = new_size;
  for (Id s = 0; s < states_.size(); ++s) open_transitions(s);
}

template <class answer>
bool DiscriminationTreeLearner<answer>::conjecture_ready() {
  return my_knowledge && !states_.empty() && open_.empty() && uses_left_ == 0;
}

template <class answer>
bool DiscriminationTreeLearner<answer>::refuse(const std::list<int>& word, const char* reason) {
  (*my_logger)(libalf::LOGGER_WARN, "%s: counterexample %s refused: %s\n", get_name(),
               libalf::word2string(word).c_str(), reason);
  return false;
}

template <class answer>
bool DiscriminationTreeLearner<answer>::add_counterexample(std::list<int> word) {
  if (!conjecture_ready()) return refuse(word, "no conjecture was delivered since the last one");
  const int smallest = word.empty() ? 0 : *std::min_element(word.begin(), word.end());
  const int largest = word.empty() ? -1 : *std::max_element(word.begin(), word.end());
  if (smallest < 0) return refuse(word, "expected letters 0, 1, ...");
  if (largest >= alphabet_size) {
    (*my_logger)(libalf::LOGGER_ALGORITHM, "%s: alphabet grows from %d to %d letters\n", get_name(),
                 alphabet_size, largest + 1);
    increase_alphabet_size(largest + 1);
  } else {
    const Node* at =
        my_knowledge->get_rootptr()->find_or_create_descendant(word.begin(), word.end());
    if (at->is_answered() && static_cast<Answer>(at->get_answer()) == states_[run(0, word)].says) {
      return refuse(word, "the conjecture is right on it");
    }
  }
  use(std::move(word));
  return true;
}

template <class answer>
void DiscriminationTreeLearner<answer>::use(std::list<int> word) {
  uses_left_ = word.size() + 1;
  own_uses_left_ = std::max(first_own_uses, states_.size());
  start_ = 0;
  counterexample_ = std::move(word);
}

template <class answer>
bool DiscriminationTreeLearner<answer>::complete() {
  if (tree_.empty()) tree_.emplace_back();
  for (;;) {
    if (!sift_transitions()) return false;
    Step step = tidy();
    if (step == Step::Nothing && uses_left_ > 0) step = use_counterexample();
    if (step == Step::QueriesPending) return false;
    if (step == Step::Changed || uses_left_ > 0) continue;
    if (!find_contradiction()) return true;
  }
}

template <class answer>
libalf::conjecture* DiscriminationTreeLearner<answer>::derive_conjecture() {
  using Automaton = std::conditional_t<std::is_same_v<answer, bool>, libalf::finite_automaton,
                                       libalf::moore_machine<answer>>;
  auto automaton = std::make_unique<Automaton>();
  automaton->is_deterministic = true;
  automaton->input_alphabet_size = alphabet_size;
  automaton->state_count = as_int(states_.size());
  automaton->initial_states.insert(0);
  for (Id s = 0; s < states_.size(); ++s) {
    automaton->output_mapping.emplace_hint(automaton->output_mapping.end(), as_int(s),
                                           static_cast<answer>(states_[s].says));
    auto& by_letter = automaton->transitions[as_int(s)];
    for (int letter = 0; letter < alphabet_size; ++letter) {
      by_letter.emplace_hint(by_letter.end(), letter, std::set<int>())
          ->second.insert(as_int(target(s, letter)));
    }
  }
  automaton->valid = true;
  return automaton.release();
}

// Queries.

template <class answer>
auto DiscriminationTreeLearner<answer>::ask(Node* at, std::list<int>& suffix) -> Answer {
  return ask(at, suffix, suffix.begin());
}

template <class answer>
auto DiscriminationTreeLearner<answer>::ask(Node* at, std::list<int>& suffix,
                                            std::list<int>::iterator from) -> Answer {
  Node* word = at->find_or_create_descendant(from, suffix.end());
  if (!word->is_answered()) {
    word->mark_required();
    return pending;
  }
  return static_cast<Answer>(word->get_answer());
}

// States and transitions.

template <class answer>
auto DiscriminationTreeLearner<answer>::run(Id from, const std::list<int>& word) const -> Id {
  for (int letter : word) from = target(from, letter);
  return from;
}

template <class answer>
std::list<int> DiscriminationTreeLearner<answer>::access_word(Id state) const {
  std::list<int> word;
  for (; states_[state].parent != none; state = states_[state].parent) {
    word.push_front(states_[state].letter);
  }
  return word;
}

template <class answer>
auto DiscriminationTreeLearner<answer>::new_tree_node() -> Id {
  if (unused_tree_nodes_.empty()) {
    tree_.emplace_back();
    return static_cast<Id>(tree_.size() - 1);
  }
  const Id node = unused_tree_nodes_.back();
  unused_tree_nodes_.pop_back();
  return node;
}

template <class answer>
void DiscriminationTreeLearner<answer>::release_tree_node(Id node) {
  tree_[node] = TreeNode{};
  unused_tree_nodes_.push_back(node);
}

template <class answer>
auto DiscriminationTreeLearner<answer>::add_tree_node(Id parent, Answer on) -> Id {
  const Id added = new_tree_node();
  tree_[added].parent = parent;
  tree_[added].on = on;
  tree_[parent].set_child(on, added);
  return added;
}

template <class answer>
auto DiscriminationTreeLearner<answer>::add_state(Id parent, int letter, Node* at, Id leaf) -> Id {
  const auto added = static_cast<Id>(states_.size());
  State state;
  state.parent = parent;
  state.letter = letter;
  state.at = at;
  state.leaf = leaf;
  // The root asks epsilon, so the first answer on the way to a leaf says what the state answers.
  Id below_root = leaf;
  while (tree_[below_root].parent != 0) below_root = tree_[below_root].parent;
  state.says = tree_[below_root].on;
  states_.push_back(std::move(state));
  tree_[leaf].state = added;
  if (parent != none) {
    Transition& t = transition(parent, letter);
    t.target = added;
    t.in_tree = true;
  }
  consistent_states_ = 0;
  open_transitions(added);
  return added;
}

template <class answer>
void DiscriminationTreeLearner<answer>::open_transitions(Id state) {
  if (!my_knowledge || !states_[state].at) return;
  auto& transitions = states_[state].transitions;
  for (int letter = as_int(transitions.size()); letter < alphabet_size; ++letter) {
    Transition t;
    t.at = states_[state].at->find_or_create_child(letter);
    transitions.push_back(t);
    open_.emplace_back(state, letter);
  }
}

template <class answer>
void DiscriminationTreeLearner<answer>::reopen_transitions_to(Id state, Id from) {
  std::vector<std::pair<Id, int>> incoming;
  incoming.swap(states_[state].incoming);
  for (const auto& [source, letter] : incoming) {
    Transition& t = transition(source, letter);
    if (t.target != state || t.in_tree) continue;
    t.target = none;
    t.sifted_to = from;
    open_.emplace_back(source, letter);
  }
}

/// Moves `position` down from where it stands. Where no word has come yet, `missing` becomes true
/// and the result is the answer that led there.
template <class answer>
auto DiscriminationTreeLearner<answer>::sift(Node* at, Id& position, bool& missing) -> Answer {
  missing = false;
  while (tree_[position].state == none) {
    const Answer said = ask(at, tree_[position].suffix);
    if (said == pending) return said;
    const Id below = tree_[position].child_on(said);
    if (below == none) {
      missing = true;
      return said;
    }
    position = below;
  }
  return 0;
}

template <class answer>
bool DiscriminationTreeLearner<answer>::sift_transitions() {
  if (states_.empty()) {  // epsilon is the first state
    Node* epsilon = my_knowledge->get_rootptr();
    const Answer said = ask(epsilon, tree_[0].suffix);
    if (said == pending) return false;
    add_state(none, -1, epsilon, add_tree_node(0, said));
  }
  for (Id s = 0; s < states_.size() && !states_[s].at; ++s) {  // after deserialisation
    states_[s].at = s == 0 ? my_knowledge->get_rootptr()
                           : states_[states_[s].parent].at->find_or_create_child(states_[s].letter);
    open_transitions(s);
    if (s == 0) continue;
    Transition& t = transition(states_[s].parent, states_[s].letter);
    t.target = s;
    t.in_tree = true;
  }
  std::vector<std::pair<Id, int>> waiting;
  while (!open_.empty()) {
    const auto [source, letter] = open_.back();
    open_.pop_back();
    Transition t = transition(source, letter);
    if (t.target != none) continue;  // it became a state's access word meanwhile
    bool missing = false;
    const Answer said = sift(t.at, t.sifted_to, missing);
    transition(source, letter).sifted_to = t.sifted_to;
    if (said == pending) {
      waiting.emplace_back(source, letter);
    } else if (missing) {
      add_state(source, letter, t.at, add_tree_node(t.sifted_to, said));
    } else {
      const Id reached = tree_[t.sifted_to].state;
      transition(source, letter).target = reached;
      states_[reached].incoming.emplace_back(source, letter);
    }
  }
  std::reverse(waiting.begin(), waiting.end());
  open_.swap(waiting);
  return open_.empty();
}

template <class answer>
auto DiscriminationTreeLearner<answer>::lowest_common_ancestor(Id a, Id b) const -> Id {
  const auto path_from = [&](Id n) {
    std::vector<Id> path;
    for (; n != none; n = tree_[n].parent) path.push_back(n);
    return path;
  };
  std::vector<Id> above_a = path_from(a);
  std::vector<Id> above_b = path_from(b);
  Id common = 0;
  while (!above_a.empty() && !above_b.empty() && above_a.back() == above_b.back()) {
    common = above_a.back();
    above_a.pop_back();
    above_b.pop_back();
  }
  return common;
}

// Counterexamples. For a word w of length n that leads from a state to the wrong answer, let q_i be
// the state after i letters and f(i) the answer for q_i's access word followed by the last n-i
// letters. f(0) is the true answer, f(n) the automaton's; they differ, so f(i) != f(i+1) for some
// i: the suffix of n-i-1 letters tells q_i's access word and letter i+1 from q_i+1's access word.

template <class answer>
auto DiscriminationTreeLearner<answer>::use_counterexample() -> Step {
  std::vector<Id> path{start_};
  for (int letter : counterexample_) path.push_back(target(path.back(), letter));
  const auto value = [&](std::size_t i) {
    return ask(states_[path[i]].at, counterexample_,
               std::next(counterexample_.begin(), static_cast<std::ptrdiff_t>(i)));
  };
  const Answer truth = value(0);
  if (truth == pending) return Step::QueriesPending;
  const Answer conjectured = states_[path.back()].says;
  if (truth == conjectured) {
    uses_left_ = 0;
    return Step::Nothing;
  }
  std::size_t low = 0;
  std::size_t high = counterexample_.size();  // f(low) != f(high) == conjectured
  Answer at_low = truth;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const Answer said = value(middle);
    if (said == pending) return Step::QueriesPending;
    (said == conjectured ? high : low) = middle;
    if (said != conjectured) at_low = said;
  }
  if (transition(path[low], *std::next(counterexample_.begin(), static_cast<std::ptrdiff_t>(low)))
          .in_tree) {
    // Only possible when answers were altered in the knowledgebase meanwhile.
    (*my_logger)(libalf::LOGGER_ERROR, "%s: contradicting answers for one word\n", get_name());
    uses_left_ = 0;
    return Step::Nothing;
  }
  --uses_left_;
  const auto rest = std::next(counterexample_.begin(), static_cast<std::ptrdiff_t>(high));
  split(path[high], std::list<int>(rest, counterexample_.end()), conjectured, path[low],
        *std::prev(rest), at_low);
  return Step::Changed;
}

/// A new state for the transition of `from` by `letter`, told from `state` by the suffix.
template <class answer>
void DiscriminationTreeLearner<answer>::split(Id state, std::list<int>&& suffix, Answer on_old,
                                              Id from, int letter, Answer on_new) {
  const Id inner = states_[state].leaf;
  tree_[inner].state = none;
  tree_[inner].suffix = std::move(suffix);
  tree_[inner].temporary = suffixes_are_temporary();
  const Id old_leaf = add_tree_node(inner, on_old);
  tree_[old_leaf].state = state;
  states_[state].leaf = old_leaf;
  add_state(from, letter, transition(from, letter).at, add_tree_node(inner, on_new));
  reopen_transitions_to(state, inner);
  leaf_was_split(inner);
}

/// Looks for a state and a suffix above its leaf which the automaton gets wrong, and makes it the
/// counterexample in use. Goes round the states, so that after a split it continues where it
/// stopped.
template <class answer>
bool DiscriminationTreeLearner<answer>::find_contradiction() {
  if (own_uses_left_ == 0) return false;
  for (; consistent_states_ < states_.size(); ++consistent_states_) {
    if (++looked_at_ >= states_.size()) looked_at_ = 0;
    for (Id below = states_[looked_at_].leaf; below != 0; below = tree_[below].parent) {
      const TreeNode& inner = tree_[tree_[below].parent];
      if (states_[run(looked_at_, inner.suffix)].says == tree_[below].on) continue;
      --own_uses_left_;
      uses_left_ = 1;
      start_ = looked_at_;
      counterexample_ = inner.suffix;
      consistent_states_ = 0;
      return true;
    }
  }
  return false;
}

// Text and serialisation.

template <class answer>
void DiscriminationTreeLearner<answer>::print(std::ostream& os) const {
  const auto shown = [](Answer on) {
    if (std::is_same_v<answer, bool>) return std::string(on != 0 ? "yes" : "no");
    return std::to_string(on);
  };
  os << "discrimination tree {\n";
  for (Id n = 0; n < tree_.size(); ++n) {
    const TreeNode& node = tree_[n];
    if (n > 0 && node.parent == none) continue;
    os << '\t' << n << ':';
    if (node.parent != none) os << ' ' << shown(node.on) << " of " << node.parent << ',';
    if (node.state == none) {
      os << (node.temporary ? " temporary suffix " : " suffix ")
         << libalf::word2string(node.suffix);
    } else {
      os << " state " << node.state << ", word " << libalf::word2string(access_word(node.state));
    }
    os << '\n';
  }
  os << "}\n";
}

template <class answer>
void DiscriminationTreeLearner<answer>::generate_statistics() {
  std::size_t letters = 0;
  int inner = 0;
  for (const TreeNode& node : tree_) {
    letters += node.suffix.size();
    inner += node.state == none && (node.parent != none || &node == &tree_[0]) ? 1 : 0;
  }
  const std::size_t transitions = states_.size() * static_cast<std::size_t>(alphabet_size);
  this->statistics["size.states"] = as_int(states_.size());
  this->statistics["size.tree.inner_nodes"] = inner;
  this->statistics["size.tree.suffix_letters"] = as_int(letters);
  this->statistics["memory.bytes"] =
      as_int(tree_.size() * sizeof(TreeNode) + states_.size() * sizeof(State) +
             transitions * sizeof(Transition) + letters * 3 * sizeof(void*));
}

template <class answer>
Serial DiscriminationTreeLearner<answer>::serialize() const {
  Serial data = ::serialize(serial_type_) + ::serialize(as_int(alphabet_size));
  data += ::serialize(as_int(tree_.size()));
  for (const TreeNode& node : tree_) {
    data += ::serialize(as_int(node.parent)) + ::serialize(as_int(node.on)) +
            ::serialize(as_int(node.temporary)) + ::serialize(as_int(node.state));
    data += ::serialize(node.suffix);
  }
  data += ::serialize(as_int(states_.size()));
  for (const State& state : states_) {
    data += ::serialize(as_int(state.parent)) + ::serialize(state.letter);
  }
  data += ::serialize(as_int(start_)) + ::serialize(counterexample_);
  data += ::serialize(as_int(uses_left_));
  return ::serialize(as_int(data.size())) + data;
}

template <class answer>
bool DiscriminationTreeLearner<answer>::deserialize(serial_stretch& serial) {
  clear();
  int length = 0;
  if (!::deserialize(length, serial) || length < 0 || length > serial.limit - serial.current) {
    return false;
  }
  serial_stretch content(serial.current, serial.current + length);
  serial.current += length;
  const bool complete = deserialize_content(content) && content.empty() && is_sound();
  if (!complete) clear();
  return complete;
}

template <class answer>
bool DiscriminationTreeLearner<answer>::deserialize_content(serial_stretch& serial) {
  int type = 0;
  int size = 0;
  int count = 0;
  if (!::deserialize(type, serial) || type != serial_type_ || !::deserialize(size, serial) ||
      size < 0 || !::deserialize(count, serial) || count < 0) {
    return false;
  }
  alphabet_size = size;
  for (; count > 0; --count) {
    int parent = 0;
    int on = 0;
    int temporary = 0;
    int state = 0;
    TreeNode node;
    if (!::deserialize(parent, serial) || !::deserialize(on, serial) ||
        !::deserialize(temporary, serial) || !::deserialize(state, serial) ||
        !::deserialize(node.suffix, serial)) {
      return false;
    }
    node.parent = static_cast<Id>(parent);
    node.on = on;
    node.temporary = temporary != 0;
    node.state = static_cast<Id>(state);
    tree_.push_back(std::move(node));
  }
  if (!::deserialize(count, serial) || count < 0) return false;
  for (; count > 0; --count) {
    int parent = 0;
    State state;
    if (!::deserialize(parent, serial) || !::deserialize(state.letter, serial)) return false;
    state.parent = static_cast<Id>(parent);
    states_.push_back(std::move(state));
  }
  int start = 0;
  int uses = 0;
  if (!::deserialize(start, serial) || !::deserialize(counterexample_, serial) ||
      !::deserialize(uses, serial)) {
    return false;
  }
  start_ = static_cast<Id>(start);
  uses_left_ = static_cast<std::size_t>(uses);
  return uses >= 0;
}

/// Links what was read and checks that it is a tree over states.
template <class answer>
bool DiscriminationTreeLearner<answer>::is_sound() {
  constexpr Answer most = std::is_same_v<answer, bool> ? 1 : 0xfffe;
  if (uses_left_ > 0 && start_ >= states_.size()) return false;
  if (!is_word(counterexample_, alphabet_size)) return false;
  for (Id s = 0; s < states_.size(); ++s) {
    const State& state = states_[s];
    if ((state.parent == none) != (s == 0)) return false;
    if (s > 0 && (state.parent >= s || state.letter < 0 || state.letter >= alphabet_size))
      return false;
  }
  for (Id n = 0; n < tree_.size(); ++n) {
    const TreeNode node = tree_[n];
    if (!is_word(node.suffix, alphabet_size)) return false;
    if (node.parent == none) {
      if (node.state != none || !node.suffix.empty()) return false;
      if (n > 0) unused_tree_nodes_.push_back(n);
    } else {
      if (node.parent >= tree_.size() || tree_[node.parent].state != none) return false;
      if (node.on < 0 || node.on > most || tree_[node.parent].child_on(node.on) != none)
        return false;
      tree_[node.parent].set_child(node.on, n);
    }
    if (node.state != none) {
      if (node.state >= states_.size() || states_[node.state].leaf != none) return false;
      states_[node.state].leaf = n;
    }
  }
  for (State& state : states_) {
    Id n = state.leaf;
    for (std::size_t steps = 0; n != none && tree_[n].parent != 0; n = tree_[n].parent) {
      if (++steps > tree_.size()) return false;  // a cycle
    }
    if (n == none) return false;  // no leaf, or one that is not in the tree
    state.says = tree_[n].on;
  }
  return true;
}

template class DiscriminationTreeLearner<bool>;
template class DiscriminationTreeLearner<int>;

}  // namespace rnnalf
