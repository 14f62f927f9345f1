#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <libalf/detail/observation_table.h>
#include <libalf/learning_algorithm.h>

namespace libalf {

/// What the learners with an observation table have in common: filling and closing it, and turning
/// it into a conjecture. They differ in what they do with a counterexample. The table keeps answers
/// as `cell`.
template <class answer, class cell = answer>
class angluin_table : public learning_algorithm<answer> {
 public:
  learning_algorithm_type get_basic_compatible_type() const override { return this->get_type(); }

  void increase_alphabet_size(int new_size) override {
    if (new_size <= this->alphabet_size) return;
    this->alphabet_size = new_size;
    if (!table_.empty()) table_.grow_alphabet(new_size);
  }

  /// The columns, on the heap: the caller deletes them.
  virtual std::list<std::list<int>>* get_columns() {
    auto columns = std::make_unique<std::list<std::list<int>>>();
    for (std::size_t c = 0; c < table_.columns(); ++c) {
      const std::vector<int> suffix = table_.column(c);
      columns->emplace_back(suffix.begin(), suffix.end());
    }
    return columns.release();
  }

  /// Words are asked in their normal form, and answered with false if they have none. It must fit
  /// the teacher: words of one normal form have one answer.
  void set_normalizer(normalizer* wanted) override {
    this->norm = wanted;
    table_.forget_answers();
  }
  void unset_normalizer() override { set_normalizer(nullptr); }

  bool supports_sync() const override { return true; }
  bool sync_to_knowledgebase() override {
    table_.forget_answers();
    return true;
  }

  std::basic_string<std::int32_t> serialize() const override {
    return detail::with_length(detail::serialize_value(detail::learner_tag(this->get_type())) +
                               detail::serialize_value(this->alphabet_size) + table_.serialize() +
                               serialize_counterexample());
  }

  bool deserialize(serial_stretch& serial) override {
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    int type = 0;
    int size = 0;
    const bool complete =
        detail::deserialize_value(type, serial) && type == detail::learner_tag(this->get_type()) &&
        detail::deserialize_value(size, serial) && detail::is_alphabet_size(size) &&
        table_.deserialize(serial) && (table_.empty() || table_.alphabet_size() == size) &&
        deserialize_counterexample(serial) && serial.empty();
    serial = rest;
    if (complete) {
      this->alphabet_size = size;
    } else {
      table_.clear();
    }
    return complete;
  }

  void print(std::ostream& os) const override {
    os << learning_algorithm_name(this->get_type()) << " {\n";
    table_.print(os);
    os << "}\n";
  }

  void generate_statistics() override {
    const auto upper = static_cast<int>(table_.upper().size());
    const auto all = static_cast<int>(table_.row_count());
    const auto columns = static_cast<int>(table_.columns());
    this->statistics["size.table.columns"] = columns;
    this->statistics["size.table.upper_rows"] = upper;
    this->statistics["size.table.lower_rows"] = all - upper;
    this->statistics["size.known_words"] = columns * all;
    this->statistics["memory.bytes"] = static_cast<int>(table_.bytes());
  }

  bool conjecture_ready() override { return !table_.empty() && table_.is_closed(); }

 protected:
  bool complete() override {
    start_table();
    for (;;) {
      if (!table_.fill(this->my_knowledge, this->norm)) return false;
      if (!table_.classify()) continue;
      switch (refine()) {
        case refinement::none:
          return true;
        case refinement::queries_pending:
          return false;
        case refinement::table_changed:
          break;
      }
    }
  }

  conjecture* derive_conjecture() override {
    return detail::make_machine(
        this->spare, static_cast<int>(table_.state_count()), this->alphabet_size,
        [&](int state) { return table_.output(static_cast<std::uint32_t>(state)); },
        [&](int state, int letter) {
          return static_cast<int>(table_.target(static_cast<std::uint32_t>(state), letter));
        });
  }

  enum class refinement { none, table_changed, queries_pending };
  /// What else a closed table needs before it yields a conjecture.
  virtual refinement refine() { return refinement::none; }

  virtual std::basic_string<std::int32_t> serialize_counterexample() const { return {}; }
  virtual bool deserialize_counterexample(serial_stretch&) { return true; }

  void start_table() {
    if (table_.empty()) table_.start(this->alphabet_size);
  }

  /// Checks the letters of a counterexample, and lets the alphabet grow if they ask for it. False,
  /// with a line in the log, if the word cannot be one.
  bool accept_word(const std::list<int>& word) {
    if (!this->my_knowledge) {
      (*this->my_logger)(LOGGER_ERROR, "%s: counterexample without a knowledgebase\n",
                         this->get_name());
      return false;
    }
    int largest = -1;
    for (int letter : word) {
      if (letter < 0) {
        (*this->my_logger)(LOGGER_ERROR, "%s: counterexample %s: expected letters 0, 1, ...\n",
                           this->get_name(), word2string(word).c_str());
        return false;
      }
      largest = std::max(largest, letter);
    }
    if (largest >= this->alphabet_size) {
      (*this->my_logger)(LOGGER_ALGORITHM, "%s: alphabet grows from %d to %d letters\n",
                         this->get_name(), this->alphabet_size, largest + 1);
      increase_alphabet_size(largest + 1);
    }
    return true;
  }

  bool refuse(const std::list<int>& word) {
    (*this->my_logger)(LOGGER_WARN, "%s: counterexample %s is in the table already\n",
                       this->get_name(), word2string(word).c_str());
    return false;
  }

  detail::observation_table<answer, cell> table_;
};

/// Angluin's L* (Learning regular sets from queries and counterexamples, 1987): a counterexample
/// and its prefixes become rows; the table is kept closed and consistent.
template <class answer>
class angluin_simple_table : public angluin_table<answer> {
 public:
  angluin_simple_table() = default;
  angluin_simple_table(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_ANGLUIN; }

  bool add_counterexample(std::list<int> word) override {
    this->start_table();
    if (this->table_.find_row(word) != this->table_.none) return this->refuse(word);
    if (!this->accept_word(word)) return false;
    this->table_.add_upper(word);
    return true;
  }

 protected:
  using typename angluin_table<answer>::refinement;

  refinement refine() override {
    return this->table_.make_consistent() ? refinement::none : refinement::table_changed;
  }
};

/// L* with Maler and Pnueli's treatment of counterexamples (On the learnability of infinitary
/// regular sets, 1995): a counterexample and its suffixes become columns; the table is always
/// consistent.
template <class answer>
class angluin_col_table : public angluin_table<answer> {
 public:
  angluin_col_table() = default;
  angluin_col_table(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_ANGLUIN_COLUMN; }

  bool add_counterexample(std::list<int> word) override {
    this->start_table();
    if (this->table_.has_column(word)) return this->refuse(word);
    if (!this->accept_word(word)) return false;
    this->table_.add_suffixes(std::vector<int>(word.begin(), word.end()), word.size());
    return true;
  }
};

}  // namespace libalf
