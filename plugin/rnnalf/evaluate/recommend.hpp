#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/evaluate/agreement.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct RecommendOptions {
  double tolerance = 0.001;  ///< share of words that a smaller hypothesis may lose; 0 .. 1
  std::vector<std::size_t> lengths = {4, 8, 12, 16, 24, 32, 48};  ///< symbols
  std::size_t per_length = 500;                                   ///< words of each length; > 0
  std::size_t most_exceptions = 50;                               ///< listed
  std::uint64_t seed = 1;
};
void validate(const RecommendOptions& options);  // throws OptionError naming the field

/// A word on which the network and the recommended hypothesis differ.
struct Exception {
  Word word;
  bool accepted = false;   ///< the network's answer
  double probability = 0;  ///< of accept
};

/// A small model and its exceptions.
struct Recommendation {
  std::size_t index = 0;                                ///< of the recommended hypothesis
  std::vector<std::vector<LengthAgreement>> agreement;  ///< of every hypothesis with the network
  std::vector<Exception> exceptions;  ///< to the recommended one: shortest, then clearest first
  bool complete = true;  ///< false: the budget ended; lengths that were not reached are left out
};

/// Among the hypotheses of a run, the smallest whose estimated agreement with the network is within
/// `tolerance` of the best one's. A trained network often equals a small automaton on all but a few
/// odd words, and a learner that chases those builds hundreds of states.
///
/// The estimate uses the same words for all hypotheses, each run once through the network. Of each
/// length a quarter are uniform words, a quarter uniform among those the last hypothesis accepts,
/// a quarter among those it rejects, and a quarter accepted ones with one symbol replaced: where
/// the language is rare, uniform words alone would recommend the automaton that rejects everything.
///
/// Exceptions are the `known` counterexamples of the run that refute the recommended hypothesis,
/// and words of the estimate that do. When the budget ends before the first length is done, the
/// last hypothesis is recommended.
///
/// Throws std::invalid_argument when there is no hypothesis.
[[nodiscard]] Recommendation recommend(std::span<const Dfa> hypotheses, std::span<const Word> known,
                                       StateTree& tree, const RecommendOptions& options,
                                       const Budget& budget);

}  // namespace rnnalf
