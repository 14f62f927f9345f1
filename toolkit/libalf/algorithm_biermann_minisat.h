#pragma once

#include <libalf/algorithm_biermann.h>

namespace libalf {

/// A smallest DFA that agrees with the sample, found by a SAT solver. Named after the one that
/// upstream libalf bundles; here it is CaDiCaL.
template <class answer>
class MiniSat_biermann : public basic_biermann<answer> {
 public:
  MiniSat_biermann(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }
};

}  // namespace libalf
