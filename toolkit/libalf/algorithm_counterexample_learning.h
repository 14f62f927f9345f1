#pragma once

#include <list>
#include <memory>
#include <string>

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// Learns from counterexamples alone: each goes into the knowledgebase with the answer that the
/// last conjecture did not give, and another learner infers the next conjecture from all of them.
class counterexample_learning : public learning_algorithm<bool> {
 public:
  /// `inferring` is not owned and must deliver finite_automata.
  counterexample_learning(knowledgebase<bool>* base, logger* log, int size,
                          automata_inferring<bool>* inferring)
      : inferring_(inferring) {
    set_alphabet_size(size);
    set_logger(log);
    set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_COUNTEREXAMPLE_LEARNING; }
  learning_algorithm_type get_basic_compatible_type() const override { return get_type(); }

  void set_inferring_algorithm(automata_inferring<bool>* inferring) { inferring_ = inferring; }
  automata_inferring<bool>* get_inferring_algorithm() { return inferring_; }

  void increase_alphabet_size(int new_size) override { set_alphabet_size(new_size); }
  bool supports_sync() const override { return false; }
  bool sync_to_knowledgebase() override { return false; }

  void print(std::ostream& os) const override {
    os << "Counter-example guided learning using an automata inferring algorithm. Alphabet size is "
       << alphabet_size << ".";
  }

  bool conjecture_ready() override { return my_knowledge && !last_; }

  /// False before the first conjecture, and for a word whose answer is known already.
  bool add_counterexample(std::list<int> word) override {
    if (!last_ || !my_knowledge) {
      (*my_logger)(LOGGER_WARN, "%s: no conjecture awaits a counterexample\n", get_name());
      return false;
    }
    if (!my_knowledge->add_knowledge(word, !last_->contains(word))) return false;
    last_.reset();
    return true;
  }

  /// As upstream's: letters, and the conjecture that awaits a counterexample.
  std::basic_string<std::int32_t> serialize() const override {
    auto data = detail::serialize_value(get_type()) + detail::serialize_value(alphabet_size) +
                detail::serialize_value(last_ != nullptr);
    if (last_) data += last_->serialize();
    return detail::with_length(data);
  }
  bool deserialize(serial_stretch& serial) override {
    serial_stretch rest;
    last_.reset();
    if (!detail::take_length(serial, rest)) return false;
    int type = 0;
    int letters = 0;
    bool waits = false;
    auto last = std::make_unique<finite_automaton>();
    const bool complete = detail::deserialize_value(type, serial) && type == get_type() &&
                          detail::deserialize_value(letters, serial) &&
                          detail::is_alphabet_size(letters) &&
                          detail::deserialize_value(waits, serial) &&
                          (!waits || last->deserialize(serial)) && serial.current == serial.limit;
    serial = rest;
    if (!complete) return false;
    set_alphabet_size(letters);
    if (waits) last_ = std::move(last);
    return true;
  }

  bool complete() override { return true; }

  conjecture* derive_conjecture() override {
    if (!inferring_) {
      (*my_logger)(LOGGER_ERROR, "%s: no inferring algorithm was set\n", get_name());
      return nullptr;
    }
    inferring_->set_alphabet_size(alphabet_size);
    inferring_->set_knowledge_source(my_knowledge);
    inferring_->set_logger(my_logger);
    std::unique_ptr<conjecture> inferred(inferring_->advance());
    const auto* automaton = dynamic_cast<finite_automaton*>(inferred.get());
    if (!automaton) {
      (*my_logger)(LOGGER_ERROR, "%s: expected a finite automaton\n", get_name());
      return nullptr;
    }
    last_ = std::make_unique<finite_automaton>(*automaton);
    return inferred.release();
  }

 private:
  automata_inferring<bool>* inferring_;
  std::unique_ptr<finite_automaton> last_;  // the conjecture that awaits a counterexample
};

}  // namespace libalf
