#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest deterministic machine that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
template <class answer>
class deterministic_inferring_MiniSat : public detail::symmetric_inferring<answer> {
 public:
  deterministic_inferring_MiniSat(knowledgebase<answer>* base, logger* log, int size,
                                  bool symmetry_breaking = true)
      : detail::symmetric_inferring<answer>(base, log, size, symmetry_breaking) {}
};

}  // namespace libalf
