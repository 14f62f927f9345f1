#include <libalf/alf.h>

namespace libalf {

const char* libalf_version() {
  return "rnnalf toolkit, libalf interface of 2020";
}

const char* learning_algorithm_name(learning_algorithm_type type) {
  switch (type) {
    case ALG_ANGLUIN:
      return "angluin_simple_table";
    case ALG_ANGLUIN_COLUMN:
      return "angluin_col_table";
    case ALG_RIVEST_SCHAPIRE:
      return "rivest_schapire_table";
    case ALG_NL_STAR:
      return "NLstar_table";
    case ALG_KEARNS_VAZIRANI:
      return "kearns_vazirani";
    case ALG_BIERMANN:
      return "biermann";
    case ALG_RPNI:
      return "RPNI";
    case ALG_DELETE2:
      return "DeLeTe2";
    case ALG_BIERMANN_ORIGINAL:
      return "original_biermann";
    case ALG_INFERRING_MINISAT:
    case ALG_INFERRING_Z3:
    case ALG_INFERRING_CSP_MINISAT:
    case ALG_INFERRING_CSP_Z3:
    case ALG_INFERRING_DFA_MINISAT:
    case ALG_INFERRING_DFA_Z3:
      return "smallest deterministic machine";
    case ALG_INFERRING_NFA_MINISAT:
      return "smallest nondeterministic automaton";
    case ALG_COUNTEREXAMPLE_LEARNING:
      return "counterexample_learning";
    default:
      return "no learner of this implementation";
  }
}

}  // namespace libalf
