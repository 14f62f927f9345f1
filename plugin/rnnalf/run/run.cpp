#include "rnnalf/run/run.hpp"

#include <algorithm>

namespace rnnalf {

const Rung* Run::rung() const {
  const auto found = std::find_if(ladder.begin(), ladder.end(),
                                  [&](const Rung& rung) { return rung.hypothesis == recommended; });
  return found == ladder.end() ? nullptr : &*found;
}

Dfa Run::hypothesis(std::size_t number) const {
  const Dfa& learned = hypotheses.at(number).dfa;
  return groups ? groups->with_symbols(learned) : learned;
}

bool Run::is_refuted() const {
  return !exceptions.empty() || hypotheses.at(recommended).refuted_by ||
         (proof && proof->counterexample) ||
         std::any_of(evidence.begin(), evidence.end(), [](const Evidence& part) {
           return part.end == Evidence::End::Counterexample;
         });
}

Ending Run::ended() const noexcept {
  if (limit != Limit::None) return limit == Limit::Interrupt ? Ending::Interrupt : Ending::Limit;
  if (options.method.method != Method::AbstractionRefinement) return Ending::Complete;
  return settled ? Ending::NotWorthIt : Ending::NoCounterexample;
}

Selection Run::selection() const noexcept {
  return recommended + 1 == hypotheses.size() ? Selection::Last : Selection::Smaller;
}

RunVerdict verdict(const Run& run) noexcept {
  switch (run.limit) {
    case Limit::None:
      break;
    case Limit::Time:
      return RunVerdict::TimeLimit;
    case Limit::States:
      return RunVerdict::MaxStates;
    case Limit::Queries:
      return RunVerdict::MaxQueries;
    case Limit::Rounds:
      return RunVerdict::MaxRounds;
    case Limit::Steps:
      return RunVerdict::MaxSteps;
    case Limit::Memory:
      return RunVerdict::MemoryLimit;
    case Limit::Interrupt:
      return RunVerdict::Interrupted;
  }
  const bool settled = run.settled || run.selection() == Selection::Smaller;
  return settled ? RunVerdict::Settled : RunVerdict::NoneFound;
}

NamedDfa named(const NetworkSummary& network, const Dfa& dfa) {
  return {network.alphabet, dfa, network.classes};
}

NamedDfa as_learned(const Run& run, std::size_t hypothesis) {
  NamedDfa automaton = named(run.network, run.hypotheses.at(hypothesis).dfa);
  if (run.groups) {
    std::vector<std::string> names;
    for (const Symbol symbol : run.groups->representatives()) {
      names.push_back(run.network.alphabet.name(symbol));
    }
    automaton.alphabet = Alphabet(std::move(names));
  }
  return automaton;
}

bool is_reproducible(const Run& run) noexcept {
  if (run.cut_short || depends_on_machine(run.limit)) return false;
  return std::none_of(run.options.oracles.begin(), run.options.oracles.end(),
                      [](const OracleOptions& oracle) { return oracle.time.has_value(); });
}

}  // namespace rnnalf
