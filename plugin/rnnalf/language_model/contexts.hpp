#pragma once

#include <cstddef>

#include "rnnalf/language_model/model_words.hpp"

namespace rnnalf {

/// The PDFA whose states are the contexts (last symbols read, or all of a short prefix) that
/// tell the model's distributions apart best: a prediction suffix tree, grown best first until it
/// has `states` nodes. A suffix is split by the symbol in front of it where that lowers the squared
/// error of log-probabilities most, weighted by how often a symbol is read there. At most
/// `longest` symbols are looked back. Some contexts may be states that no word leads to: what
/// stands in front of their last symbol need not be a context itself; `fit` finds ways to them.
[[nodiscard]] Pdfa context_automaton(const ModelWords& words, std::size_t states,
                                     std::size_t longest = 6);

/// The n-gram model distilled from the network: a state for every sequence of at most `symbols`
/// last symbols that occurs. 0: one state.
[[nodiscard]] Pdfa ngram_automaton(const ModelWords& words, std::size_t symbols);

/// Every row becomes the mean of the model's distributions over the prefixes that reach the state,
/// scaled to the sum 1; a state that none reaches keeps its row.
void set_mean_rows(Pdfa& pdfa, const ModelWords& words);

}  // namespace rnnalf
