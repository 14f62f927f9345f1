#pragma once

#include <map>
#include <string>
#include <vector>

#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// What a page shows beyond the run. All of it may be left out.
struct ReportExtras {
  std::string command = {};  ///< that does the run again
  std::string program = {};  ///< and its version, for the last line
  std::map<std::size_t, std::string> pictures =
      {};  ///< SVG of hypotheses, by Graphviz from picture_dot
};

/// The run as one self-contained HTML page that opens from disk and asks nobody for anything. Text
/// from networks is data in it, never markup. Kept below 5 MB: of very many or large hypotheses
/// some are listed without their automaton, the result never. The run has at least one hypothesis.
[[nodiscard]] std::string extraction_html(const Run& run, const ReportExtras& extras);

}  // namespace rnnalf
