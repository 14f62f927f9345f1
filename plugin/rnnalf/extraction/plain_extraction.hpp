#pragma once

#include <cstddef>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/run/run.hpp"
#include "rnnalf/teacher/learner.hpp"

// The part of an extraction that knows nothing of large alphabets; called by Extraction.
namespace rnnalf {

constexpr std::size_t kMostExceptions = 50;  ///< words that a run lists

/// The limit of the options on memory, from now on. Memory is looked at between batches, so what
/// one of them may take is kept free.
void restrict_memory(Budget& budget, const ExtractionOptions& options);

/// An extraction over the symbols of the network as it is given, by learning or by a baseline: all
/// of a Run but what is known of the network, the target and a proof. The options are complete.
[[nodiscard]] Run plain_extraction(const Network& network, const Learners& learners,
                                   const ExtractionOptions& options, const Budget& budget,
                                   Progress& progress, const HypothesisTrace& trace);

}  // namespace rnnalf
