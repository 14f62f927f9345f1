#pragma once

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/extraction/stages.hpp"
#include "rnnalf/run/most_exceptions.hpp"
#include "rnnalf/teacher/learner.hpp"

// The part of an extraction that knows nothing of large alphabets; called by Extraction.
namespace rnnalf {

/// Learns, measures, chooses and examines, over the symbols of the network as it is given, by
/// learning or by a baseline. The options are complete.
[[nodiscard]] Extracted plain_extraction(const Network& network, const Learners& learners,
                                         const ExtractionOptions& options, const Budget& budget,
                                         Progress& progress, const HypothesisTrace& trace);

}  // namespace rnnalf
