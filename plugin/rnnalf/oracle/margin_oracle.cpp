#include "rnnalf/oracle/margin_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

struct Candidate {
  Node node;
  LState l_state;
  double distance = 0;   // of the score from the threshold
  std::size_t rank = 0;  // among those of the same L-state
};

/// The nearest to the threshold, taking turns between L-states.
std::vector<Candidate> nearest(std::vector<Candidate> candidates, std::size_t l_states,
                               std::size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::size_t> seen(l_states, 0);
  for (Candidate& candidate : candidates) candidate.rank = seen[index(candidate.l_state)]++;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  if (candidates.size() > most) candidates.resize(most);
  return candidates;
}

}  // namespace

void validate(const MarginOptions& options) {
  if (options.beam == 0) throw OptionError("margin: beam: expected a number above 0, found 0");
  if (options.max_length == 0) {
    throw OptionError("margin: max-length: expected a number above 0, found 0");
  }
}

MarginOracle::MarginOracle(StateTree& tree, const MarginOptions& options)
    : tree_(tree), options_(options) {
  validate(options);
}

EquivalenceAnswer MarginOracle::find(const Dfa& hypothesis, const Budget& budget) {
  std::uint64_t tested = 0;
  std::vector<Candidate> beam{{StateTree::root(), hypothesis.initial()}};
  const auto spent = [&] {
    EquivalenceAnswer answer;
    answer.verdict = Verdict::BudgetSpent;
    answer.evidence.push_back(
        {std::string(name()), tested, none_among(tested, "words, stopped by a limit")});
    return answer;
  };
  for (std::size_t length = 1; length <= options_.max_length && tree_.symbol_count() > 0;
       ++length) {
    std::vector<Node> nodes;
    for (const Candidate& candidate : beam) nodes.push_back(candidate.node);
    if (!tree_.expand(nodes, budget)) return spent();
    std::vector<Candidate> successors;
    std::vector<Word> words;
    for (const Candidate& from : beam) {
      for (std::size_t a = 0; a < tree_.symbol_count(); ++a) {
        const auto symbol = static_cast<Symbol>(a);
        successors.push_back(
            {*tree_.find(from.node, symbol), hypothesis.next(from.l_state, symbol)});
        words.push_back(tree_.word(successors.back().node));
      }
    }
    std::vector<double> margins;
    const auto answers = tree_.answers(words, budget, &margins);
    if (!answers) return spent();
    tested += words.size();
    const Word* refuting = nullptr;
    for (std::size_t i = 0; i < words.size(); ++i) {
      successors[i].distance = std::abs(margins[i]);
      const bool differs = hypothesis.accepts(successors[i].l_state) != ((*answers)[i] != 0);
      if (differs && (refuting == nullptr || shortlex_less(words[i], *refuting)))
        refuting = &words[i];
    }
    if (refuting != nullptr) {
      EquivalenceAnswer answer;
      answer.verdict = Verdict::Counterexample;
      answer.counterexample = checked_counterexample(tree_, hypothesis, *refuting,
                                                     !hypothesis.accepts(*refuting), name());
      answer.evidence.push_back(
          {std::string(name()), tested, "a counterexample of length " + std::to_string(length)});
      return answer;
    }
    beam = nearest(std::move(successors), hypothesis.size(), options_.beam);
  }
  EquivalenceAnswer answer;
  answer.evidence.push_back({std::string(name()), tested,
                             none_among(tested, "words nearest to the network's threshold")});
  return answer;
}

}  // namespace rnnalf
