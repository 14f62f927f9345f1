#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <libalf/learning_algorithm.h>
#include <libalf/prefix_tree.h>

namespace libalf::detail {

/// What the learners from samples have in common: they ask nothing, every advance() is computed
/// from what the knowledgebase has, and a counterexample is knowledge to be added to that.
template <class answer>
class offline_learner : public learning_algorithm<answer> {
 public:
  learning_algorithm_type get_basic_compatible_type() const override { return this->get_type(); }

  void increase_alphabet_size(int new_size) override { this->set_alphabet_size(new_size); }

  bool supports_sync() const override { return true; }
  bool sync_to_knowledgebase() override { return true; }  // there is nothing to take back

  /// As upstream's: there is nothing but the type.
  std::basic_string<std::int32_t> serialize() const override {
    return with_length(serialize_value(this->get_type()));
  }
  bool deserialize(serial_stretch& serial) override {
    serial_stretch rest;
    if (!take_length(serial, rest)) return false;
    int type = 0;
    const bool complete = deserialize_value(type, serial) && type == this->get_type() &&
                          serial.current == serial.limit;
    serial = rest;
    return complete;
  }

  /// advance() asks this now and then and returns nullptr once it is true. Not in upstream.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }

  void print(std::ostream& os) const override {
    os << learning_algorithm_name(this->get_type()) << " does not have any persistent data.\n";
  }

  /// There is a sample.
  bool conjecture_ready() override {
    return this->my_knowledge && this->my_knowledge->count_answers() > 0;
  }

  /// False: add the word, with its answer, to the knowledgebase.
  bool add_counterexample(std::list<int>) override {
    (*this->my_logger)(LOGGER_ERROR,
                       "%s learns from samples: add the counterexample to the knowledgebase\n",
                       this->get_name());
    return false;
  }

 protected:
  bool complete() override { return true; }

  bool is_stopped() const { return stop_ && stop_(); }
  const std::function<bool()>& stop() const { return stop_; }

  /// Letters of the learner and of the sample.
  int letter_count() const {
    return std::max(this->alphabet_size, this->my_knowledge->get_largest_symbol());
  }

  prefix_tree<answer> sample() const {
    const int own = this->alphabet_size;
    const int known = this->my_knowledge->get_largest_symbol();
    if (own != known) {
      (*this->my_logger)(LOGGER_WARN, "%s: alphabet of %d letters, sample of %d\n",
                         learning_algorithm_name(this->get_type()), own, known);
    }
    if (letter_count() <= most_letters_in_place) {
      return {*this->my_knowledge, static_cast<unsigned>(letter_count())};
    }
    std::vector<int> letters = letters_of_sample();
    if (letters.empty()) letters.push_back(0);
    return {*this->my_knowledge, std::move(letters)};
  }

  /// One state that rejects, for an empty sample.
  finite_automaton* empty_language() const {
    (*this->my_logger)(LOGGER_WARN, "%s: the knowledgebase has no answers\n",
                       learning_algorithm_name(this->get_type()));
    auto automaton = std::make_unique<finite_automaton>();
    automaton->input_alphabet_size = this->alphabet_size;
    automaton->state_count = 1;
    automaton->initial_states.insert(0);
    automaton->set_all_non_accepting();
    automaton->valid = true;
    return automaton.release();
  }

 private:
  static constexpr int most_letters_in_place = 64;

  std::vector<int> letters_of_sample() const {
    std::vector<int> letters;
    std::vector<int> word;
    std::size_t sorted = 0;
    const auto sort = [&] {
      std::sort(letters.begin(), letters.end());
      letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
      sorted = letters.size();
    };
    this->my_knowledge->for_each_node([&](const typename knowledgebase<answer>::node& n) {
      n.get_word(word);
      letters.insert(letters.end(), word.begin(), word.end());
      if (letters.size() > 2 * sorted + 1024) sort();
    });
    sort();
    return letters;
  }

  std::function<bool()> stop_;
};

}  // namespace libalf::detail
