#include "rnnalf/network/summary.hpp"

namespace rnnalf {

NetworkSummary summary(const NetworkSpec& spec) {
  return {.file = spec.file,
          .cell = spec.step ? "step graph" : std::string(name(spec.cell)),
          .layers = spec.layers.size(),
          .hidden = spec.step ? spec.step->readout_size() : spec.layers.back().hidden,
          .state_size = spec.state_size(),
          .alphabet = spec.alphabet,
          .assumed = spec.assumed,
          .probes = spec.probes.size()};
}

}  // namespace rnnalf
