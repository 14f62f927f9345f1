#pragma once

#include <cstddef>
#include <memory>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/language_model/language_model.hpp"

namespace rnnalf {

/// The language model as an acceptor whose answer to a word is a class of distributions: a cell of
/// a partition of the simplex, which divides every probability into intervals of `width`. With it
/// every learner and oracle works on a language model as on a network with several classes.
///
/// Cells get their numbers as words meet them, so the number of a cell says nothing; which words
/// share one depends on the model and `width` alone. A network with more cells than there are
/// answers (60,000) is refused with NetworkFileError when the last is taken.
[[nodiscard]] std::unique_ptr<RnnAcceptor> with_distribution_classes(const LanguageModel& model,
                                                                     double width);

/// The PDFA with the transitions of a Moore machine learned from such classes: each state has the
/// distribution of the prefix that leads to it first, in breadth-first order.
[[nodiscard]] Pdfa with_distributions(const Dfa& machine, const LanguageModel& model);

}  // namespace rnnalf
