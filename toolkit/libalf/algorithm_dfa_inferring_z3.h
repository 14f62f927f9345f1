#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest DFA that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
class dfa_inferring_Z3 : public detail::deterministic_inferring<bool, 3> {
 public:
  dfa_inferring_Z3(knowledgebase<bool>* base, logger* log, int size, bool use_variables = false,
                   bool use_enum = false)
      : detail::deterministic_inferring<bool, 3>(base, log, size,
                                                 {use_variables, use_enum, false}) {}

  learning_algorithm_type get_type() const override { return ALG_INFERRING_Z3; }

  bool is_using_variables() const { return this->on_[0]; }
  void set_using_variables(bool wanted) { this->on_[0] = wanted; }
  bool is_using_enum() const { return this->on_[1]; }
  void set_using_enum(bool wanted) { this->on_[1] = wanted; }
};

}  // namespace libalf
