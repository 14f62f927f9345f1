#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include <libalf/algorithm_angluin.h>

namespace libalf {

/// Rivest and Schapire's learner (Inference of finite automata using homing sequences, 1993):
/// binary search finds one suffix of the counterexample that splits a state, and that becomes a
/// column.
///
/// A counterexample is used again for as long as the new automaton is still wrong on it, so that
/// fewer conjectures have to be checked.
template <class answer>
class rivest_schapire_table : public angluin_table<answer> {
 public:
  rivest_schapire_table() = default;
  rivest_schapire_table(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_RIVEST_SCHAPIRE; }

  /// False before the first advance(). A word that is no counterexample is taken, and has no
  /// effect.
  bool add_counterexample(std::list<int> word) override {
    if (this->table_.empty() || !this->accept_word(word)) return false;
    counterexample_.assign(word.begin(), word.end());
    uses_left_ = word.size() + 1;
    return true;
  }

  bool conjecture_ready() override {
    return angluin_table<answer>::conjecture_ready() && uses_left_ == 0;
  }

 protected:
  using typename angluin_table<answer>::refinement;
  using node = typename knowledgebase<answer>::node;

  // For a counterexample w of length n let f(i) be the answer for access(q_i) w_i+1 ... w_n, where
  // q_i is the state reached by the first i letters. f(0) is the answer for w, f(n) the
  // conjecture's: they differ, so f(i) != f(i+1) for some i, and the last n-i-1 letters tell
  // access(q_i) w_i+1 from access(q_i+1), which were taken for the same state.
  //
  // The search starts over on every call: what it asked before is in the knowledgebase by now.
  refinement refine() override {
    if (uses_left_ == 0) return refinement::none;
    follow_counterexample();
    answer truth{};
    if (!look_up(0, truth)) return refinement::queries_pending;
    const answer conjectured = this->table_.output(path_.back());
    if (truth == conjectured) {
      uses_left_ = 0;
      return refinement::none;
    }
    std::size_t low = 0;
    std::size_t high = counterexample_.size();  // f(low) != f(high)
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      answer value{};
      if (!look_up(middle, value)) return refinement::queries_pending;
      (value == conjectured ? high : low) = middle;
    }
    --uses_left_;
    std::vector<int> suffix(counterexample_.begin() + static_cast<std::ptrdiff_t>(high),
                            counterexample_.end());
    if (this->table_.add_suffixes(std::move(suffix), 1) == 0) {
      // Only possible when answers were altered in the knowledgebase meanwhile.
      (*this->my_logger)(LOGGER_ERROR, "%s: contradicting answers for one word\n",
                         this->get_name());
      uses_left_ = 0;
      return refinement::none;
    }
    return refinement::table_changed;
  }

  std::basic_string<std::int32_t> serialize_counterexample() const override {
    return detail::serialize_value(counterexample_) + detail::serialize_value(uses_left_);
  }
  bool deserialize_counterexample(serial_stretch& serial) override {
    return detail::deserialize_value(counterexample_, serial) &&
           detail::deserialize_value(uses_left_, serial) &&
           std::all_of(counterexample_.begin(), counterexample_.end(),
                       [&](int l) { return 0 <= l && l < this->table_.alphabet_size(); });
  }

 private:
  void follow_counterexample() {
    path_.assign(1, 0);
    for (int letter : counterexample_) path_.push_back(this->table_.target(path_.back(), letter));
  }

  bool look_up(std::size_t i, answer& into) {
    const auto row = this->table_.representative(path_[i]);
    if (this->norm) {
      std::list<int> word = this->table_.row_word(row);
      word.insert(word.end(), counterexample_.begin() + static_cast<std::ptrdiff_t>(i),
                  counterexample_.end());
      bool bottom = false;
      word = this->norm->prefix_normal_form(word, bottom);
      if (!bottom) return this->my_knowledge->resolve_or_add_query(word, into);
      into = detail::bottom_answer<answer>();
      return true;
    }
    node* at = this->table_.at(row);
    return this->my_knowledge->resolve_or_mark(
        at->find_or_create_descendant(counterexample_.begin() + static_cast<std::ptrdiff_t>(i),
                                      counterexample_.end()),
        into);
  }

  std::vector<int> counterexample_;
  std::size_t uses_left_ = 0;  // bounds the time between conjectures when the target is not regular
  std::vector<std::uint32_t> path_;  // states along the counterexample
};

}  // namespace libalf
