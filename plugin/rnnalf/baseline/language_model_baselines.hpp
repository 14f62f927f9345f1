#pragma once

#include <cstddef>
#include <cstdint>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/language_model/model_words.hpp"

// What the literature makes of a language model, to compare with; n-grams are in
// language_model/contexts.hpp.
namespace rnnalf {

/// k-means of the R-states, which the words must have. The successor of a cluster is the one that
/// most of its R-states go to; the rows are means over the prefixes that reach the state.
[[nodiscard]] Pdfa kmeans_automaton(const ModelWords& words, std::size_t clusters,
                                    std::uint64_t seed, const Budget& budget);

/// The same of R-states and log-probabilities together, each with the same total variance. No
/// baseline of the literature: an automaton to begin the fit with.
[[nodiscard]] Pdfa clustered_automaton(const ModelWords& words, std::size_t clusters,
                                       std::uint64_t seed, const Budget& budget);

}  // namespace rnnalf
