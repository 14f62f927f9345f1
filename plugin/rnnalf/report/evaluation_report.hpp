#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/network/summary.hpp"
#include "rnnalf/report/text_report.hpp"

namespace rnnalf {

/// One evaluation as a value: all that reports are written from.
struct EvaluationReport {
  /// An automaton that was compared.
  struct Automaton {
    std::string file;
    std::size_t states = 0;
  };
  NetworkSummary network;
  Automaton dfa;
  std::optional<Automaton> target;
  std::uint64_t seed = 1;  ///< of the words
  Evaluation found;
};

/// For a terminal: a table of agreement, then the words on which they differ. Ends with a line
/// feed.
[[nodiscard]] std::string evaluation_text(const EvaluationReport& report, const TextStyle& style);

/// As a JSON document, "rnnalf.evaluation/1": what `evaluate --json` writes. Equal evaluations are
/// equal text.
[[nodiscard]] std::string evaluation_json(const EvaluationReport& report);

}  // namespace rnnalf
