#include "rnnalf/comparison/measure.hpp"

#include "rnnalf/automaton/language_sampler.hpp"

namespace rnnalf {
namespace {

MeasuredWords measure(const Run& run, const AnsweredWords& answered) {
  MeasuredWords measured;
  measured.words = answered.answered();
  for (std::size_t i = 0; i < answered.words.size(); ++i) {
    if (answered.answers[i] == Answer::None) continue;
    const bool agreed = !answered.differs(run.dfa(), i);
    const bool covered = !run.covered || run.covered->accepts(answered.words[i]);
    measured.agreed += agreed ? 1 : 0;
    measured.covered += covered ? 1 : 0;
    measured.agreed_covered += agreed && covered ? 1 : 0;
  }
  return measured;
}

/// The last milestone that a hypothesis of the run was; empty: none.
std::string last_milestone(const Run& run, const std::vector<Milestone>& milestones) {
  for (std::size_t m = milestones.size(); m-- > 0;) {
    for (std::size_t i = 0; i < run.hypotheses.size(); ++i) {
      if (equivalent(run.hypothesis(i), milestones[m].dfa)) return milestones[m].name;
    }
  }
  return "";
}

}  // namespace

std::optional<ComparisonWords> make_comparison_words(const ComparedNetwork& network,
                                                     const std::vector<std::size_t>& lengths,
                                                     std::size_t per_length, unsigned threads,
                                                     const Budget& budget) {
  StateTree tree(*network.network.acceptor,
                 {.threads = threads, .empty_word = network.network.empty_word});
  ComparisonWords result;
  for (const std::size_t length : lengths) {
    Random random(length);
    std::vector<Word> words;
    for (std::size_t i = 0; i < per_length; ++i) {
      words.push_back(uniform_word(tree.symbol_count(), length, random));
    }
    auto of_length = answered(tree, std::move(words), budget);
    if (!of_length) return std::nullopt;
    result.by_length.emplace_back(length, std::move(*of_length));
  }
  if (!network.words.empty()) {
    result.given = answered(tree, network.words, budget);
    if (!result.given) return std::nullopt;
  }
  return result;
}

ComparisonCell measured_cell(ComparisonCell planned, const Run& run, const ComparedNetwork& network,
                             const ComparisonWords& words) {
  ComparisonCell cell = std::move(planned);
  cell.verdict = verdict(run);
  // A baseline asks no oracle, so it cannot say that none found anything.
  if (cell.method.is_baseline() && run.limit == Limit::None) cell.verdict = RunVerdict::Complete;
  cell.states = run.dfa().size();
  cell.last_states = run.hypotheses.back().dfa.size();
  cell.a_states = run.statistics.a_states;
  cell.counterexamples = run.counterexamples.size();
  cell.membership_queries = run.statistics.membership_queries;
  cell.equivalence_queries = run.statistics.equivalence_queries;
  cell.rnn_steps = run.statistics.rnn_steps;
  cell.seconds = run.statistics.seconds;
  for (const auto& [length, answered] : words.by_length) {
    cell.by_length.emplace_back(length, measure(run, answered));
  }
  if (words.given) cell.given = measure(run, *words.given);
  if (network.target) cell.equals_target = equivalent(run.dfa(), *network.target);
  if (!network.milestones.empty()) cell.milestone = last_milestone(run, network.milestones);
  return cell;
}

}  // namespace rnnalf
