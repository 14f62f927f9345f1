#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <set>
#include <utility>
#include <vector>

#include <libalf/algorithm_angluin.h>

namespace libalf {

/// NL* (Bollig, Habermehl, Kern, Leucker: Angluin-style learning of NFA, 2009): learns a residual
/// automaton, nondeterministic and often smaller than the minimal DFA.
///
/// A row is covered by another if it has no true cell that the other lacks; a row is prime if it is
/// not the union of other rows that it covers. The table is closed when all prime rows are upper,
/// consistent when successors of covered rows are covered. States are the prime rows. Rows with
/// equal cells are treated as one; there are never more of them than the target's minimal DFA has
/// states.
///
/// Between two conjectures consistency may at most double the number of columns (or add 64), so
/// that conjectures keep coming when the target is not regular; the next counterexample lets it go
/// on.
///
/// Rows are sets: an answer that does not equal true is taken for false. Conjectures are
/// finite_automaton for every type of answer.
template <class answer>
class NLstar_table : public angluin_table<answer, bool> {
  using base_class = angluin_table<answer, bool>;

 public:
  NLstar_table(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_NL_STAR; }

  bool supports_sync() const override { return false; }
  bool sync_to_knowledgebase() override { return false; }

  /// The word and its suffixes become columns. Epsilon is taken, and has no effect.
  bool add_counterexample(std::list<int> letters) override {
    this->start_table();
    const bool goes_on = columns_left_ == 0;
    if (!goes_on && !letters.empty() && this->table_.has_column(letters)) {
      return this->refuse(letters);
    }
    if (!this->accept_word(letters)) return false;
    columns_left_ = std::max(first_columns, this->table_.columns());
    if (!letters.empty()) {
      this->table_.add_suffixes(std::vector<int>(letters.begin(), letters.end()), letters.size());
    }
    return true;
  }

  bool conjecture_ready() override { return base_class::conjecture_ready() && consistent_; }

 protected:
  bool complete() override {
    this->start_table();
    for (;;) {
      if (!this->table_.fill(this->my_knowledge, this->norm)) {
        consistent_ = false;
        return false;
      }
      compare_rows();
      if (!close()) continue;
      consistent_ = columns_left_ == 0 || make_consistent();
      if (consistent_) return true;
      --columns_left_;
    }
  }

  conjecture* derive_conjecture() override {
    const auto& table = this->table_;
    std::vector<id> primes;  // classes; the position is the state's number
    for (id row : table.upper()) {
      if (is_prime(table.state(row))) primes.push_back(table.state(row));
    }
    const auto covered_primes = [&](id by) {
      std::set<int> states;
      for (std::size_t s = 0; s < primes.size(); ++s) {
        if (covers(by, primes[s])) states.insert(states.end(), static_cast<int>(s));
      }
      return states;
    };
    auto* automaton = new finite_automaton();
    automaton->input_alphabet_size = this->alphabet_size;
    automaton->state_count = static_cast<int>(primes.size());
    automaton->initial_states = covered_primes(table.state(0));
    for (std::size_t s = 0; s < primes.size(); ++s) {
      const id row = upper_row_[primes[s]];
      const auto state = static_cast<int>(s);
      automaton->output_mapping.emplace_hint(automaton->output_mapping.end(), state,
                                             table.cells().get(row, 0));
      auto& by_letter = automaton->transitions[state];
      for (int letter = 0; letter < this->alphabet_size; ++letter) {
        std::set<int> targets = covered_primes(table.state(table.successor(row, letter)));
        if (!targets.empty()) by_letter.emplace_hint(by_letter.end(), letter, std::move(targets));
      }
    }
    automaton->valid = true;
    // Also where every state happens to have one target per letter: clients take the flag for the
    // kind of automaton, and those of NL* are nondeterministic.
    automaton->is_deterministic = false;
    return automaton;
  }

 private:
  using id = std::uint32_t;
  using word = std::uint64_t;
  static constexpr id none = 0xffffffffu;

  std::size_t class_count() const { return this->table_.state_count(); }
  const word* cells(id c) const { return this->table_.cells().row(this->table_.representative(c)); }

  bool covers(id c, id other) const { return (covers_[c][other / 64] >> (other % 64) & 1) != 0; }

  /// Groups equal rows into classes and finds out which classes cover which. If no column was added
  /// since the last time, new classes alone are compared.
  void compare_rows() {
    if (!this->table_.classify_as_is()) {
      covers_.clear();
      joins_.clear();
    }
    const std::size_t compared = covers_.size();
    const std::size_t classes = class_count();
    covers_.resize(classes);
    joins_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      covers_[c].resize((classes + 63) / 64);
      joins_[c].resize(this->table_.cells().words());
    }
    for (std::size_t c = compared; c < classes; ++c) {
      for (std::size_t other = 0; other <= c; ++other) {
        note_cover(static_cast<id>(c), static_cast<id>(other));
        if (other != c) note_cover(static_cast<id>(other), static_cast<id>(c));
      }
    }
    upper_row_.assign(classes, none);
    for (id row : this->table_.upper()) upper_row_[this->table_.state(row)] = row;
  }

  void note_cover(id c, id other) {
    const word* large = cells(c);
    const word* small = cells(other);
    const std::size_t words = this->table_.cells().words();
    for (std::size_t w = 0; w < words; ++w) {
      if (small[w] & ~large[w]) return;
    }
    covers_[c][other / 64] |= word{1} << (other % 64);
    if (c == other) return;
    for (std::size_t w = 0; w < words; ++w) joins_[c][w] |= small[w];
  }

  /// Not the union of other classes that it covers. The empty row covers none and is taken for
  /// prime, though it is their union: it keeps the automaton complete, and a table of empty rows
  /// alone still has a state.
  bool is_prime(id c) const {
    const word* own = cells(c);
    const bool is_empty = std::all_of(own, own + joins_[c].size(), [](word w) { return w == 0; });
    return is_empty || !std::equal(joins_[c].begin(), joins_[c].end(), own);
  }

  /// Makes every prime row upper; false if there were new ones.
  bool close() {
    bool closed = true;
    for (std::size_t c = 0; c < class_count(); ++c) {
      if (upper_row_[c] != none || !is_prime(static_cast<id>(c))) continue;
      this->table_.make_upper_with_successors(this->table_.representative(static_cast<id>(c)));
      closed = false;
    }
    return closed;
  }

  /// Adds the column that shows that a covered row's successor is not covered; false if there is
  /// one.
  bool make_consistent() {
    auto& table = this->table_;
    for (id large : table.upper()) {
      const id c = table.state(large);
      for (std::size_t w = 0; w < covers_[c].size(); ++w) {
        for (word left = covers_[c][w]; left != 0; left &= left - 1) {
          const auto other =
              static_cast<id>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
          const id small = upper_row_[other];
          if (small == none || small == large) continue;
          for (int letter = 0; letter < this->alphabet_size; ++letter) {
            const id below_large = table.successor(large, letter);
            const id below_small = table.successor(small, letter);
            if (covers(table.state(below_large), table.state(below_small))) continue;
            add_telling_column(letter, below_large, below_small);
            return false;
          }
        }
      }
    }
    return true;
  }

  void add_telling_column(int letter, id large, id small) {
    const auto& cells = this->table_.cells();
    std::size_t w = 0;
    while (!(cells.row(small)[w] & ~cells.row(large)[w])) ++w;
    const word missing = cells.row(small)[w] & ~cells.row(large)[w];
    std::vector<int> suffix =
        this->table_.column(w * 64 + static_cast<std::size_t>(__builtin_ctzll(missing)));
    suffix.insert(suffix.begin(), letter);
    this->table_.add_suffixes(std::move(suffix), 1);
  }

  std::vector<std::vector<word>> covers_;  // covers_[c], bit d: class c covers class d
  std::vector<std::vector<word>> joins_;   // union of the other classes that it covers
  std::vector<id> upper_row_;              // of each class; none if all its rows are lower
  bool consistent_ = false;

  static constexpr std::size_t first_columns = 64;
  std::size_t columns_left_ = first_columns;  // for consistency, before the next conjecture
};

}  // namespace libalf
