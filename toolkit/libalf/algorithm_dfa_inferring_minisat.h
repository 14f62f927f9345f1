#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest DFA that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
class dfa_inferring_MiniSat : public detail::symmetric_inferring<bool> {
 public:
  dfa_inferring_MiniSat(knowledgebase<bool>* base, logger* log, int size,
                        bool symmetry_breaking = true)
      : detail::symmetric_inferring<bool>(base, log, size, symmetry_breaking) {}
};

}  // namespace libalf
