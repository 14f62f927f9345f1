#include "rnnalf/oracle/combinators.hpp"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace rnnalf {
namespace {

void append(std::vector<Evidence>& to, std::vector<Evidence>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void expect_some(const std::vector<OraclePtr>& oracles, const char* who) {
  if (oracles.empty()) throw std::invalid_argument(std::string(who) + ": expected oracles");
}

}  // namespace

FirstOf::FirstOf(std::vector<OraclePtr> oracles) : oracles_(std::move(oracles)) {
  expect_some(oracles_, "FirstOf");
}

EquivalenceAnswer FirstOf::find(const Dfa& hypothesis, const Budget& budget) {
  EquivalenceAnswer result;
  for (const OraclePtr& oracle : oracles_) {
    EquivalenceAnswer answer = oracle->find(hypothesis, budget);
    append(result.evidence, answer.evidence);
    result.verdict = answer.verdict;
    result.counterexample = std::move(answer.counterexample);
    if (result.verdict != Verdict::NoneFound) break;
  }
  return result;
}

ShortestOf::ShortestOf(std::vector<OraclePtr> oracles) : oracles_(std::move(oracles)) {
  expect_some(oracles_, "ShortestOf");
}

EquivalenceAnswer ShortestOf::find(const Dfa& hypothesis, const Budget& budget) {
  EquivalenceAnswer result;
  for (const OraclePtr& oracle : oracles_) {
    EquivalenceAnswer answer = oracle->find(hypothesis, budget);
    append(result.evidence, answer.evidence);
    if (answer.counterexample &&
        (!result.counterexample ||
         shortlex_less(answer.counterexample->word, result.counterexample->word))) {
      result.counterexample = std::move(answer.counterexample);
    }
    if (answer.verdict == Verdict::BudgetSpent) {
      result.verdict = Verdict::BudgetSpent;
      break;
    }
  }
  // A counterexample in hand is worth more than knowing that the budget ended after it.
  if (result.counterexample) result.verdict = Verdict::Counterexample;
  return result;
}

TimeBoxed::TimeBoxed(OraclePtr oracle, std::chrono::duration<double> time)
    : oracle_(std::move(oracle)), time_(time) {
  naming(std::string(name()) + ": time", [&] { option_value::check(kTimesOfOracles, time); });
}

EquivalenceAnswer TimeBoxed::find(const Dfa& hypothesis, const Budget& budget) {
  Budget box(time_);
  box.part_of(budget);
  EquivalenceAnswer answer = oracle_->find(hypothesis, box);
  if (answer.verdict == Verdict::BudgetSpent && !budget.spent()) {
    answer.verdict = Verdict::NoneFound;
  }
  return answer;
}

}  // namespace rnnalf
