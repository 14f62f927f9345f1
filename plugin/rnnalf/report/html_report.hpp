#pragma once

#include <map>
#include <string>
#include <vector>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// Automata of up to this many states are drawn; of larger ones the page shows a summary.
inline constexpr std::size_t kDrawnStates = 60;

/// What a page shows beyond the run. All of it may be left out.
struct ReportExtras {
  std::string command = {};  ///< that does the run again
  std::string program = {};  ///< and its version, for the last line
  std::map<std::size_t, std::string> pictures =
      {};                                     ///< SVG of hypotheses, by Graphviz from picture_dot
  const NetworkSpec* network = nullptr;       ///< what was extracted from, for the page to ask it
  Spelling spelling = Spelling::CommandLine;  ///< of options that the page names
};

/// The hypotheses that the page shows, smallest first: those of the ladder, and the result.
[[nodiscard]] std::vector<std::size_t> shown_hypotheses(const Run& run);

/// The run as one self-contained HTML page that opens from disk and makes no requests. Text from
/// networks is data in it, never markup. Kept below 5 MB without the network, which brings up to
/// 5.4 MB more: of very many or large rungs some are listed without their automaton, but never the
/// result. The run has at least one hypothesis.
[[nodiscard]] std::string extraction_html(const Run& run, const ReportExtras& extras);

}  // namespace rnnalf
