#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest deterministic machine that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
template <class answer>
class deterministic_inferring_MiniSat : public detail::deterministic_inferring<answer, 2> {
 public:
  deterministic_inferring_MiniSat(knowledgebase<answer>* base, logger* log, int size,
                                  bool symmetry_breaking = true)
      : detail::deterministic_inferring<answer, 2>(base, log, size, {symmetry_breaking, false}) {}

  learning_algorithm_type get_type() const override { return ALG_INFERRING_MINISAT; }

  bool uses_symmetry_breaking() const { return this->on_[0]; }
  void set_symmetry_breaking(bool wanted) { this->on_[0] = wanted; }
};

}  // namespace libalf
