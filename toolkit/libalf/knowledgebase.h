#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
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
  knowledgebase* create_query_tree() {
    auto* queries = new knowledgebase();
    for (const node* n = first_pending(); n; n = pending_after(n)) {
      queries->get_nodeptr(n->get_word())->mark_required();
    }
    return queries;
  }

  /// Imports the answers. False, and nothing changed, if any contradicts what is known.
  bool merge_knowledgebase(knowledgebase& other) {
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

  /// Length of the rest; clock; answered words with stamp and answer; pending words, in order, with
  /// stamp.
  std::basic_string<std::int32_t> serialize() const {
    std::basic_string<std::int32_t> data = ::serialize(clock_) + ::serialize(answer_count_);
    for_each_stored([&](const node& n) {
      if (!n.is_answered()) return;
      data += ::serialize(n.get_word());
      data += ::serialize(n.stamp_);
      data += detail::serialize_value(n.value_);
    });
    data += ::serialize(pending_count_);
    for (const node* n = first_pending(); n; n = pending_after(n)) {
      data += ::serialize(n->get_word());
      data += ::serialize(queue_[n->stamp_].stamp);
    }
    return detail::with_length(data);
  }

  /// Replaces everything. False on a malformed stretch; the knowledgebase is then empty.
  bool deserialize(serial_stretch& serial) {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = deserialize_content(serial) && serial.empty();
    serial = rest;
    if (!complete) clear();
    return complete;
  }

  /// Answers for the pending queries, in their order: how many, then one integer each. False, and
  /// nothing changed, unless their number fits.
  bool deserialize_query_acceptances(serial_stretch& serial) {
    serial_stretch reader = serial;
    std::size_t count = 0;
    if (!::deserialize(count, reader) || count != pending_count_) return false;
    std::vector<answer> answers;
    for (std::size_t i = 0; i < count; ++i) {
      answer value{};
      if (!detail::deserialize_value(value, reader)) return false;
      answers.push_back(value);
    }
    for (const answer& value : answers) first_pending()->set_answer(value);
    serial = reader;
    return true;
  }

  // Text.

  /// All nodes of the full tree: '!' answered, '?' pending, '%' neither.
  void print(std::ostream& os) {
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
  std::string to_string() {
    std::ostringstream text;
    print(text);
    return text.str();
  }
  /// Graphviz.
  std::string visualize() {
    std::ostringstream text;
    text << "digraph knowledgebase {\n\trankdir=LR;\n\tnode [style=filled];\n";
    for (node& n : *this) {
      const std::string name = word2string(n.get_word());
      text << "\t\"" << name << "\" [shape=" << shape_of(n) << ", color=" << color_of(n);
      if (n.is_answered()) text << ", label=\"" << name << " := " << n.get_answer() << '"';
      text << "];\n";
      if (node* parent = n.get_parent()) {
        text << "\t\"" << word2string(parent->get_word()) << "\" -> \"" << name << "\" [label=\""
             << n.get_label() << "\"];\n";
      }
    }
    text << "}\n";
    return text.str();
  }

  /// A word of the tree: ignored, required (a pending query) or answered.
  class node {
   public:
    node* get_selfptr() { return this; }

    /// Epsilon has none. Gives the prefix a node of its own.
    node* get_parent() {
      if (length_ > 1) return base().split(this, length_ - 1);
      return base().node_at(up_);
    }
    /// The last letter; -1 for epsilon.
    int get_label() const { return length_ == 0 ? -1 : base().letters_[label_ + length_ - 1]; }

    std::list<int> get_word() const {
      std::list<int> word;
      for (const node* n = this; n; n = base().node_at(n->up_)) {
        const auto first = base().letters_.begin() + n->label_;
        word.insert(word.begin(), first, first + n->length_);
      }
      return word;
    }
    /// The same without an allocation per letter. Not in upstream libalf.
    void get_word(std::vector<int>& into) const {
      const knowledgebase& b = base();
      std::size_t left = 0;
      for (const node* n = this; n; n = b.node_at(n->up_)) left += n->length_;
      into.resize(left);
      for (const node* n = this; n; n = b.node_at(n->up_)) {
        left -= n->length_;
        std::copy_n(b.letters_.data() + n->label_, n->length_, into.data() + left);
      }
    }

    /// NULL if no known word continues with these letters.
    node* find_child(int letter) { return find_descendant(&letter, &letter + 1); }
    template <class Iterator>
    node* find_descendant(Iterator first, Iterator last) {
      const place at = base().locate(first, last, this);
      if (!at.below || at.exact()) return at.below;
      return base().split(at.below, at.matched);
    }
    node* find_or_create_child(int letter) {
      return find_or_create_descendant(&letter, &letter + 1);
    }
    template <class Iterator>
    node* find_or_create_descendant(Iterator first, Iterator last) {
      knowledgebase& b = base();
      return b.descend(
          this, first, last, [](Iterator i) { return *i; },
          [&b](Iterator f, Iterator l) { return b.keep(f, l); });
    }
    /// One more than the largest letter that a known word continues with.
    int max_child_count() const {
      int largest = -1;
      base().for_each_edge(*this, [&](int letter, const node&) { largest = letter; });
      return largest + 1;
    }

    bool is_required() const { return state_ == required; }
    bool is_answered() const { return state_ == answered; }

    /// True if this is a pending query afterwards, false if it is answered.
    bool mark_required() {
      if (state_ == ignored) {
        state_ = required;
        base().append_pending(this);
      }
      return state_ == required;
    }
    /// False if a different answer is stored.
    bool set_answer(answer value) {
      if (state_ == answered) return value_ == value;
      knowledgebase& b = base();
      if (state_ == required) b.unlink_pending(this);
      state_ = answered;
      value_ = value;
      stamp_ = b.clock_++;
      ++b.answer_count_;
      return true;
    }
    /// Meaningful only if is_answered().
    answer get_answer() const { return value_; }
    /// Neither pending nor answered any more.
    void ignore() {
      if (state_ == required) base().unlink_pending(this);
      if (state_ == answered) --base().answer_count_;
      state_ = ignored;
    }

    /// No pending query below (and, with check_self, here).
    bool no_subqueries(bool check_self = true) const {
      bool none = !check_self || !is_required();
      base().for_each_below(*this, [&](const node& n) { none = none && !n.is_required(); });
      return none;
    }
    /// Both are answered, differently.
    bool different(const node* other) const {
      return is_answered() && other->is_answered() && value_ != other->value_;
    }
    bool is_prefix_of(const node* other) const {
      return libalf::is_prefix_of(get_word(), other->get_word());
    }
    bool is_suffix_of(const node* other) const {
      return libalf::is_suffix_of(get_word(), other->get_word());
    }
    bool is_lex_smaller(const node* other) const {
      return libalf::is_lex_smaller(get_word(), other->get_word());
    }
    bool is_graded_lex_smaller(const node* other) const {
      return libalf::is_graded_lex_smaller(get_word(), other->get_word());
    }

   private:
    friend class knowledgebase;
    friend class detail::object_pool<node, knowledgebase>;

    node() = default;

    knowledgebase& base() const {
      return *detail::object_pool<node, knowledgebase>::owner_of(this);
    }

    enum : std::uint8_t { ignored, required, answered };

    detail::index up_ = 0;      // nearest stored prefix
    detail::index label_ = 0;   // the letters between that and this: a place in letters_ ...
    detail::index length_ = 0;  // ... and their number; 0 only for epsilon
    detail::index down_ = 0;    // by fan_: nothing, the only child, or a block of edges
    unsigned stamp_ = 0;        // answered: the clock at that time; pending: its slot in queue_
    std::uint8_t state_ = ignored;
    std::uint8_t fan_ = 0;  // 0: leaf, 1: one child, k > 1: a block for 2^(k-1) children
    answer value_{};
  };

  /// A cursor over pending queries or over the whole tree.
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = node;
    using difference_type = std::ptrdiff_t;
    using pointer = node*;
    using reference = node&;

    iterator() = default;

    node& operator*() const { return *current_; }
    node* operator->() const { return current_; }

    /// Over pending queries: when the current one has been answered meanwhile, goes on with the one
    /// that followed it, or, if that is gone too, with the first one left.
    iterator& operator++() {
      current_ = kind_ == walk::preorder ? base_->next_in_preorder(current_) : next_pending();
      remember_next();
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    bool is_valid() const { return current_ != nullptr; }
    friend bool operator==(const iterator& a, const iterator& b) {
      return a.current_ == b.current_;
    }
    friend bool operator!=(const iterator& a, const iterator& b) {
      return a.current_ != b.current_;
    }

   private:
    friend class knowledgebase;
    enum class walk { pending, preorder };

    iterator(knowledgebase* base, node* at, walk kind) : base_(base), current_(at), kind_(kind) {
      remember_next();
    }

    void remember_next() {
      next_ = kind_ == walk::pending && current_ ? base_->pending_after(current_) : nullptr;
    }

    node* next_pending() const {
      if (current_->is_required()) return base_->pending_after(current_);
      if (!next_ || next_->is_required()) return next_;
      return base_->first_pending();
    }

    knowledgebase* base_ = nullptr;
    node* current_ = nullptr;
    node* next_ = nullptr;
    walk kind_ = walk::preorder;
  };

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

  void add_child(node* n, node* added) {
    const int letter = letters_[added->label_];
    const detail::index added_index = index_of(added);
    added->up_ = index_of(n);
    if (n->fan_ == 0) {
      n->down_ = added_index;
      n->fan_ = 1;
      return;
    }
    edge* entries = nullptr;
    std::size_t size = 0;
    if (n->fan_ == 1) {
      const detail::index only = n->down_;
      n->down_ = edges_.allocate(1);
      n->fan_ = 2;
      entries = edges_.at(n->down_);
      size = 2;
      entries[0] = {letters_[nodes_.at(only)->label_], only};
      entries[1] = {no_letter, 0};
    } else {
      entries = edges_.at(n->down_);
      size = std::size_t{1} << (n->fan_ - 1);
      if (entries[size - 1].child != 0) {
        const detail::index larger = edges_.allocate(n->fan_);
        edge* target = edges_.at(larger);
        std::copy(entries, entries + size, target);
        std::fill(target + size, target + 2 * size, edge{no_letter, 0});
        edges_.release(n->down_, n->fan_ - 1u);
        n->down_ = larger;
        ++n->fan_;
        entries = target;
        size *= 2;
      }
    }
    edge* at = find_edge(n, letter);
    std::move_backward(at, entries + size - 1, entries + size);
    *at = {letter, added_index};
  }

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
      if (node* next = first_child(n, from)) return next->length_ > 1 ? split(next, 1) : next;
      from = n->length_ ? letters_[n->label_] + 1 : 0;
      n = node_at(n->up_);
    }
    return nullptr;
  }

  /// The child with the smallest first letter that is not smaller than `from`.
  node* first_child(const node* n, int from) const {
    if (n->fan_ == 0) return nullptr;
    if (n->fan_ == 1) {
      node* only = nodes_.at(n->down_);
      return letters_[only->label_] >= from ? only : nullptr;
    }
    const edge* entry = find_edge(n, from);
    return entry ? node_at(entry->child) : nullptr;
  }

  bool deserialize_content(serial_stretch& serial) {
    unsigned clock = 0;
    std::size_t answers = 0;
    if (!::deserialize(clock, serial) || !::deserialize(answers, serial)) return false;
    std::list<int> word;
    const auto word_is_valid = [&] {
      return std::all_of(word.begin(), word.end(), [](int l) { return 0 <= l && l < no_letter; });
    };
    for (; answers > 0; --answers) {
      unsigned stamp = 0;
      answer value{};
      if (!::deserialize(word, serial) || !word_is_valid() || !::deserialize(stamp, serial) ||
          stamp >= clock || !detail::deserialize_value(value, serial)) {
        return false;
      }
      node* n = get_nodeptr(word);
      if (!n->set_answer(value)) return false;
      n->stamp_ = stamp;
    }
    clock_ = clock;
    std::size_t pending = 0;
    if (!::deserialize(pending, serial)) return false;
    for (; pending > 0; --pending) {
      unsigned stamp = 0;
      if (!::deserialize(word, serial) || !word_is_valid() || !::deserialize(stamp, serial) ||
          stamp > clock || get_nodeptr(word)->is_required() ||
          !get_nodeptr(word)->mark_required()) {
        return false;
      }
      queue_.back().stamp = stamp;
    }
    return true;
  }

  static const char* shape_of(const node& n) {
    return n.is_answered() ? "ellipse" : n.is_required() ? "invhouse" : "box";
  }
  static const char* color_of(const node& n) {
    if (n.is_required()) return "cyan";
    if (!n.is_answered()) return "gray95";
    if constexpr (std::is_same_v<answer, bool>) {
      return n.get_answer() ? "green" : "red";
    } else {
      return "orange";
    }
  }

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

/// Prints visualize().
template <class answer>
std::ostream& operator<<(std::ostream& out, libalf::knowledgebase<answer>& base) {
  return out << base.visualize();
}
