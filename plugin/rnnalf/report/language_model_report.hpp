#pragma once

#include <string>

#include "rnnalf/report/text_report.hpp"
#include "rnnalf/run/language_model_run.hpp"

namespace rnnalf {

/// The run for a terminal: the automaton, how close it is on sampled, uniform and given words,
/// its most probable words, and where it is worst. Ends with a line feed.
[[nodiscard]] std::string language_model_text(const LanguageModelRun& run, const TextStyle& style);

/// The run as a JSON document, "rnnalf.extraction/2" with `dfa` null and `pdfa`.
[[nodiscard]] std::string language_model_json(const LanguageModelRun& run);

/// `rnnalf evaluate --language-model`: how close a PDFA is to a network.
[[nodiscard]] std::string pdfa_judgement_text(const NetworkSummary& network, const Pdfa& pdfa,
                                              const PdfaJudgement& judgement,
                                              const TextStyle& style);
[[nodiscard]] std::string pdfa_judgement_json(const NetworkSummary& network,
                                              const PdfaJudgement& judgement);

}  // namespace rnnalf
