#include "rnnalf/libalf/lsharp.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <ostream>
#include <type_traits>

namespace rnnalf {
namespace {

constexpr std::int32_t kLSharpSerialType = 1002;

}  // namespace

template <class answer>
LSharpLearner<answer>::LSharpLearner(libalf::knowledgebase<answer>* base, libalf::logger* log,
                                     int size) {
  this->set_alphabet_size(size);
  this->set_logger(log);
  this->set_knowledge_source(base);
}

template <class answer>
void LSharpLearner<answer>::clear() {
  tree_.clear();
  basis_.clear();
  transitions_.clear();
  suffixes_.clear();
  counterexample_.clear();
  uses_left_ = 0;
  own_uses_left_ = first_own_uses;
  identified_ = false;
}

// The observation tree.

template <class answer>
auto LSharpLearner<answer>::add_node(Id parent, int symbol) -> Id {
  const auto added = static_cast<Id>(tree_.size());
  TreeNode node;
  node.parent = parent;
  node.symbol = symbol;
  if (my_knowledge != nullptr) {
    node.at = parent == none ? my_knowledge->get_rootptr()
                             : tree_[parent].at->find_or_create_child(symbol);
  }
  tree_.push_back(std::move(node));
  if (parent != none) tree_[parent].children.emplace_back(symbol, added);
  return added;
}

/// After deserialisation, nodes are without the knowledgebase's.
template <class answer>
void LSharpLearner<answer>::link() {
  if (tree_.empty() || tree_[0].at != nullptr) return;
  for (TreeNode& node : tree_) {
    node.at = node.parent == none ? my_knowledge->get_rootptr()
                                  : tree_[node.parent].at->find_or_create_child(node.symbol);
  }
}

template <class answer>
auto LSharpLearner<answer>::child(Id node, int symbol) const -> Id {
  for (const auto& [on, below] : tree_[node].children) {
    if (on == symbol) return below;
  }
  return none;
}

template <class answer>
auto LSharpLearner<answer>::descendant(Id node, std::list<int>::const_iterator from,
                                       std::list<int>::const_iterator to) -> Id {
  for (; from != to; ++from) {
    const Id below = child(node, *from);
    node = below != none ? below : add_node(node, *from);
  }
  return node;
}

template <class answer>
auto LSharpLearner<answer>::ask(Id id) -> Answer {
  TreeNode& node = tree_[id];
  if (node.says == pending) {
    if (!node.at->is_answered()) {
      node.at->mark_required();
      return pending;
    }
    node.says = static_cast<Answer>(node.at->get_answer());
    identified_ = false;
  }
  return node.says;
}

template <class answer>
std::list<int> LSharpLearner<answer>::word_of(Id node) const {
  std::list<int> word;
  for (; tree_[node].parent != none; node = tree_[node].parent) word.push_front(tree_[node].symbol);
  return word;
}

/// Breadth first over the pairs of nodes that the same suffix leads to.
template <class answer>
bool LSharpLearner<answer>::apart(Id a, Id b, std::list<int>* suffix) const {
  struct Pair {
    Id a, b;
    std::size_t before;
    int symbol;
  };
  std::vector<Pair> pairs = {{a, b, 0, -1}};
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const Pair pair = pairs[at];
    const TreeNode& left = tree_[pair.a];
    const Answer right_says = tree_[pair.b].says;
    if (left.says != pending && right_says != pending && left.says != right_says) {
      for (std::size_t back = at; suffix != nullptr && back != 0; back = pairs[back].before) {
        suffix->push_front(pairs[back].symbol);
      }
      return true;
    }
    for (const auto& [symbol, below] : left.children) {
      const Id other = child(pair.b, symbol);
      if (other != none) pairs.push_back({below, other, at, symbol});
    }
  }
  return false;
}

template <class answer>
const std::list<int>& LSharpLearner<answer>::separating_suffix(Id state_a, Id state_b) {
  const auto [found, fresh] = suffixes_.try_emplace(std::minmax(state_a, state_b));
  if (fresh) apart(basis_[state_a], basis_[state_b], &found->second);
  return found->second;
}

// Basis and frontier.

template <class answer>
void LSharpLearner<answer>::add_state(Id node) {
  const auto state = static_cast<Id>(basis_.size());
  tree_[node].state = state;
  basis_.push_back(node);
  for (auto& of_state : transitions_) {
    for (Transition& t : of_state) {
      if (t.node != none && tree_[t.node].state == none && !apart(t.node, node, nullptr)) {
        t.candidates.push_back(state);
      }
    }
  }
  transitions_.emplace_back();
}

/// Every successor of a basis node is asked, and gets its candidates. False: answers are missing.
template <class answer>
bool LSharpLearner<answer>::ask_successors() {
  bool all = true;
  for (Id state = 0; state < basis_.size(); ++state) {
    transitions_[state].resize(static_cast<std::size_t>(alphabet_size));
    for (int symbol = 0; symbol < alphabet_size; ++symbol) {
      Transition& t = transition(state, symbol);
      if (t.node != none) continue;
      const Id below = child(basis_[state], symbol);
      const Id node = below != none ? below : add_node(basis_[state], symbol);
      if (ask(node) == pending) {
        all = false;
        continue;
      }
      t.node = node;
      identified_ = false;
      for (Id other = 0; other < basis_.size() && tree_[node].state == none; ++other) {
        if (!apart(node, basis_[other], nullptr)) t.candidates.push_back(other);
      }
    }
  }
  return all;
}

template <class answer>
auto LSharpLearner<answer>::identify() -> Step {
  if (identified_) return Step::Nothing;
  bool waiting = false;
  const std::size_t known = basis_.size();  // the successors of new states are asked later
  for (Id state = 0; state < known; ++state) {
    for (int symbol = 0; symbol < alphabet_size; ++symbol) {
      const Id node = transition(state, symbol).node;
      if (tree_[node].state != none) continue;
      for (;;) {
        auto& candidates = transition(state, symbol).candidates;
        candidates.erase(
            std::remove_if(candidates.begin(), candidates.end(),
                           [&](Id other) { return apart(node, basis_[other], nullptr); }),
            candidates.end());
        if (candidates.empty()) {
          add_state(node);
          break;
        }
        if (candidates.size() == 1) break;
        const std::list<int>& suffix = separating_suffix(candidates[0], candidates[1]);
        if (ask(descendant(node, suffix.begin(), suffix.end())) == pending) {
          waiting = true;
          break;
        }
      }
    }
  }
  if (basis_.size() > known) return Step::Changed;
  if (waiting) return Step::QueriesPending;
  identified_ = true;
  return Step::Nothing;
}

template <class answer>
auto LSharpLearner<answer>::target(Id state, int symbol) const -> Id {
  const Transition& t = transitions_[state][static_cast<std::size_t>(symbol)];
  return tree_[t.node].state != none ? tree_[t.node].state : t.candidates.front();
}

template <class answer>
bool LSharpLearner<answer>::complete() {
  link();
  if (tree_.empty()) add_node(none, -1);
  if (basis_.empty()) {
    if (ask(0) == pending) return false;
    add_state(0);
  }
  for (;;) {
    if (!ask_successors()) return false;
    Step step = identify();
    if (step == Step::Nothing && uses_left_ > 0) step = use_counterexample();
    if (step == Step::QueriesPending) return false;
    if (step == Step::Changed || uses_left_ > 0 || !identified_) continue;
    if (!find_contradiction()) return true;
  }
}

template <class answer>
libalf::conjecture* LSharpLearner<answer>::derive_conjecture() {
  using Automaton = std::conditional_t<std::is_same_v<answer, bool>, libalf::finite_automaton,
                                       libalf::moore_machine<answer>>;
  auto automaton = std::make_unique<Automaton>();
  automaton->is_deterministic = true;
  automaton->input_alphabet_size = alphabet_size;
  automaton->state_count = static_cast<int>(basis_.size());
  automaton->initial_states.insert(0);
  for (Id state = 0; state < basis_.size(); ++state) {
    automaton->output_mapping[static_cast<int>(state)] = static_cast<answer>(says(state));
    for (int symbol = 0; symbol < alphabet_size; ++symbol) {
      automaton->transitions[static_cast<int>(state)][symbol].insert(
          static_cast<int>(target(state, symbol)));
    }
  }
  automaton->valid = true;
  return automaton.release();
}

// Counterexamples. For a word w of length n on which the hypothesis is wrong, let q_i be the state
// after i symbols and f(i) the answer for q_i's access word followed by the last n-i symbols. f(0)
// is the true answer and f(n) the hypothesis's; they differ, so f(i) != f(i+1) for some i: the
// successor of q_i by symbol i+1 is apart from q_i+1, its only candidate.

template <class answer>
bool LSharpLearner<answer>::conjecture_ready() {
  return my_knowledge != nullptr && identified_ && uses_left_ == 0 &&
         std::all_of(transitions_.begin(), transitions_.end(), [&](const auto& of_state) {
           return of_state.size() == static_cast<std::size_t>(alphabet_size);
         });
}

template <class answer>
bool LSharpLearner<answer>::add_counterexample(std::list<int> word) {
  const char* reason = nullptr;
  if (!conjecture_ready()) {
    reason = "no conjecture was delivered since the last one";
  } else if (std::any_of(word.begin(), word.end(), [](int symbol) { return symbol < 0; })) {
    reason = "expected symbols 0, 1, ...";
  } else {
    const int largest = word.empty() ? -1 : *std::max_element(word.begin(), word.end());
    if (largest >= alphabet_size) {
      increase_alphabet_size(largest + 1);
    } else {
      Id state = 0;
      for (const int symbol : word) state = target(state, symbol);
      const KnowledgeNode* at =
          my_knowledge->get_rootptr()->find_or_create_descendant(word.begin(), word.end());
      if (at->is_answered() && static_cast<Answer>(at->get_answer()) == says(state)) {
        reason = "the conjecture is right on it";
      }
    }
  }
  if (reason != nullptr) {
    (*my_logger)(libalf::LOGGER_WARN, "%s: counterexample %s refused: %s\n", get_name(),
                 libalf::word2string(word).c_str(), reason);
    return false;
  }
  uses_left_ = word.size() + 1;
  own_uses_left_ = std::max(first_own_uses, basis_.size());
  counterexample_ = std::move(word);
  return true;
}

template <class answer>
auto LSharpLearner<answer>::use_counterexample() -> Step {
  std::vector<Id> path = {0};
  for (const int symbol : counterexample_) path.push_back(target(path.back(), symbol));
  const auto value = [&](std::size_t i) {
    const auto from = std::next(counterexample_.begin(), static_cast<std::ptrdiff_t>(i));
    return ask(descendant(basis_[path[i]], from, counterexample_.end()));
  };
  const Answer truth = value(0);
  if (truth == pending) return Step::QueriesPending;
  const Answer conjectured = says(path.back());
  if (truth == conjectured) {
    uses_left_ = 0;
    return Step::Nothing;
  }
  std::size_t low = 0;
  std::size_t high = counterexample_.size();  // f(low) != f(high) == conjectured
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const Answer said = value(middle);
    if (said == pending) return Step::QueriesPending;
    (said == conjectured ? high : low) = middle;
  }
  if (value(high) == pending) return Step::QueriesPending;
  --uses_left_;
  identified_ = false;
  return Step::Changed;
}

/// Runs the hypothesis along the tree. A shortest word that it gets wrong becomes the
/// counterexample in use.
template <class answer>
bool LSharpLearner<answer>::find_contradiction() {
  if (own_uses_left_ == 0) return false;
  std::vector<Id> reached(tree_.size(), 0);
  std::vector<std::size_t> length(tree_.size(), 0);
  Id shortest = none;
  for (Id node = 1; node < tree_.size(); ++node) {
    const TreeNode& here = tree_[node];
    reached[node] = target(reached[here.parent], here.symbol);
    length[node] = length[here.parent] + 1;
    if (here.says == pending || here.says == says(reached[node])) continue;
    if (shortest == none || length[node] < length[shortest]) shortest = node;
  }
  if (shortest == none) return false;
  --own_uses_left_;
  uses_left_ = 1;
  counterexample_ = word_of(shortest);
  return true;
}

template <class answer>
void LSharpLearner<answer>::increase_alphabet_size(int new_size) {
  if (new_size <= alphabet_size) return;
  alphabet_size = new_size;
  identified_ = false;
}

// Text and serialisation.

template <class answer>
void LSharpLearner<answer>::print(std::ostream& os) const {
  os << "observation tree of " << tree_.size() << " nodes {\n";
  for (Id state = 0; state < basis_.size(); ++state) {
    os << "\tstate " << state << ", word " << libalf::word2string(word_of(basis_[state]))
       << ", says " << says(state) << '\n';
  }
  os << "}\n";
}

template <class answer>
void LSharpLearner<answer>::generate_statistics() {
  this->statistics["size.states"] = static_cast<int>(basis_.size());
  this->statistics["size.tree.nodes"] = static_cast<int>(tree_.size());
  this->statistics["memory.bytes"] =
      static_cast<int>(tree_.size() * (sizeof(TreeNode) + sizeof(int) * 4));
}

template <class answer>
std::basic_string<std::int32_t> LSharpLearner<answer>::serialize() const {
  std::basic_string<std::int32_t> data =
      ::serialize(kLSharpSerialType) + ::serialize(static_cast<int>(alphabet_size));
  data += ::serialize(static_cast<int>(tree_.size()));
  for (const TreeNode& node : tree_) {
    data += ::serialize(static_cast<int>(node.parent)) + ::serialize(node.symbol) +
            ::serialize(node.says);
  }
  data += ::serialize(static_cast<int>(basis_.size()));
  for (const Id node : basis_) data += ::serialize(static_cast<int>(node));
  data += ::serialize(counterexample_) + ::serialize(static_cast<int>(uses_left_));
  return ::serialize(static_cast<int>(data.size())) + data;
}

template <class answer>
bool LSharpLearner<answer>::deserialize(serial_stretch& serial) {
  clear();
  int length = 0;
  if (!::deserialize(length, serial) || length < 0 || length > serial.limit - serial.current) {
    return false;
  }
  serial_stretch content(serial.current, serial.current + length);
  serial.current += length;
  const bool complete = deserialize_content(content) && content.empty();
  if (!complete) clear();
  return complete;
}

template <class answer>
bool LSharpLearner<answer>::deserialize_content(serial_stretch& serial) {
  constexpr Answer most = std::is_same_v<answer, bool> ? 1 : 0xfffe;
  int type = 0, size = 0, count = 0;
  if (!::deserialize(type, serial) || type != kLSharpSerialType || !::deserialize(size, serial) ||
      size < 0 || !::deserialize(count, serial) || count < 0) {
    return false;
  }
  alphabet_size = size;
  for (Id id = 0; id < static_cast<Id>(count); ++id) {
    int parent = 0;
    TreeNode node;
    if (!::deserialize(parent, serial) || !::deserialize(node.symbol, serial) ||
        !::deserialize(node.says, serial)) {
      return false;
    }
    node.parent = static_cast<Id>(parent);
    const bool is_root = id == 0 && node.parent == none;
    if (!is_root && (node.parent >= id || node.symbol < 0 || node.symbol >= alphabet_size ||
                     child(node.parent, node.symbol) != none)) {
      return false;
    }
    if (node.says < pending || node.says > most) return false;
    if (!is_root) tree_[node.parent].children.emplace_back(node.symbol, id);
    tree_.push_back(std::move(node));
  }
  if (!::deserialize(count, serial) || count < 0) return false;
  for (int i = 0; i < count; ++i) {
    int node = 0;
    if (!::deserialize(node, serial) || node < 0 ||
        static_cast<std::size_t>(node) >= tree_.size()) {
      return false;
    }
    TreeNode& state = tree_[static_cast<Id>(node)];
    if (state.state != none || state.says == pending || (i == 0) != (node == 0)) return false;
    state.state = static_cast<Id>(i);
    basis_.push_back(static_cast<Id>(node));
  }
  // States are reached through states, and are pairwise apart.
  for (const Id node : basis_) {
    if (node != 0 && tree_[tree_[node].parent].state == none) return false;
    for (const Id other : basis_) {
      if (node != other && !apart(node, other, nullptr)) return false;
    }
  }
  transitions_.resize(basis_.size());
  int uses = 0;
  if (!::deserialize(counterexample_, serial) || !::deserialize(uses, serial) || uses < 0) {
    return false;
  }
  uses_left_ = static_cast<std::size_t>(uses);
  return std::all_of(counterexample_.begin(), counterexample_.end(),
                     [&](int symbol) { return 0 <= symbol && symbol < alphabet_size; });
}

template class LSharpLearner<bool>;
template class LSharpLearner<int>;

}  // namespace rnnalf
