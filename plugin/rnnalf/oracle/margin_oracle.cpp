#include "rnnalf/oracle/search_oracles.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"
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

const std::vector<OptionField<MarginOptions>>& MarginOptions::table() {
  static const std::vector<OptionField<MarginOptions>> fields = {
      option("beam", "", Count{.least = 1}, &MarginOptions::beam,
             "words of each length that are followed"),
      option("max-length", "", Count{.least = 1}, &MarginOptions::max_length, "symbols of a word")};
  return fields;
}

EquivalenceAnswer search(SearchState<MarginOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  std::uint64_t tested = 0;
  std::vector<Candidate> beam{{StateTree::root(), hypothesis.initial()}};
  const auto evidence = [&] {
    return Evidence{.oracle = std::string(MarginOptions::kName),
                    .words_tested = tested,
                    .looked_at = WordsCompared{.kind = WordsCompared::Kind::NearThreshold}};
  };
  for (std::size_t length = 1; length <= own.options.max_length && own.tree.symbol_count() > 0;
       ++length) {
    std::vector<Node> nodes;
    for (const Candidate& candidate : beam) nodes.push_back(candidate.node);
    if (!own.tree.expand(nodes, budget)) return stopped(evidence());
    std::vector<Candidate> successors;
    std::vector<Word> words;
    for (const Candidate& from : beam) {
      for (std::size_t a = 0; a < own.tree.symbol_count(); ++a) {
        const auto symbol = static_cast<Symbol>(a);
        successors.push_back(
            {*own.tree.find(from.node, symbol), hypothesis.next(from.l_state, symbol)});
        words.push_back(own.tree.word(successors.back().node));
      }
    }
    const auto compared = answered(own.tree, std::move(words), budget, Margins::Wanted);
    if (!compared) return stopped(evidence());
    tested += compared->size();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      successors[i].distance = std::abs(compared->margins[i]);
    }
    std::erase_if(successors, [](const Candidate& one) { return std::isnan(one.distance); });
    if (const auto first = compared->first_difference(hypothesis)) {
      return refuted(checked_counterexample(own.tree, hypothesis, compared->words[*first],
                                            MarginOptions::kName),
                     evidence());
    }
    beam = nearest(std::move(successors), hypothesis.size(), own.options.beam);
  }
  return none_found(evidence());
}

}  // namespace rnnalf
