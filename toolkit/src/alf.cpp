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
    default:
      return "no learner of this implementation";
  }
}

}  // namespace libalf
