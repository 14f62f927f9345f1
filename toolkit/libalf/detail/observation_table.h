#pragma once

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <list>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <libalf/detail/cell_matrix.h>
#include <libalf/knowledgebase.h>
#include <libalf/normalizer.h>

namespace libalf::detail {

/// What a word without a normal form is answered with: nobody is asked.
template <class answer>
answer bottom_answer() {
  answer value{};
  if constexpr (std::is_assignable_v<answer&, bool>) value = false;
  return value;
}

/// The table behind L*, its variants and NL*: rows are words, columns are suffixes, a cell is the
/// answer for row + column.
///
/// Upper rows form a prefix-closed set; every upper row has a row for each of its successors. Rows
/// with equal cells share a state. Each cell is looked up once in the knowledgebase, and read once
/// more when its answer was missing; rows are told apart by a hash kept up to date cell by cell.
/// After a new column each row is looked at once, otherwise new rows alone.
///
/// Cells are answers, or, if `cell` is bool, whether an answer equals true.
template <class answer, class cell = answer>
class observation_table {
 public:
  using base_type = knowledgebase<answer>;
  using node = typename base_type::node;
  using infix = typename base_type::infix;
  using id = std::uint32_t;
  static constexpr id none = 0xffffffffu;

  bool empty() const { return rows_.empty(); }
  int alphabet_size() const { return alphabet_size_; }
  std::size_t columns() const { return columns_.size(); }
  std::size_t row_count() const { return rows_.size(); }
  const std::vector<id>& upper() const { return upper_; }
  const std::vector<id>& lower() const { return lower_; }
  bool is_upper(id row) const { return rows_[row].block != none; }
  id successor(id upper_row, int letter) const {
    return successors_[rows_[upper_row].block * letter_count() + static_cast<std::size_t>(letter)];
  }
  const cell_matrix<cell>& cells() const { return cells_; }
  /// The row's node in the knowledgebase; valid after fill().
  node* at(id row) const { return rows_[row].at; }

  // States, after classify() returned true.

  id state_count() const { return static_cast<id>(representatives_.size()); }
  id state(id row) const { return rows_[row].state; }
  /// The first upper row of a state. State 0 has epsilon's row.
  id representative(id state) const { return representatives_[state]; }
  id target(id state, int letter) const {
    return rows_[successor(representatives_[state], letter)].state;
  }
  cell output(id state) const { return cells_.get(representatives_[state], 0); }

  void clear() { *this = observation_table(); }

  /// Epsilon's row, its successors, and epsilon's column.
  void start(int alphabet_size) {
    clear();
    alphabet_size_ = alphabet_size;
    new_row(none, -1);
    make_upper(0);
    add_successor_rows(0);
    add_suffixes(std::vector<int>(), 1);
  }

  void grow_alphabet(int size) {
    if (size <= alphabet_size_) return;
    const std::size_t old_count = letter_count();
    std::vector<id> old;
    old.swap(successors_);
    alphabet_size_ = size;
    successors_.assign(upper_.size() * letter_count(), none);
    for (id row : upper_) {
      const std::size_t block = rows_[row].block;
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(block * old_count), old_count,
                  successors_.begin() + static_cast<std::ptrdiff_t>(block * letter_count()));
    }
    for (std::size_t u = 0; u < upper_.size(); ++u) add_successor_rows(upper_[u]);
  }

  /// The word's row, if the table has one.
  template <class Letters>
  id find_row(const Letters& word) const {
    id row = 0;
    for (int letter : word) {
      if (row == none || !is_upper(row) || letter < 0 || letter >= alphabet_size_) return none;
      row = successor(row, letter);
    }
    return row;
  }

  /// Makes upper rows of the word and of all its prefixes, longest first.
  void add_upper(const std::list<int>& word) {
    std::vector<id> chain;  // rows of the prefixes that are not upper yet, shortest first
    id row = 0;
    for (int letter : word) {
      const id next = is_upper(row) ? successor(row, letter) : none;
      row = next != none ? next : new_row(row, letter);
      if (!is_upper(row)) chain.push_back(row);
    }
    for (auto r = chain.rbegin(); r != chain.rend(); ++r) make_upper(*r);
    for (id r : chain) link_to_parent(r);
    for (auto r = chain.rbegin(); r != chain.rend(); ++r) add_successor_rows(*r);
  }

  void make_upper_with_successors(id row) {
    make_upper(row);
    add_successor_rows(row);
  }

  template <class Letters>
  bool has_column(const Letters& word) const {
    const std::vector<int> letters(word.begin(), word.end());
    return find_column(letters, 0, suffix_hashes(letters)[0]) != none;
  }

  /// Adds the word's longest `count` suffixes, the word itself first; stops at the first that is
  /// there already. Returns how many were added.
  std::size_t add_suffixes(std::vector<int> letters, std::size_t count) {
    const std::vector<std::uint64_t> hashes = suffix_hashes(letters);
    std::size_t added = 0;
    while (added < count && find_column(letters, added, hashes[added]) == none) {
      column_by_hash_.emplace(hashes[added], static_cast<id>(columns_.size()));
      columns_.push_back({static_cast<id>(words_.size()), static_cast<id>(added)});
      ++added;
    }
    if (added > 0) {
      paths_.push_back(base_ ? base_->intern(letters) : infix());
      words_.push_back(std::move(letters));
    }
    return added;
  }

  std::vector<int> column(std::size_t c) const {
    const auto& word = words_[columns_[c].word];
    return {word.begin() + columns_[c].dropped, word.end()};
  }

  std::list<int> row_word(id row) const {
    std::list<int> word;
    for (; rows_[row].parent != none; row = rows_[row].parent) word.push_front(rows_[row].letter);
    return word;
  }

  /// Reads every cell whose answer is known and asks for the others; true if none is missing. With
  /// a normalizer, the cell of a word is that of its normal form.
  bool fill(base_type* base, const normalizer* norm = nullptr) {
    norm_ = norm;
    attach(base);
    std::size_t missing = 0;
    for (const open_cell& open : open_) {
      answer value{};
      if (base_->resolve_or_mark(open.at, value)) {
        set_cell(open.row, open.column, value);
      } else {
        open_[missing++] = open;
      }
    }
    open_.resize(missing);
    cells_.resize(rows_.size(), columns_.size());
    const std::size_t first_row = asked_columns_ < columns_.size() ? 0 : asked_rows_;
    for (std::size_t r = first_row; r < rows_.size(); ++r) {
      for (std::size_t c = r < asked_rows_ ? asked_columns_ : 0; c < columns_.size(); ++c) {
        look_up(static_cast<id>(r), static_cast<id>(c));
      }
    }
    asked_rows_ = rows_.size();
    asked_columns_ = columns_.size();
    return open_.empty();
  }

  /// All cells are known and all rows have a state.
  bool is_closed() const {
    return open_.empty() && asked_rows_ == rows_.size() && asked_columns_ == columns_.size() &&
           classified_columns_ == columns_.size() && classified_lower_ == lower_.size() &&
           classified_upper_ == upper_.size();
  }

  /// Gives every row the state of its cells; needs a filled table. A lower row without an equal
  /// upper row becomes upper itself; then the table has to be filled again: false.
  bool classify() {
    if (classified_columns_ != columns_.size()) forget_states();
    for (; classified_upper_ < upper_.size(); ++classified_upper_) {
      const id row = upper_[classified_upper_];
      rows_[row].state = find_state(row);
      if (rows_[row].state == none) found_state(row);
    }
    bool closed = true;
    for (std::size_t last = lower_.size(); classified_lower_ < last; ++classified_lower_) {
      const id row = lower_[classified_lower_];
      if (is_upper(row)) continue;
      rows_[row].state = find_state(row);
      if (rows_[row].state != none) continue;
      make_upper_with_successors(row);
      found_state(row);
      ++classified_upper_;
      closed = false;
    }
    return closed;
  }

  /// Gives every row the state of its cells, as classify() does, but leaves lower rows lower: they
  /// found states of their own. Returns whether states kept their numbers (no column was added).
  bool classify_as_is() {
    const bool kept = classified_columns_ == columns_.size() && !representatives_.empty();
    if (!kept) forget_states();
    for (const auto& [rows, position] :
         {std::pair(&upper_, &classified_upper_), std::pair(&lower_, &classified_lower_)}) {
      for (; *position < rows->size(); ++*position) {
        const id row = (*rows)[*position];
        rows_[row].state = find_state(row);
        if (rows_[row].state == none) found_state(row);
      }
    }
    return kept;
  }

  /// Two upper rows of one state whose successors by one letter differ, first in the order of upper
  /// rows: adds the column that tells them apart and returns false.
  bool make_consistent() {
    id first = none;
    id second = none;
    for (id row : upper_) {
      const id other = representatives_[rows_[row].state];
      if (other == row || (first != none && rows_[other].block >= rows_[first].block)) continue;
      if (differing_letter(other, row) < 0) continue;
      first = other;
      second = row;
    }
    if (first == none) return true;
    const int letter = differing_letter(first, second);
    std::vector<int> suffix =
        column(cells_.first_difference(successor(first, letter), successor(second, letter)));
    suffix.insert(suffix.begin(), letter);
    add_suffixes(std::move(suffix), 1);
    return false;
  }

  /// The answers will be read again by the next fill().
  void forget_answers() { base_ = nullptr; }

  std::basic_string<std::int32_t> serialize() const {
    std::vector<std::vector<int>> names;
    for (std::size_t c = 0; c < columns_.size(); ++c) names.push_back(column(c));
    std::vector<std::pair<id, int>> rows;
    for (const row_data& row : rows_) rows.emplace_back(row.parent, row.letter);
    return detail::serialize_value(alphabet_size_) + detail::serialize_value(names) +
           detail::serialize_value(rows) + detail::serialize_value(upper_) +
           detail::serialize_value(lower_);
  }

  bool deserialize(serial_stretch& serial) {
    clear();
    std::vector<std::vector<int>> names;
    std::vector<std::pair<id, int>> rows;
    std::vector<id> upper_order;
    std::vector<id> lower_order;
    const bool complete = detail::deserialize_value(alphabet_size_, serial) &&
                          detail::deserialize_value(names, serial) &&
                          detail::deserialize_value(rows, serial) &&
                          detail::deserialize_value(upper_order, serial) &&
                          detail::deserialize_value(lower_order, serial) &&
                          rebuild(names, rows, upper_order, lower_order);
    if (!complete) clear();
    return complete;
  }

  void print(std::ostream& os) const {
    os << "\tcolumns:";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::vector<int> name = column(c);
      os << ' ' << word2string(std::list<int>(name.begin(), name.end()));
    }
    os << "\n\tupper rows:\n";
    for (id row : upper_) print_row(os, row);
    os << "\tlower rows:\n";
    for (id row : lower_) {
      if (!is_upper(row)) print_row(os, row);
    }
  }

  std::size_t bytes() const {
    std::size_t letters = 0;
    for (const auto& word : words_) letters += word.capacity();
    return sizeof *this + rows_.capacity() * sizeof(row_data) + cells_.bytes() +
           open_.capacity() * sizeof(open_cell) + letters * sizeof(int) +
           (successors_.capacity() + upper_.capacity() + lower_.capacity() + slots_.capacity() +
            representatives_.capacity()) *
               sizeof(id);
  }

 private:
  struct row_data {
    node* at = nullptr;
    std::uint64_t hash = 0;  // of its cells
    id parent = none;        // the row without its last letter
    int letter = -1;
    id block = none;  // if it is upper: its place in upper_, and its successors' in successors_
    id state = none;
  };
  struct column_data {
    id word;     // a suffix of words_[word] ...
    id dropped;  // ... without that many letters
  };
  struct open_cell {
    node* at;
    id row;
    id column;
  };

  std::size_t letter_count() const { return static_cast<std::size_t>(alphabet_size_); }

  id new_row(id parent, int letter) {
    row_data row;
    row.parent = parent;
    row.letter = letter;
    if (base_)
      row.at =
          parent == none ? base_->get_rootptr() : rows_[parent].at->find_or_create_child(letter);
    rows_.push_back(row);
    return static_cast<id>(rows_.size() - 1);
  }

  void make_upper(id row) {
    rows_[row].block = static_cast<id>(upper_.size());
    upper_.push_back(row);
    successors_.resize(upper_.size() * letter_count(), none);
  }

  void link_to_parent(id row) {
    const row_data& r = rows_[row];
    successors_[rows_[r.parent].block * letter_count() + static_cast<std::size_t>(r.letter)] = row;
  }

  void add_successor_rows(id row) {
    for (int letter = 0; letter < alphabet_size_; ++letter) {
      if (successor(row, letter) != none) continue;
      const id below = new_row(row, letter);
      link_to_parent(below);
      lower_.push_back(below);
    }
  }

  // Cells.

  /// Node addresses and answers belong to one knowledgebase in one generation.
  void attach(base_type* base) {
    if (base == base_ && base->generation() == generation_) return;
    base_ = base;
    generation_ = base->generation();
    for (std::size_t w = 0; w < words_.size(); ++w) paths_[w] = base_->intern(words_[w]);
    for (row_data& row : rows_) {
      row.at = row.parent == none ? base_->get_rootptr()
                                  : rows_[row.parent].at->find_or_create_child(row.letter);
      row.hash = 0;
    }
    cells_.clear();
    open_.clear();
    asked_rows_ = 0;
    asked_columns_ = 0;
    forget_states();
  }

  void look_up(id row, id column) {
    const column_data& c = columns_[column];
    node* at =
        norm_ ? normal_node(row, column)
              : base_->descendant(rows_[row].at, base_type::drop_front(paths_[c.word], c.dropped));
    if (!at) return set_cell(row, column, bottom_answer<answer>());
    answer value{};
    if (base_->resolve_or_mark(at, value)) {
      set_cell(row, column, value);
    } else {
      open_.push_back({at, row, column});
    }
  }

  /// NULL for a word without a normal form.
  node* normal_node(id row, id c) {
    std::list<int> word = row_word(row);
    const std::vector<int> suffix = column(c);
    word.insert(word.end(), suffix.begin(), suffix.end());
    bool bottom = false;
    word = norm_->prefix_normal_form(word, bottom);
    return bottom ? nullptr : base_->get_nodeptr(word);
  }

  void set_cell(id row, id column, const answer& value) {
    if constexpr (std::is_same_v<answer, cell>) {
      rows_[row].hash ^= cells_.set(row, column, value);
    } else {
      rows_[row].hash ^= cells_.set(row, column, value == true);
    }
  }

  // Columns, found by content.

  static std::vector<std::uint64_t> suffix_hashes(const std::vector<int>& letters) {
    std::vector<std::uint64_t> hashes(letters.size() + 1);
    for (std::size_t i = letters.size(); i-- > 0;) {
      hashes[i] = mix(hashes[i + 1] ^ (static_cast<std::uint64_t>(letters[i]) + 1));
    }
    return hashes;
  }

  id find_column(const std::vector<int>& letters, std::size_t dropped, std::uint64_t hash) const {
    const auto [first, last] = column_by_hash_.equal_range(hash);
    for (auto candidate = first; candidate != last; ++candidate) {
      const column_data& c = columns_[candidate->second];
      const auto& word = words_[c.word];
      if (std::equal(word.begin() + c.dropped, word.end(),
                     letters.begin() + static_cast<std::ptrdiff_t>(dropped), letters.end())) {
        return candidate->second;
      }
    }
    return none;
  }

  // States, found by content: an open addressing table of state numbers.

  void forget_states() {
    for (row_data& row : rows_) row.state = none;
    representatives_.clear();
    slots_.assign(slots_.size(), none);
    classified_upper_ = 0;
    classified_lower_ = 0;
    classified_columns_ = columns_.size();
  }

  id find_state(id row) const {
    if (slots_.empty()) return none;
    for (std::size_t slot = rows_[row].hash;; ++slot) {
      const id state = slots_[slot & (slots_.size() - 1)];
      if (state == none) return none;
      const id other = representatives_[state];
      if (rows_[other].hash == rows_[row].hash && cells_.equal(other, row)) return state;
    }
  }

  void found_state(id row) {
    if (2 * (representatives_.size() + 1) > slots_.size()) {
      slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), none);
      for (id state = 0; state < representatives_.size(); ++state) {
        put_in_slot(rows_[representatives_[state]].hash, state);
      }
    }
    const id state = static_cast<id>(representatives_.size());
    representatives_.push_back(row);
    rows_[row].state = state;
    put_in_slot(rows_[row].hash, state);
  }

  void put_in_slot(std::uint64_t hash, id state) {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = state;
  }

  int differing_letter(id a, id b) const {
    for (int letter = 0; letter < alphabet_size_; ++letter) {
      if (rows_[successor(a, letter)].state != rows_[successor(b, letter)].state) return letter;
    }
    return -1;
  }

  // Text and serialisation.

  void print_row(std::ostream& os, id row) const {
    os << "\t\t" << word2string(row_word(row)) << ':';
    for (std::size_t c = 0; c < asked_columns_ && row < asked_rows_; ++c) {
      os << ' ' << cells_.get(row, c);
    }
    os << '\n';
  }

  bool rebuild(const std::vector<std::vector<int>>& names,
               const std::vector<std::pair<id, int>>& rows, const std::vector<id>& upper_order,
               const std::vector<id>& lower_order) {
    if (alphabet_size_ < 0) return false;
    if (rows.empty()) return names.empty() && upper_order.empty() && lower_order.empty();
    // Every row but epsilon's is the successor of exactly one upper row.
    if (upper_order.size() * letter_count() != rows.size() - 1) return false;
    for (const auto& [parent, letter] : rows) {
      const bool root = rows_.empty();
      if (root ? parent != none
               : parent >= rows_.size() || letter < 0 || letter >= alphabet_size_) {
        return false;
      }
      new_row(parent, letter);
    }
    for (id row : upper_order) {
      if (row >= rows_.size() || is_upper(row)) return false;
      make_upper(row);
    }
    if (!is_upper(0)) return false;
    for (id row = 1; row < rows_.size(); ++row) {
      if (!is_upper(rows_[row].parent) || successor(rows_[row].parent, rows_[row].letter) != none) {
        return false;
      }
      link_to_parent(row);
    }
    if (std::count(successors_.begin(), successors_.end(), none) != 0) return false;
    std::vector<bool> listed(rows_.size(), false);
    for (id row : lower_order) {
      if (row >= rows_.size() || listed[row]) return false;
      listed[row] = true;
    }
    for (id row = 0; row < rows_.size(); ++row) {
      if (!is_upper(row) && !listed[row]) return false;
    }
    lower_ = lower_order;
    for (const auto& name : names) {
      if (std::any_of(name.begin(), name.end(), [](int l) { return l < 0; })) return false;
      if (add_suffixes(name, 1) != 1) return false;
    }
    return !names.empty() && names[0].empty();
  }

  int alphabet_size_ = 0;
  std::vector<row_data> rows_;
  std::vector<id> upper_;       // in the order in which they became upper
  std::vector<id> lower_;       // in order of creation; those that became upper stay listed
  std::vector<id> successors_;  // upper row's block x letter
  cell_matrix<cell> cells_;

  std::vector<column_data> columns_;
  std::vector<std::vector<int>> words_;
  std::vector<infix> paths_;  // of words_, in the knowledgebase
  std::unordered_multimap<std::uint64_t, id> column_by_hash_;

  base_type* base_ = nullptr;
  const normalizer* norm_ = nullptr;
  unsigned generation_ = 0;
  std::vector<open_cell> open_;    // asked, not answered when last looked at
  std::size_t asked_rows_ = 0;     // cells of these rows ...
  std::size_t asked_columns_ = 0;  // ... and columns have been looked up

  std::vector<id> slots_;
  std::vector<id> representatives_;
  std::size_t classified_upper_ = 0;
  std::size_t classified_lower_ = 0;
  std::size_t classified_columns_ = 0;
};

}  // namespace libalf::detail
