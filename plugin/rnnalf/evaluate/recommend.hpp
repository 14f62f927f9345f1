#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/evaluate/agreement.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct RecommendOptions {
  double tolerance = 0.001;  ///< share of words that a smaller hypothesis may lose; 0 .. 1
  /// Symbols; the lengths of the paper's dev set.
  std::vector<std::size_t> lengths = {1, 4, 7, 10, 13, 16, 19, 22, 25, 28};
  std::size_t per_length = 1000;     ///< words of each length; > 0
  std::size_t most_exceptions = 50;  ///< listed
  std::uint64_t seed = 1;
};
void validate(const RecommendOptions& options);  // throws OptionError naming the field

/// A small model and its exceptions.
struct Recommendation {
  std::size_t index = 0;                                ///< of the recommended hypothesis
  std::vector<std::vector<LengthAgreement>> agreement;  ///< of every hypothesis with the network
  std::vector<Counterexample>
      exceptions;        ///< to the recommended one: shortest, then clearest first
  bool complete = true;  ///< false: the budget ended, the estimate is from fewer words
};

/// Among the hypotheses of a run, the smallest whose estimated agreement with the network is within
/// `tolerance` of the best one's. A trained network often equals a small automaton on all but a few
/// odd words, and a learner that chases those builds hundreds of states.
///
/// The estimate uses the same words for all hypotheses, each run once through the network. Of each
/// length half are uniform words. The others are drawn along the last hypothesis: accepted ones,
/// uniform by words and by paths, the latter also with one symbol replaced, and rejected ones by
/// paths. Where the language is rare, uniform words alone would recommend the automaton that
/// rejects everything.
///
/// Exceptions are the `known` counterexamples of the run that refute the recommended hypothesis,
/// and words of the estimate that do. When the budget ends before the first words of
/// every length are done, the last hypothesis is recommended.
///
/// Throws std::invalid_argument when there is no hypothesis.
[[nodiscard]] Recommendation recommend(std::span<const Dfa> hypotheses, std::span<const Word> known,
                                       StateTree& tree, const RecommendOptions& options,
                                       const Budget& budget);

}  // namespace rnnalf
