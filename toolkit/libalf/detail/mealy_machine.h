#pragma once

#include <libalf/conjecture.h>

namespace libalf {

/// A machine whose transitions carry an output: state -> letter -> pairs of target and output. The
/// letter -1 stands for epsilon. No learner here makes such; it has a serialised form, no text.
template <typename output_alphabet>
class mealy_machine : public finite_state_machine<output_alphabet> {
  using base_class = finite_state_machine<output_alphabet>;

 public:
  std::map<int, std::map<int, std::set<std::pair<int, output_alphabet>>>> transitions;

  conjecture_type get_type() const override { return CONJECTURE_MEALY_MACHINE; }

  void clear() override {
    base_class::clear();
    transitions.clear();
  }

  bool calc_validity() override {
    this->valid = base_class::calc_validity() && this->do_transitions_fit(transitions);
    return this->valid;
  }

  bool calc_determinism() override {
    this->is_deterministic =
        base_class::calc_determinism() && this->has_one_target_each(transitions);
    return this->is_deterministic;
  }

  std::basic_string<std::int32_t> serialize() const override {
    if (!this->valid) return detail::serialize_value(0);
    return detail::with_length(base_class::serialize() + detail::serialize_value(transitions));
  }

  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = base_class::deserialize(serial) &&
                          detail::deserialize_value(transitions, serial) &&
                          serial.current == serial.limit;
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

}  // namespace libalf
