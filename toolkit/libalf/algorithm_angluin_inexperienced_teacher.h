#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <libalf/algorithm_automata_inferring.h>
#include <libalf/answer.h>
#include <libalf/learning_algorithm.h>

namespace libalf {

/// L* for a teacher who does not know every answer (Grinchtein, Leucker, Piterman: Inferring
/// network invariants automatically, 2006; Leucker, Neider: Learning minimal deterministic automata
/// from inexperienced teachers, 2012): a smallest DFA that is right where the teacher knows.
///
/// Rows that may be equal, unknown cells left aside, are taken for equal when the table is closed
/// and made consistent. That is not transitive, so the table has no states: another learner infers
/// the conjecture from the known cells.
class angluin_inexperienced_teacher : public learning_algorithm<weak_bool> {
 public:
  angluin_inexperienced_teacher() = default;
  /// `inferring` is not owned.
  angluin_inexperienced_teacher(knowledgebase<weak_bool>* base, logger* log, int size,
                                automata_inferring<bool>* inferring)
      : inferring_(inferring) {
    set_alphabet_size(size);
    set_logger(log);
    set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_ANGLUIN; }
  learning_algorithm_type get_basic_compatible_type() const override { return ALG_ANGLUIN; }

  void set_inferring_algorithm(automata_inferring<bool>* inferring) { inferring_ = inferring; }
  automata_inferring<bool>* get_inferring_algorithm() { return inferring_; }

  void increase_alphabet_size(int new_size) override {
    if (new_size <= alphabet_size) return;
    alphabet_size = new_size;
    extended_ = 0;
  }

  void set_knowledge_source(knowledgebase<weak_bool>* base) override {
    learning_algorithm<weak_bool>::set_knowledge_source(base);
    forget_cells();
  }
  bool supports_sync() const override { return true; }
  bool sync_to_knowledgebase() override {
    forget_cells();
    return true;
  }

  /// The columns, on the heap: the caller deletes them.
  std::list<std::list<int>>* get_columns() {
    auto columns = std::make_unique<std::list<std::list<int>>>();
    for (const letters& column : columns_) columns->emplace_back(column.begin(), column.end());
    return columns.release();
  }

  /// The word and its prefixes become upper rows. False if the table has its row already.
  bool add_counterexample(std::list<int> word) override {
    start();
    const letters all(word.begin(), word.end());
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    if (!my_knowledge || (!all.empty() && *least < 0) || by_word_.count(all) != 0) {
      (*my_logger)(LOGGER_WARN, "%s: counterexample %s is of no use\n", get_name(),
                   word2string(word).c_str());
      return false;
    }
    increase_alphabet_size(*most + 1);
    for (std::size_t length = 1; length <= all.size(); ++length) {
      make_upper(row_of(letters(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length))));
    }
    is_ready_ = false;
    return true;
  }

  bool conjecture_ready() override { return is_ready_; }

  /// Length, tag, letters, columns, words of the upper rows; the lower ones follow from these.
  std::basic_string<std::int32_t> serialize() const override {
    std::vector<letters> words;
    for (std::size_t r : upper_) words.push_back(rows_[r].word);
    return detail::with_length(detail::serialize_value(tag) +
                               detail::serialize_value(alphabet_size) +
                               detail::serialize_value(columns_) + detail::serialize_value(words));
  }
  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = deserialize_content(serial) && serial.current == serial.limit;
    serial = rest;
    if (!complete) clear();
    return complete;
  }

  void print(std::ostream& os) const override {
    os << "angluin_inexperienced_teacher {\n\tcolumns:";
    for (const letters& column : columns_) os << ' ' << text_of(column);
    for (const bool upper : {true, false}) {
      os << (upper ? "\n\tupper rows:\n" : "\tlower rows:\n");
      for (const row& r : rows_) {
        if (r.upper != upper) continue;
        os << "\t\t" << text_of(r.word) << ':';
        for (const weak_bool& cell : r.cells) os << ' ' << cell;
        os << '\n';
      }
    }
    os << "}\n";
  }

  void generate_statistics() override {
    statistics["size.table.columns"] = static_cast<int>(columns_.size());
    statistics["size.table.upper_rows"] = static_cast<int>(upper_.size());
    statistics["size.table.lower_rows"] = static_cast<int>(rows_.size() - upper_.size());
  }

 protected:
  bool complete() override {
    start();
    is_ready_ = false;
    do {
      extend();
      if (!fill()) return false;
    } while (!close() || !make_consistent());
    is_ready_ = true;
    return true;
  }

  conjecture* derive_conjecture() override {
    if (!inferring_) {
      (*my_logger)(LOGGER_ERROR, "%s: no inferring algorithm was set\n", get_name());
      return nullptr;
    }
    knowledgebase<bool> known;
    for (const row& r : rows_) {
      for (std::size_t c = 0; c < r.cells.size(); ++c) {
        if (!r.cells[c].is_unknown()) known.add_knowledge(word_of(r, c), r.cells[c].is_true());
      }
    }
    inferring_->set_alphabet_size(alphabet_size);
    inferring_->set_knowledge_source(&known);
    inferring_->set_logger(my_logger);
    conjecture* inferred = inferring_->advance();
    inferring_->set_knowledge_source(nullptr);  // it ends here
    return inferred;
  }

 private:
  using letters = std::vector<int>;
  struct row {
    letters word;
    bool upper = false;
    std::vector<weak_bool> cells;  // of the first columns
  };
  static constexpr std::int32_t tag = detail::learner_tag(ALG_ANGLUIN) + 0x80;

  static std::string text_of(const letters& word) {
    return word2string(std::list<int>(word.begin(), word.end()));
  }

  void clear() {
    rows_.clear();
    upper_.clear();
    columns_.clear();
    by_word_.clear();
    extended_ = 0;
    is_ready_ = false;
  }
  void forget_cells() {
    for (row& r : rows_) r.cells.clear();
    is_ready_ = false;
  }

  void start() {
    if (!rows_.empty()) return;
    columns_.emplace_back();
    make_upper(row_of({}));
  }

  std::size_t row_of(const letters& word) {
    const auto [at, added] = by_word_.emplace(word, rows_.size());
    if (added) rows_.push_back({word, false, {}});
    return at->second;
  }
  std::size_t successor(std::size_t r, int letter) const {
    letters word = rows_[r].word;
    word.push_back(letter);
    return by_word_.at(word);
  }
  void make_upper(std::size_t r) {
    if (rows_[r].upper) return;
    rows_[r].upper = true;
    upper_.push_back(r);
  }
  /// Gives every upper row a row for each of its successors.
  void extend() {
    for (; extended_ < upper_.size(); ++extended_) {
      letters word = rows_[upper_[extended_]].word;
      for (int letter = 0; letter < alphabet_size; ++letter) {
        word.push_back(letter);
        row_of(word);
        word.pop_back();
      }
    }
  }

  std::list<int> word_of(const row& r, std::size_t column) const {
    std::list<int> word(r.word.begin(), r.word.end());
    word.insert(word.end(), columns_[column].begin(), columns_[column].end());
    return word;
  }

  /// Asks for every cell that is missing; true if none is.
  bool fill() {
    bool filled = true;
    for (row& r : rows_) {
      bool gap = false;
      for (std::size_t c = r.cells.size(); c < columns_.size(); ++c) {
        weak_bool value;
        gap = !my_knowledge->resolve_or_add_query(word_of(r, c), value) || gap;
        if (!gap) r.cells.push_back(value);
      }
      filled = filled && !gap;
    }
    return filled;
  }

  /// The first column that tells two rows apart; the number of columns if none does.
  std::size_t telling_column(std::size_t a, std::size_t b) const {
    std::size_t c = 0;
    while (c < columns_.size() && rows_[a].cells[c] == rows_[b].cells[c]) ++c;
    return c;
  }
  bool may_be_equal(std::size_t a, std::size_t b) const {
    return telling_column(a, b) == columns_.size();
  }

  /// Every lower row may be equal to an upper one; false if rows became upper for that.
  bool close() {
    const std::size_t rows = rows_.size();
    const std::size_t upper = upper_.size();
    for (std::size_t r = 0; r < rows; ++r) {
      const auto is_like = [&](std::size_t other) { return may_be_equal(other, r); };
      if (!std::any_of(upper_.begin(), upper_.end(), is_like)) make_upper(r);
    }
    return upper_.size() == upper;
  }

  /// Upper rows that may be equal have successors that may be; false if a column was added for
  /// that.
  bool make_consistent() {
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!may_be_equal(upper_[i], upper_[j])) continue;
        for (int letter = 0; letter < alphabet_size; ++letter) {
          const std::size_t c =
              telling_column(successor(upper_[i], letter), successor(upper_[j], letter));
          if (c == columns_.size()) continue;
          letters column = columns_[c];
          column.insert(column.begin(), letter);
          columns_.push_back(std::move(column));
          return false;
        }
      }
    }
    return true;
  }

  bool deserialize_content(serial_stretch& serial) {
    std::int32_t type = 0;
    int size = 0;
    std::vector<letters> columns;
    std::vector<letters> words;
    if (!detail::deserialize_value(type, serial) || type != tag ||
        !detail::deserialize_value(size, serial) || !detail::is_alphabet_size(size) ||
        !detail::deserialize_value(columns, serial) || !detail::deserialize_value(words, serial) ||
        columns.empty() != words.empty()) {
      return false;
    }
    const auto is_word = [size](const letters& word) {
      return std::all_of(word.begin(), word.end(), [size](int l) { return 0 <= l && l < size; });
    };
    if (!std::all_of(columns.begin(), columns.end(), is_word) ||
        !std::all_of(words.begin(), words.end(), is_word) ||
        (!columns.empty() && !columns[0].empty()) || (!words.empty() && !words[0].empty())) {
      return false;
    }
    alphabet_size = size;
    columns_ = std::move(columns);
    for (const letters& word : words) {  // each is a successor of one before
      if (by_word_.count(word) != 0) return false;
      if (!word.empty() && by_word_.count(letters(word.begin(), word.end() - 1)) == 0) return false;
      make_upper(row_of(word));
    }
    return true;
  }

  automata_inferring<bool>* inferring_ = nullptr;
  std::vector<row> rows_;           // in the order of creation
  std::vector<std::size_t> upper_;  // in the order in which they became upper: prefixes first
  std::size_t extended_ = 0;        // so many upper rows have rows for their successors
  std::vector<letters> columns_;
  std::map<letters, std::size_t> by_word_;
  bool is_ready_ = false;
};

}  // namespace libalf
