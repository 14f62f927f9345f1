#pragma once

#include <optional>

#include "rnnalf/libalf/extraction.hpp"

namespace rnnalf {

/// An extraction over representatives of symbols that behave alike (see alike_symbols.hpp), as a
/// run over all symbols. None where that does not pay: the alphabet is small, or its symbols
/// differ.
[[nodiscard]] std::optional<Run> run_over_representatives(const Network& network,
                                                          const ExtractionOptions& options,
                                                          const std::optional<Dfa>& target,
                                                          const Budget& budget, Progress* progress,
                                                          const Extraction::Trace& trace);

}  // namespace rnnalf
