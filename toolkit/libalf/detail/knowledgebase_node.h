#pragma once

// The nodes of a knowledgebase, the cursor over them, and how a node gets another child; included
// by knowledgebase.h.
namespace libalf {

/// A word of the tree: ignored, required (a pending query) or answered.
template <class answer>
class knowledgebase<answer>::node {
 public:
  enum status_e { NODE_IGNORE = 0, NODE_REQUIRED = 1, NODE_ANSWERED = 2 };

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
  node* find_or_create_child(int letter) { return find_or_create_descendant(&letter, &letter + 1); }
  template <class Iterator>
  node* find_or_create_descendant(Iterator first, Iterator last) {
    knowledgebase& b = base();
    return b.descend(
        this, first, last, [](Iterator i) { return *i; },
        [&b](Iterator f, Iterator l) { return b.keep(f, l); });
  }
  /// The child with the smallest letter that is not smaller than `from`; NULL if there is none.
  /// Not in upstream libalf.
  node* next_child(int from) { return base().next_child(this, from); }
  /// One more than the largest letter that a known word continues with.
  int max_child_count() const {
    int largest = -1;
    base().for_each_edge(*this, [&](int letter, const node&) { largest = letter; });
    return largest + 1;
  }

  bool is_required() const { return state_ == NODE_REQUIRED; }
  bool is_answered() const { return state_ == NODE_ANSWERED; }

  /// True if this is a pending query afterwards, false if it is answered.
  bool mark_required() {
    if (state_ == NODE_IGNORE) {
      state_ = NODE_REQUIRED;
      base().append_pending(this);
    }
    return state_ == NODE_REQUIRED;
  }
  /// False if a different answer is stored.
  bool set_answer(answer value) {
    if (state_ == NODE_ANSWERED) return value_ == value;
    knowledgebase& b = base();
    if (state_ == NODE_REQUIRED) b.unlink_pending(this);
    state_ = NODE_ANSWERED;
    value_ = value;
    stamp_ = b.clock_++;
    ++b.answer_count_;
    return true;
  }
  /// Meaningful only if is_answered().
  answer get_answer() const { return value_; }
  /// Neither pending nor answered any more.
  void ignore() {
    if (state_ == NODE_REQUIRED) base().unlink_pending(this);
    if (state_ == NODE_ANSWERED) --base().answer_count_;
    state_ = NODE_IGNORE;
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
  /// Some word of up to `depth` letters (-1: of any length), appended to both, is answered
  /// differently.
  bool recursive_different(const node* other, int depth) const {
    const std::vector<int> own = letters();
    const std::vector<int> others = other->letters();
    bool differs = different(other);
    const auto compare = [&](const node& n) {
      std::vector<int> word = n.letters();
      const auto end_of_own = word.begin() + static_cast<std::ptrdiff_t>(own.size());
      const std::vector<int> suffix(end_of_own, word.end());
      if (differs || !n.is_answered()) return;
      if (depth >= 0 && suffix.size() > static_cast<std::size_t>(depth)) return;
      word = others;
      word.insert(word.end(), suffix.begin(), suffix.end());
      const place at = other->base().locate(word.begin(), word.end());
      differs = at.exact() && n.different(at.below);
    };
    base().for_each_below(*this, compare);
    return differs;
  }
  /// Some word that begins with this one has that answer.
  bool has_specific_suffix(answer wanted) const {
    bool found = is_answered() && get_answer() == wanted;
    base().for_each_below(*this, [&](const node& n) {
      found = found || (n.is_answered() && n.get_answer() == wanted);
    });
    return found;
  }
  /// Nothing is known or asked here and below. (Nodes are not removed: they cost little.)
  bool cleanup() {
    bool unused = state_ == NODE_IGNORE;
    base().for_each_below(*this,
                          [&](const node& n) { unused = unused && n.state_ == NODE_IGNORE; });
    return unused;
  }
  unsigned long long get_memory_usage() const {
    unsigned long long bytes = sizeof *this;
    base().for_each_below(*this, [&](const node&) { bytes += sizeof *this; });
    return bytes;
  }
  bool is_prefix_of(const node* other) const {
    return libalf::is_prefix_of(get_word(), other->get_word());
  }
  /// This word begins with the other: libalf's meaning of the name.
  bool is_suffix_of(const node* other) const { return other->is_prefix_of(this); }
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

  knowledgebase& base() const { return *detail::object_pool<node, knowledgebase>::owner_of(this); }

  std::vector<int> letters() const {
    std::vector<int> word;
    get_word(word);
    return word;
  }

  detail::index up_ = 0;      // nearest stored prefix
  detail::index label_ = 0;   // the letters between that and this: a place in letters_ ...
  detail::index length_ = 0;  // ... and their number; 0 only for epsilon
  detail::index down_ = 0;    // by fan_: nothing, the only child, or a block of edges
  unsigned stamp_ = 0;        // answered: the clock at that time; pending: its slot in queue_
  std::uint8_t state_ = NODE_IGNORE;  // a status_e
  std::uint8_t fan_ = 0;              // 0: leaf, 1: one child, k > 1: a block for 2^(k-1) children
  answer value_{};
};

/// A cursor over pending queries or over the whole tree.
template <class answer>
class knowledgebase<answer>::iterator {
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
  friend bool operator==(const iterator& a, const iterator& b) { return a.current_ == b.current_; }
  friend bool operator!=(const iterator& a, const iterator& b) { return a.current_ != b.current_; }

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

template <class answer>
void knowledgebase<answer>::add_child(node* n, node* added) {
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

}  // namespace libalf
