#include "rnnalf/run/run.hpp"

#include <algorithm>

namespace rnnalf {

const Rung* Run::rung() const {
  const auto found = std::find_if(ladder.begin(), ladder.end(),
                                  [&](const Rung& rung) { return rung.hypothesis == recommended; });
  return found == ladder.end() ? nullptr : &*found;
}

bool Run::is_refuted() const {
  return !exceptions.empty() || hypotheses.at(recommended).refuted_by ||
         (proof && proof->outcome.counterexample) ||
         std::any_of(evidence.begin(), evidence.end(), [](const Evidence& part) {
           return part.end == Evidence::End::Counterexample;
         });
}

std::string_view verdict(const Run& run) noexcept {
  if (run.limit != Limit::None) return name(run.limit);
  return run.settled ? "settled" : "none-found";
}

NamedDfa named(const NetworkSummary& network, const Dfa& dfa) {
  return {network.alphabet, dfa, network.classes};
}

bool is_reproducible(const Run& run) noexcept {
  if (run.limit == Limit::Time || run.limit == Limit::Memory || run.limit == Limit::Interrupt) {
    return false;
  }
  return std::none_of(run.options.oracles.begin(), run.options.oracles.end(),
                      [](const OracleOptions& oracle) { return oracle.time.has_value(); });
}

}  // namespace rnnalf
