#pragma once

#include <libalf/conjecture.h>

/// Visibly one-counter automata, as data: no learner here makes such. They have serialised forms;
/// their text forms are empty.
namespace libalf {

/// The letter read decides whether the counter goes up, down or stays; up to m_bound, transitions
/// depend on its value.
template <typename output_alphabet>
class mVCA : public finite_state_machine<output_alphabet> {
  using base_class = finite_state_machine<output_alphabet>;

 public:
  std::vector<int> alphabet_directions;  // by letter: +1 up, 0 stay, -1 down
  int m_bound = 0;
  /// Counter -> state -> letter -> targets; the letter -1 stands for epsilon.
  std::map<int, std::map<int, std::map<int, std::set<int>>>> transitions;
  std::map<int, output_alphabet> output_mapping;

  conjecture_type get_type() const override { return CONJECTURE_MVCA; }

  void clear() override {
    base_class::clear();
    alphabet_directions.clear();
    m_bound = 0;
    transitions.clear();
    output_mapping.clear();
  }

  bool calc_validity() override {
    bool fits = base_class::calc_validity() && !this->omega &&
                static_cast<int>(alphabet_directions.size()) <= this->input_alphabet_size &&
                this->do_outputs_fit(output_mapping);
    for (int direction : alphabet_directions) fits = fits && -1 <= direction && direction <= 1;
    for (const auto& [counter, by_state] : transitions) {
      fits = fits && 0 <= counter && counter <= m_bound && this->do_transitions_fit(by_state);
    }
    this->valid = fits;
    return fits;
  }

  bool calc_determinism() override {
    bool deterministic = base_class::calc_determinism();
    for (const auto& [counter, by_state] : transitions) {
      deterministic = deterministic && this->has_one_target_each(by_state);
    }
    this->is_deterministic = deterministic;
    return deterministic;
  }

  std::basic_string<std::int32_t> serialize() const override {
    if (!this->valid) return detail::serialize_value(0);
    return detail::with_length(
        base_class::serialize() + detail::serialize_value(alphabet_directions) +
        detail::serialize_value(m_bound) + detail::serialize_value(transitions) +
        detail::serialize_value(output_mapping));
  }

  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete =
        base_class::deserialize(serial) && detail::deserialize_value(alphabet_directions, serial) &&
        detail::deserialize_value(m_bound, serial) &&
        detail::deserialize_value(transitions, serial) &&
        detail::deserialize_value(output_mapping, serial) && serial.current == serial.limit;
    serial = rest;
    if (complete && calc_validity()) {
      this->correct_determinism();
      return true;
    }
    clear();
    return false;
  }

  std::string write() const override { return ""; }
  bool read(std::string) override { return false; }
  std::string visualize() const override { return ""; }
};

/// An acceptor: state s accepts iff output_mapping[s]. Its serialised form is libmVCA's.
class simple_mVCA : public mVCA<bool> {
 public:
  conjecture_type get_type() const override { return CONJECTURE_SIMPLE_MVCA; }

  std::basic_string<std::int32_t> serialize() const override;
  bool deserialize(serial_stretch& serial) override;

  virtual void get_final_states(std::set<int>& into) const;
  virtual std::set<int> get_final_states() const;
  /// These states accept, all others reject.
  virtual void set_final_states(const std::set<int>& final);
  virtual void set_all_non_accepting();
};

/// A finite automaton that stands for a counter automaton whose counter stays within a bound.
class bounded_simple_mVCA : public finite_automaton {
 public:
  int m_bound = 0;

  conjecture_type get_type() const override { return CONJECTURE_BOUNDED_SIMPLE_MVCA; }
  void clear() override;
  bool calc_validity() override;
  std::basic_string<std::int32_t> serialize() const override;
  bool deserialize(serial_stretch& serial) override;
  std::string write() const override { return ""; }
  bool read(std::string) override { return false; }
};

}  // namespace libalf
