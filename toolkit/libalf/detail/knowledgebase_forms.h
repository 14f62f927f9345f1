#pragma once

// What a knowledgebase is exchanged as: other knowledgebases, serialised data, text, pictures and
// automata; and nodes in graded order. Included by knowledgebase.h.
namespace libalf {

template <class answer>
knowledgebase<answer>* knowledgebase<answer>::create_query_tree() {
  auto* queries = new knowledgebase();
  for (const node* n = first_pending(); n; n = pending_after(n)) {
    queries->get_nodeptr(n->get_word())->mark_required();
  }
  return queries;
}

template <class answer>
bool knowledgebase<answer>::merge_knowledgebase(knowledgebase& other) {
  if (&other == this) return true;
  bool consistent = true;
  other.for_each_stored([&](const node& theirs) {
    if (!consistent || !theirs.is_answered()) return;
    const std::list<int> word = theirs.get_word();
    const place at = locate(word.begin(), word.end());
    consistent =
        !at.exact() || !at.below->is_answered() || at.below->get_answer() == theirs.get_answer();
  });
  if (!consistent) return false;
  const unsigned before = clock_;
  other.for_each_stored([&](const node& theirs) {
    if (!theirs.is_answered()) return;
    node* ours = get_nodeptr(theirs.get_word());
    if (ours->is_answered()) return;
    ours->set_answer(theirs.get_answer());
    ours->stamp_ = before;
  });
  if (clock_ != before) clock_ = before + 1;
  return true;
}

template <class answer>
std::basic_string<std::int32_t> knowledgebase<answer>::serialize() const {
  std::basic_string<std::int32_t> data = detail::serialize_value(resolved_count_);
  for_each_stored([&](const node& n) {
    // The prefixes in the middle of the edge to n have one child each.
    for (detail::index i = 0; i + 1 < n.length_; ++i) {
      append_node(data, letters_[n.label_ + i], 0, node::NODE_IGNORE, nullptr, 1);
    }
    int children = 0;
    for_each_edge(n, [&](int, const node&) { ++children; });
    append_node(data, n.get_label(), stamp_of(n), n.state_, &n.value_, children);
  });
  return detail::with_length(data);
}

template <class answer>
bool knowledgebase<answer>::deserialize(serial_stretch& serial) {
  clear();
  serial_stretch rest;
  if (!detail::take_length(serial, rest)) return false;
  const bool complete = deserialize_content(serial) && serial.current == serial.limit;
  serial = rest;
  if (!complete) clear();
  return complete;
}

template <class answer>
bool knowledgebase<answer>::deserialize_query_acceptances(serial_stretch& serial) {
  serial_stretch reader = serial;
  int count = 0;
  if (!detail::deserialize_value(count, reader) || count != count_queries()) return false;
  std::vector<answer> answers;
  for (; count > 0; --count) {
    answer value{};
    if (!detail::deserialize_value(value, reader)) return false;
    answers.push_back(value);
  }
  for (const answer& value : answers) first_pending()->set_answer(value);
  serial = reader;
  return true;
}

template <class answer>
void knowledgebase<answer>::print(std::ostream& os) {
  os << "knowledgebase {\n";
  for (node& n : *this) {
    os << "\tnode " << word2string(n.get_word()) << " marked ";
    if (n.is_answered()) {
      os << "! answered " << n.get_answer() << '\n';
    } else {
      os << (n.is_required() ? "?\n" : "%\n");
    }
  }
  os << "}\n";
}

template <class answer>
std::string knowledgebase<answer>::to_string() {
  std::ostringstream text;
  print(text);
  return text.str();
}

template <class answer>
std::string knowledgebase<answer>::visualize() {
  std::ostringstream text;
  text << "digraph knowledgebase {\n\trankdir=LR;\n\tsize=8;\n";
  for (node& n : *this) {
    const std::string name = word2string(n.get_word());
    text << "\tnode [shape=\"" << shape_of(n) << "\", style=\"filled\", color=\"" << color_of(n)
         << "\", label=\"" << name << " [" << stamp_of(n) << ']';
    if (n.is_answered()) text << " := '" << n.get_answer() << '\'';
    text << "\"] \"k" << name << "\";\n";
  }
  for (node& n : *this) {
    for_each_child(n, [&](node& below) {
      text << "\t\"k" << word2string(n.get_word()) << "\" -> \"k" << word2string(below.get_word())
           << "\" [label=\"" << below.get_label() << "\"];\n";
    });
  }
  text << "}\n";
  return text.str();
}

template <class answer>
std::string knowledgebase<answer>::visualize(equivalence_relation& classes) {
  std::string text = visualize();
  text.resize(text.size() - 2);  // the closing brace
  for (node* first : classes.representatives_graded_lex()) {
    for (node* other : classes.get_equivalence_class(first)) {
      if (other == first) continue;
      text += "\t\"k" + word2string(first->get_word()) + "\" -> \"k" +
              word2string(other->get_word()) +
              "\" [color=\"orange\", constraint=\"false\", dir=\"none\"];\n";
    }
  }
  return text + "}\n";
}

template <class answer>
bool knowledgebase<answer>::equivalence_relation2automaton(equivalence_relation& classes,
                                                           bool ignoring_states_accept,
                                                           finite_automaton& automaton) {
  std::map<node*, int> states;
  for (node* first : classes.representatives_ptr()) {
    states.emplace(first, static_cast<int>(states.size()));
  }
  const auto state_of = [&](node* n) { return states.at(classes.representative_ptr(n)); };
  automaton.clear();
  automaton.is_deterministic = false;
  automaton.input_alphabet_size = get_largest_symbol();
  automaton.state_count = static_cast<int>(states.size());
  automaton.initial_states.insert(state_of(root_));
  for (auto at = classes.begin(); at != classes.end(); at = classes.upper_bound(at->first)) {
    node& n = *at->first;
    const int state = state_of(&n);
    for_each_child(n, [&](node& below) {
      automaton.transitions[state][below.get_label()].insert(state_of(&below));
    });
    if (!n.is_answered()) continue;
    const bool accepts = n.get_answer() == true;
    if (automaton.output_mapping.emplace(state, accepts).first->second != accepts) return false;
  }
  for (int state = 0; state < automaton.state_count; ++state) {
    automaton.output_mapping.emplace(state, ignoring_states_accept);
  }
  return true;
}

template <class answer>
void knowledgebase<answer>::append_node(std::basic_string<std::int32_t>& data, int label,
                                        unsigned stamp, int status, const answer* value,
                                        int children) {
  data += detail::serialize_value(label);
  data += detail::serialize_value(stamp);
  data += detail::serialize_value(status);
  if (status == node::NODE_ANSWERED) data += detail::serialize_value(*value);
  data += detail::serialize_value(children);
}

template <class answer>
bool knowledgebase<answer>::deserialize_content(serial_stretch& serial) {
  constexpr unsigned last_stamp = std::numeric_limits<unsigned>::max() - 1;
  int resolved = 0;
  if (!detail::deserialize_value(resolved, serial) || resolved < 0) return false;
  unsigned clock = first_clock;
  std::vector<std::pair<unsigned, node*>> pending;
  std::vector<int> word;
  struct level {
    int children_left;
    node* above;        // the nearest prefix that has a node ...
    std::size_t depth;  // ... and its length
  };
  std::vector<level> path{{1, root_, 0}};  // to the node that is read next
  while (!path.empty()) {
    if (path.back().children_left == 0) {
      path.pop_back();
      if (!word.empty()) word.pop_back();
      continue;
    }
    --path.back().children_left;
    const bool is_root = path.size() == 1;
    int label = 0;
    unsigned stamp = 0;
    int status = 0;
    int children = 0;
    answer value{};
    if (!detail::deserialize_value(label, serial) || !detail::deserialize_value(stamp, serial) ||
        !detail::deserialize_value(status, serial) || stamp > last_stamp ||
        status < node::NODE_IGNORE || status > node::NODE_ANSWERED ||
        (is_root ? label != -1 : !is_letter_to_read(label)) ||
        (status == node::NODE_ANSWERED && !detail::deserialize_value(value, serial)) ||
        !detail::deserialize_value(children, serial) || children < 0) {
      return false;
    }
    if (!is_root) word.push_back(label);
    level below{children, path.back().above, path.back().depth};
    // A prefix in the middle of an edge gets no node.
    if (status != node::NODE_IGNORE || children != 1) {
      node* n = below.above->find_or_create_descendant(
          word.begin() + static_cast<std::ptrdiff_t>(below.depth), word.end());
      if (n->is_answered() || n->is_required()) return false;  // the same word twice
      if (status == node::NODE_ANSWERED) {
        n->set_answer(value);
        n->stamp_ = stamp;
      } else if (status == node::NODE_REQUIRED) {
        n->mark_required();
        pending.emplace_back(stamp, n);
      }
      if (status != node::NODE_IGNORE) clock = std::max(clock, stamp + 1);
      below.above = n;
      below.depth = word.size();
    }
    path.push_back(below);
  }
  requeue(pending);
  clock_ = clock;
  resolved_count_ = static_cast<std::size_t>(resolved);
  return true;
}

template <class answer>
void knowledgebase<answer>::requeue(std::vector<std::pair<unsigned, node*>>& pending) {
  std::stable_sort(pending.begin(), pending.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  queue_.clear();
  queue_front_ = 0;
  for (const auto& [stamp, n] : pending) {
    n->stamp_ = static_cast<unsigned>(queue_.size());
    queue_.push_back({index_of(n), stamp});
  }
}

template <class answer>
const char* knowledgebase<answer>::shape_of(const node& n) {
  return n.is_answered() ? "ellipse" : n.is_required() ? "invhouse" : "box";
}

template <class answer>
const char* knowledgebase<answer>::color_of(const node& n) {
  if (n.is_required()) return "cyan";
  if (!n.is_answered()) return "gray95";
  if constexpr (std::is_same_v<answer, bool>) {
    return n.get_answer() ? "green" : "red";
  } else {
    return "orange";
  }
}

/// A node as its word; its answer is not part of it.
template <class answer>
std::basic_string<std::int32_t> serialize(typename knowledgebase<answer>::node* n) {
  return serialize_word(n->get_word());
}
template <class answer>
bool deserialize(typename knowledgebase<answer>::node*& into, knowledgebase<answer>& base,
                 serial_stretch& serial) {
  std::list<int> word;
  into = nullptr;
  if (!deserialize_word(word, serial)) return false;
  if (std::any_of(word.begin(), word.end(), [](int letter) { return letter < 0; })) return false;
  into = base.get_nodeptr(word);
  return true;
}

/// Walks over a node and all below it, shorter words first, words of one length in dictionary
/// order.
template <class answer>
class kIterator_lex_graded {
 public:
  using node = typename knowledgebase<answer>::node;

  explicit kIterator_lex_graded(node* root) { set_root(root); }

  void set_root(node* root) {
    pending_ = {};
    pending_.push(root);
  }
  bool end() const { return pending_.empty(); }

  kIterator_lex_graded& operator++() {
    if (pending_.empty()) return *this;
    node* n = pending_.front();
    pending_.pop();
    for (node* below = n->next_child(0); below; below = n->next_child(below->get_label() + 1)) {
      pending_.push(below);
    }
    return *this;
  }
  kIterator_lex_graded operator++(int) {
    kIterator_lex_graded before = *this;
    ++*this;
    return before;
  }
  node& operator*() const { return *pending_.front(); }
  node* operator->() const { return pending_.front(); }

  friend bool operator==(const kIterator_lex_graded& a, const kIterator_lex_graded& b) {
    return a.at() == b.at();
  }
  friend bool operator!=(const kIterator_lex_graded& a, const kIterator_lex_graded& b) {
    return !(a == b);
  }

 private:
  node* at() const { return pending_.empty() ? nullptr : pending_.front(); }

  std::queue<node*> pending_;  // the current node first
};

}  // namespace libalf

/// Prints visualize().
template <class answer>
std::ostream& operator<<(std::ostream& out, libalf::knowledgebase<answer>& base) {
  return out << base.visualize();
}
