#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <libalf/alphabet.h>
#include <libalf/answer.h>
#include <libalf/conjecture.h>
#include <libalf/detail/node_relation.h>
#include <libalf/detail/pools.h>
#include <libalf/serialize.h>

namespace libalf {

/// All that is known of a language, and all that a learner still wants to know: words with answers,
/// and words marked as pending queries, in the order in which they were marked.
///
/// A prefix tree whose edges carry whole infixes: only words that somebody named, and the points
/// where words part, have a node of their own. Callers see the full tree, one node per prefix: a
/// node in the middle of an edge comes into being when it is asked for. Nodes keep their address
/// until clear() or deserialize(). Answering takes constant time for every pending query.
///
/// Not copyable. One knowledgebase and its learners belong to one thread.
/// A negative letter in a word is misuse: std::invalid_argument.
template <class answer>
class knowledgebase {
 public:
  class node;
  class iterator;

  /// For containers of nodes: by address.
  struct node_comparator {
    bool operator()(const node* a, const node* b) const { return std::less<const node*>()(a, b); }
  };
  using equivalence_relation = detail::node_relation<node, node_comparator>;

  /// Letters kept by the knowledgebase, to be followed from many nodes; see intern().
  struct infix {
    detail::index first = 0;
    detail::index length = 0;
  };

  knowledgebase() : nodes_(this) { plant_root(); }
  knowledgebase(const knowledgebase&) = delete;
  knowledgebase& operator=(const knowledgebase&) = delete;

  // State and counters.

  /// No query is pending.
  bool is_answered() const { return pending_count_ == 0; }
  /// No query is pending and no answer known.
  bool is_empty() const { return pending_count_ == 0 && answer_count_ == 0; }
  int count_queries() const { return static_cast<int>(pending_count_); }
  int count_answers() const { return static_cast<int>(answer_count_); }
  /// Nodes of the full tree: epsilon and all prefixes of all words.
  int count_nodes() const { return static_cast<int>(prefix_count_); }
  /// Successful look-ups so far, repeated ones included.
  int count_resolved_queries() const { return static_cast<int>(resolved_count_); }
  void reset_resolved_queries() { resolved_count_ = 0; }
  /// Every answer advances the clock by one; a merge counts once.
  unsigned get_timestamp() const { return clock_; }
  /// The largest letter seen, plus one; 0 when there is none.
  int get_largest_symbol() const { return largest_symbol_ + 1; }
  /// The largest letter seen itself; -1 when there is none.
  int check_largest_symbol() { return largest_symbol_; }
  unsigned long long get_memory_usage() const {
    return sizeof *this + nodes_.bytes() + edges_.bytes() + letters_.capacity() * sizeof(int) +
           queue_.capacity() * sizeof(query);
  }

  // Enumeration.

  /// Pending queries, first in first out. Answering the query an iterator stands on is fine.
  iterator qbegin() { return iterator(this, first_pending(), iterator::walk::pending); }
  iterator qend() { return iterator(this, nullptr, iterator::walk::pending); }
  /// All nodes of the full tree in preorder. This gives every prefix a node: see for_each_answer.
  iterator begin() { return iterator(this, root_, iterator::walk::preorder); }
  iterator end() { return iterator(this, nullptr, iterator::walk::preorder); }

  std::list<std::list<int>> get_queries() {
    std::list<std::list<int>> words;
    for (const node* n = first_pending(); n; n = pending_after(n)) words.push_back(n->get_word());
    return words;
  }

  /// Calls visit(word, answer) for every known word, in preorder, without adding nodes. Not in
  /// upstream libalf.
  template <class Visit>
  void for_each_answer(Visit visit) const {
    for_each_stored([&](const node& n) {
      if (n.is_answered()) visit(n.get_word(), n.get_answer());
    });
  }

  /// Calls visit(node) for every word that somebody named, known, asked or neither, and for every
  /// point where words part, in preorder, without adding nodes. Not in upstream libalf.
  template <class Visit>
  void for_each_node(Visit visit) const {
    for_each_stored(visit);
  }

  // Knowledge.

  /// False, and nothing changed, if a different answer is stored.
  bool add_knowledge(const std::list<int>& word, answer value) {
    return get_nodeptr(word)->set_answer(value);
  }
  void add_or_alter_knowledge(const std::list<int>& word, answer value) {
    node* n = get_nodeptr(word);
    n->ignore();
    n->set_answer(value);
  }
  /// Marks the word and its longest prefix_count proper prefixes; returns how many of them are
  /// pending afterwards.
  int add_query(const std::list<int>& word, int prefix_count = 0) {
    int pending = 0;
    const auto length = static_cast<int>(word.size());
    const int skip = std::max(0, length - prefix_count);
    auto position = std::next(word.begin(), skip);
    node* n = root_->find_or_create_descendant(word.begin(), position);
    pending += n->mark_required();
    for (; position != word.end(); ++position) {
      n = n->find_or_create_child(*position);
      pending += n->mark_required();
    }
    return pending;
  }
  /// True if the answer is known; then it is written to `into`.
  bool resolve_query(const std::list<int>& word, answer& into) {
    const place at = locate(word.begin(), word.end());
    if (!at.exact() || !at.below->is_answered()) return false;
    into = at.below->get_answer();
    ++resolved_count_;
    return true;
  }
  /// The same, but an unknown word becomes a pending query.
  bool resolve_or_add_query(const std::list<int>& word, answer& into) {
    return resolve_or_mark(get_nodeptr(word), into);
  }

  // Nodes.

  node* get_rootptr() { return root_; }
  node* get_nodeptr(const std::list<int>& word) {
    return root_->find_or_create_descendant(word.begin(), word.end());
  }
  bool node_exists(const std::list<int>& word) const {
    return locate(word.begin(), word.end()).below != nullptr;
  }
  bool knowledge_exists(const std::list<int>& word) const {
    const place at = locate(word.begin(), word.end());
    return at.exact() && at.below->is_answered();
  }

  // Nodes without words, for learners. Not in upstream libalf.

  /// Keeps the letters once, however many nodes they are followed from.
  template <class Letters>
  infix intern(const Letters& letters) {
    return keep(letters.begin(), letters.end());
  }
  /// The last letters of an interned infix, without its first `dropped` ones.
  static infix drop_front(infix whole, detail::index dropped) {
    return {whole.first + dropped, whole.length - dropped};
  }
  std::vector<int> letters_of(infix i) const {
    return {letters_.begin() + i.first, letters_.begin() + i.first + i.length};
  }
  node* descendant(node* from, infix path) {
    return descend(
        from, path.first, path.first + path.length,
        [this](detail::index position) { return letters_[position]; },
        [](detail::index first, detail::index last) {
          return infix{first, last - first};
        });
  }
  /// The answer, or a pending query.
  bool resolve_or_mark(node* n, answer& into) {
    if (!n->is_answered()) {
      n->mark_required();
      return false;
    }
    into = n->get_answer();
    ++resolved_count_;
    return true;
  }
  /// Changes whenever node addresses or known answers may have become invalid: clear, deserialize,
  /// undo.
  unsigned generation() const { return generation_; }

  // Forgetting.

  void clear() {
    nodes_.clear();
    edges_.clear();
    letters_.clear();
    letters_.shrink_to_fit();
    queue_.clear();
    queue_.shrink_to_fit();
    queue_front_ = 0;
    pending_count_ = answer_count_ = resolved_count_ = 0;
    clock_ = first_clock;
    largest_symbol_ = -1;
    plant_root();
    ++generation_;
  }
  void clear_queries() {
    while (node* n = first_pending()) n->ignore();
  }
  /// Forgets the answers and pending queries of the newest `count` steps of the clock, or all if
  /// there were fewer; learners must then be told by sync_to_knowledgebase(). Always true.
  bool undo(unsigned count) {
    clock_ = count < clock_ ? clock_ - count : first_clock;
    nodes_.for_each([this](node& n) {
      const bool pending = n.is_required();
      if ((pending ? queue_[n.stamp_].stamp : n.stamp_) >= clock_) n.ignore();
    });
    ++generation_;
    return true;
  }

  // Exchange.

  /// A new knowledgebase, owned by the caller, with the pending queries alone.
  knowledgebase* create_query_tree();

  /// Imports the answers. False, and nothing changed, if any contradicts what is known.
  bool merge_knowledgebase(knowledgebase& other);

  /// As upstream libalf writes it. Length of the rest; successful look-ups; then every node of the
  /// full tree in preorder: last letter (-1 for epsilon), stamp, status, answer if there is one,
  /// number of children.
  std::basic_string<std::int32_t> serialize() const;

  /// Replaces everything. Pending queries come back in the order of their stamps, equal ones in
  /// preorder. False on a malformed stretch; the knowledgebase is then empty.
  bool deserialize(serial_stretch& serial);

  /// Answers for the pending queries, in their order: how many, then one integer each. False, and
  /// nothing changed, unless their number fits.
  bool deserialize_query_acceptances(serial_stretch& serial);

  // Text.

  /// All nodes of the full tree: '!' answered, '?' pending, '%' neither.
  void print(std::ostream& os);
  std::string to_string();
  /// Graphviz. In brackets: the clock at the time of the answer or of the query.
  std::string visualize();
  /// The same, with lines between equivalent nodes.
  std::string visualize(equivalence_relation& classes);

  // Automata of samples.

  /// The automaton whose states are the classes, in the order of the addresses of their smallest
  /// nodes. Classes without an answer accept if ignoring_states_accept. False if a class has nodes
  /// with different answers. Sets neither `valid` nor determinism.
  bool equivalence_relation2automaton(equivalence_relation& classes, bool ignoring_states_accept,
                                      finite_automaton& automaton);

 private:
  friend class node;

  struct edge {
    int letter;  // first one of the child's label; no_letter in unused entries, which come last
    detail::index child;
  };
  static constexpr unsigned first_clock = 1;
  static constexpr int no_letter = std::numeric_limits<int>::max();

  /// Where a word ends: `matched` letters into the edge that leads to `below`; NULL: outside the
  /// tree.
  struct place {
    node* below = nullptr;
    detail::index matched = 0;
    bool exact() const { return below && matched == below->length_; }
  };

  node* node_at(detail::index i) const { return i ? nodes_.at(i) : nullptr; }
  static detail::index index_of(const node* n) {
    return detail::object_pool<node, knowledgebase>::index_of(n);
  }

  void plant_root() {
    root_ = nodes_.create();
    prefix_count_ = 1;
  }

  template <class Iterator>
  infix keep(Iterator first, Iterator last) {
    const std::size_t begin = letters_.size();
    for (; first != last; ++first) {
      const int letter = *first;
      if (letter < 0 || letter == no_letter) {
        letters_.resize(begin);
        throw std::invalid_argument("libalf::knowledgebase: expected letters 0, 1, ..., found " +
                                    std::to_string(letter));
      }
      letters_.push_back(letter);
    }
    if (letters_.size() > std::numeric_limits<detail::index>::max()) {
      throw std::length_error("libalf::knowledgebase: more than 2^32 letters");
    }
    return {static_cast<detail::index>(begin), static_cast<detail::index>(letters_.size() - begin)};
  }

  // Edges, sorted by letter.

  node* child(const node* n, int letter) const {
    if (n->fan_ == 0) return nullptr;
    if (n->fan_ == 1) {
      node* only = nodes_.at(n->down_);
      return letters_[only->label_] == letter ? only : nullptr;
    }
    const edge* entry = find_edge(n, letter);
    return entry && entry->letter == letter ? nodes_.at(entry->child) : nullptr;
  }

  /// First entry whose letter is not smaller; NULL if there is none.
  edge* find_edge(const node* n, int letter) const {
    edge* first = edges_.at(n->down_);
    edge* last = first + (std::size_t{1} << (n->fan_ - 1));
    if (n->fan_ <= 4) {
      while (first != last && first->letter < letter) ++first;
    } else {
      first =
          std::lower_bound(first, last, letter, [](const edge& e, int l) { return e.letter < l; });
    }
    return first == last ? nullptr : first;
  }

  void add_child(node* n, node* added);

  void replace_child(node* n, int letter, node* with) {
    with->up_ = index_of(n);
    if (n->fan_ == 1) {
      n->down_ = index_of(with);
    } else {
      find_edge(n, letter)->child = index_of(with);
    }
  }

  /// Gives the word `matched` letters down the edge to `below` a node of its own.
  node* split(node* below, detail::index matched) {
    node* above = node_at(below->up_);
    node* middle = nodes_.create();
    middle->label_ = below->label_;
    middle->length_ = matched;
    replace_child(above, letters_[below->label_], middle);
    below->label_ += matched;
    below->length_ -= matched;
    middle->down_ = index_of(below);
    middle->fan_ = 1;
    below->up_ = index_of(middle);
    return middle;
  }

  /// Follows the letters from a node on, and adds what is missing. `label` stores the letters of a
  /// range.
  template <class Position, class LetterAt, class Label>
  node* descend(node* from, Position first, Position last, LetterAt letter_at, Label label) {
    node* n = from;
    while (first != last) {
      node* next = child(n, letter_at(first));
      if (!next) return add_leaf(n, label(first, last));
      const detail::index matched = match(next, first, last, letter_at);
      n = matched == next->length_ ? next : split(next, matched);
    }
    return n;
  }

  /// Number of letters, at least one, that the edge to n shares with the range, which moves past
  /// them.
  template <class Position, class LetterAt>
  detail::index match(const node* n, Position& first, const Position& last,
                      LetterAt letter_at) const {
    const int* letters = letters_.data() + n->label_;
    detail::index matched = 1;
    ++first;
    while (matched < n->length_ && first != last && letters[matched] == letter_at(first)) {
      ++matched;
      ++first;
    }
    return matched;
  }

  node* add_leaf(node* n, infix label) {
    node* leaf = nodes_.create();
    leaf->label_ = label.first;
    leaf->length_ = label.length;
    prefix_count_ += label.length;
    const auto begin = letters_.begin() + label.first;
    largest_symbol_ = std::max(largest_symbol_, *std::max_element(begin, begin + label.length));
    add_child(n, leaf);
    return leaf;
  }

  template <class Iterator>
  place locate(Iterator first, Iterator last, node* from = nullptr) const {
    place at{from ? from : root_, 0};
    at.matched = at.below->length_;
    const auto letter_at = [](const Iterator& i) { return *i; };
    while (first != last) {
      if (!at.exact()) return {};
      node* next = child(at.below, *first);
      if (!next) return {};
      at = {next, match(next, first, last, letter_at)};
    }
    return at;
  }

  // The queue of pending queries.

  struct query {
    detail::index at;  // 0: no longer pending
    unsigned stamp;    // the clock when it was marked
  };

  node* first_pending() const { return pending_from(queue_front_); }
  node* pending_after(const node* n) const { return pending_from(n->stamp_ + 1); }
  node* pending_from(std::size_t slot) const {
    while (slot < queue_.size() && queue_[slot].at == 0) ++slot;
    return slot < queue_.size() ? nodes_.at(queue_[slot].at) : nullptr;
  }

  void append_pending(node* n) {
    n->stamp_ = static_cast<unsigned>(queue_.size());
    queue_.push_back({index_of(n), clock_});
    ++pending_count_;
  }
  void unlink_pending(node* n) {
    queue_[n->stamp_].at = 0;
    --pending_count_;
    while (queue_front_ < queue_.size() && queue_[queue_front_].at == 0) ++queue_front_;
    if (queue_.size() / 2 >= pending_count_) close_gaps();
  }
  /// Half the slots or more have become gaps since the last time: constant time for each.
  void close_gaps() {
    std::size_t kept = 0;
    for (std::size_t slot = queue_front_; slot < queue_.size(); ++slot) {
      if (queue_[slot].at == 0) continue;
      nodes_.at(queue_[slot].at)->stamp_ = static_cast<unsigned>(kept);
      queue_[kept++] = queue_[slot];
    }
    queue_.resize(kept);
    queue_front_ = 0;
  }

  // Walks. None recurses: words may be long.

  template <class Visit>
  void for_each_edge(const node& n, Visit visit) const {
    if (n.fan_ == 1) {
      const node& only = *nodes_.at(n.down_);
      visit(letters_[only.label_], only);
    } else if (n.fan_ > 1) {
      const edge* entry = edges_.at(n.down_);
      const edge* last = entry + (std::size_t{1} << (n.fan_ - 1));
      for (; entry != last && entry->child; ++entry) visit(entry->letter, *nodes_.at(entry->child));
    }
  }

  /// All stored nodes below n, n excluded, in preorder.
  template <class Visit>
  void for_each_below(const node& n, Visit visit) const {
    std::vector<const node*> open;
    const auto push_children = [&](const node& of) {
      const std::size_t first = open.size();
      for_each_edge(of, [&](int, const node& below) { open.push_back(&below); });
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    };
    push_children(n);
    while (!open.empty()) {
      const node& next = *open.back();
      open.pop_back();
      visit(next);
      push_children(next);
    }
  }
  template <class Visit>
  void for_each_stored(Visit visit) const {
    visit(static_cast<const node&>(*root_));
    for_each_below(*root_, visit);
  }

  node* next_in_preorder(node* n) {
    int from = 0;  // smaller letters have been visited
    while (n) {
      if (node* next = next_child(n, from)) return next;
      from = n->length_ ? letters_[n->label_] + 1 : 0;
      n = node_at(n->up_);
    }
    return nullptr;
  }

  node* next_child(node* n, int from) {
    node* next = first_edge(n, from);
    return next && next->length_ > 1 ? split(next, 1) : next;
  }

  /// The edge with the smallest first letter that is not smaller than `from`: the node it leads to.
  node* first_edge(const node* n, int from) const {
    if (n->fan_ == 0) return nullptr;
    if (n->fan_ == 1) {
      node* only = nodes_.at(n->down_);
      return letters_[only->label_] >= from ? only : nullptr;
    }
    const edge* entry = find_edge(n, from);
    return entry ? node_at(entry->child) : nullptr;
  }

  static void append_node(std::basic_string<std::int32_t>& data, int label, unsigned stamp,
                          int status, const answer* value, int children);

  /// A larger one is damage, and would cost learners memory for every letter below it.
  static bool is_letter_to_read(int letter) {
    return 0 <= letter && letter != no_letter && detail::is_alphabet_size(letter + 1);
  }

  bool deserialize_content(serial_stretch& serial);

  /// The pending queries, in the order of the stamps given, which become theirs.
  void requeue(std::vector<std::pair<unsigned, node*>>& pending);

  template <class Visit>
  void for_each_child(node& n, Visit visit) {
    for (node* below = n.next_child(0); below; below = n.next_child(below->get_label() + 1)) {
      visit(*below);
    }
  }

  /// The clock when the node was answered or marked; 0 for all others.
  unsigned stamp_of(const node& n) const {
    return n.is_answered() ? n.stamp_ : n.is_required() ? queue_[n.stamp_].stamp : 0;
  }

  static const char* shape_of(const node& n);
  static const char* color_of(const node& n);

  detail::object_pool<node, knowledgebase> nodes_;
  detail::block_pool<edge> edges_;
  std::vector<int> letters_;
  node* root_ = nullptr;
  std::vector<query> queue_;     // pending queries in order, with gaps where some were answered
  std::size_t queue_front_ = 0;  // no query before this slot
  std::size_t pending_count_ = 0;
  std::size_t answer_count_ = 0;
  std::size_t resolved_count_ = 0;
  std::size_t prefix_count_ = 0;
  unsigned clock_ = first_clock;
  unsigned generation_ = 0;
  int largest_symbol_ = -1;
};

}  // namespace libalf

#include <libalf/detail/knowledgebase_node.h>

#include <libalf/detail/knowledgebase_forms.h>
