#pragma once

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/extraction/stages.hpp"
#include "rnnalf/teacher/learner.hpp"

// The part of an extraction that makes large alphabets small; called by Extraction.
namespace rnnalf {

/// Whether the options want an alphabet of this size learned over representatives.
[[nodiscard]] bool has_large_alphabet(const Network& network, const ExtractionOptions& options);

/// As plain_extraction, over representatives of symbols that behave alike (see alike_symbols.hpp):
/// the words and the result are over all symbols, the hypotheses over the representatives. Where
/// the symbols differ, an extraction over all of them. Limits are those of all rounds together.
[[nodiscard]] Extracted over_representatives(const Network& network, const Learners& learners,
                                             const ExtractionOptions& options, const Budget& budget,
                                             Progress& progress, const HypothesisTrace& trace);

}  // namespace rnnalf
