#pragma once

#include <cstddef>
#include <cstdint>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/language_model/model_words.hpp"

namespace rnnalf {

struct FitOptions {
  std::size_t rounds = 12;      ///< of transitions and rows in turns, at most
  std::size_t row_steps = 150;  ///< of gradient descent, per round
  /// Weight of the KL divergence of the rows beside the decades of whole words: without it, symbols
  /// that no word reads in a state would take all that a row has left.
  double divergence_weight = 1;
  /// Weight of squared errors of single symbols when transitions are chosen: errors that cancel
  /// each other out on known words need not do so on others.
  double symbol_weight = 4;
  std::uint64_t seed = 1;
};

/// Changes the rows so that the decades on these words become fewer: the mean over words of
/// |log10(p / p*)|, p* as the network gives it. What the network gives the probability 0 stays 0.
void fit_rows(Pdfa& pdfa, const ModelWords& words, const FitOptions& options, const Budget& budget);

/// Gives states that no word reaches to the transitions whose words fit worst where they go,
/// changes every transition to where its words go on with the smallest error, and fits the rows, in
/// turns, for as long as decades on `held_out` words become fewer. Returns the best automaton met;
/// never more states than before.
[[nodiscard]] Pdfa fit(Pdfa pdfa, const ModelWords& words, const ModelWords& held_out,
                       const FitOptions& options, const Budget& budget,
                       Progress* progress = nullptr);

/// The automaton with states added that no word leads to, for `fit` to make use of.
[[nodiscard]] Pdfa with_states(const Pdfa& pdfa, std::size_t states);

/// Decades: the mean over words of |log10(p / p*)|. Words that either gives the probability 0 are
/// left out; 0 without words.
[[nodiscard]] double decades(const Pdfa& pdfa, const ModelWords& words);

}  // namespace rnnalf
