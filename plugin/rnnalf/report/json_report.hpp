#pragma once

#include <optional>
#include <string>

#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// The run as a JSON document, "rnnalf.extraction/2": what `extract --json` writes. Equal runs are
/// equal text but for the times; a list of records has one record per line. The run has at least
/// one hypothesis.
///
/// `certificate`: the file that the proof was written to, where it was.
[[nodiscard]] std::string extraction_json(const Run& run,
                                          const std::optional<std::string>& certificate = {});

/// A hypothesis as one line of a trace, with its newline.
[[nodiscard]] std::string trace_line(const NetworkSummary& network, std::size_t number,
                                     const HypothesisRecord& hypothesis);

}  // namespace rnnalf
