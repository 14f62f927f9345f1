#include "rnnalf/network/summary.hpp"

namespace rnnalf {

NetworkSummary summary(const NetworkSpec& spec) {
  return {.file = spec.file,
          .cell = std::string(name(spec.cell)),
          .layers = spec.layers.size(),
          .hidden = spec.layers.back().hidden,
          .state_size = spec.state_size(),
          .alphabet = spec.alphabet};
}

}  // namespace rnnalf
