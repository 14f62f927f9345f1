#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest DFA that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
class dfa_inferring_Z3 : public detail::inferring_with_z3<bool, ALG_INFERRING_Z3> {
 public:
  dfa_inferring_Z3(knowledgebase<bool>* base, logger* log, int size, bool use_variables = false,
                   bool use_enum = false)
      : detail::inferring_with_z3<bool, ALG_INFERRING_Z3>(base, log, size, use_variables,
                                                          use_enum) {}
};

}  // namespace libalf
