#pragma once

#include <cstdint>
#include <vector>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/language_model/judge_pdfa.hpp"
#include "rnnalf/run/options.hpp"

namespace rnnalf {

/// A PDFA that was made on the way, with its decades on the words held out.
struct PdfaRung {
  std::size_t states = 0;
  double decades = 0;
  double at_seconds = 0;
};

/// One extraction from a language model as a value: all that reports are written from.
struct LanguageModelRun {
  NetworkSummary network = {};
  ExtractionOptions options = {};
  Limit limit = Limit::None;  ///< that ended it; None: it ended by itself
  bool cut_short = false;     ///< see Run::cut_short
  Pdfa pdfa{0, 1};            ///< the result
  std::vector<PdfaRung> ladder = {};
  PdfaJudgement judgement = {};
  std::uint64_t words = 0;  ///< drawn to learn from
  std::uint64_t steps = 0;  ///< of the network
  double seconds = 0;
};

}  // namespace rnnalf
