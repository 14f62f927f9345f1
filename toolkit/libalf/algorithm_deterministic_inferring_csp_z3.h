#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest deterministic machine that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
template <class answer>
class deterministic_inferring_csp_Z3
    : public detail::inferring_with_z3<answer, ALG_INFERRING_CSP_Z3> {
 public:
  deterministic_inferring_csp_Z3(knowledgebase<answer>* base, logger* log, int size,
                                 bool use_variables = false, bool use_enum = false)
      : detail::inferring_with_z3<answer, ALG_INFERRING_CSP_Z3>(base, log, size, use_variables,
                                                                use_enum) {}
};

}  // namespace libalf
