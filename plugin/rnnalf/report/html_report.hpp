#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rnnalf/report/run.hpp"

namespace rnnalf {

/// An R-state in the plane, with what is known about it.
struct RStatePoint {
  double x = 0;
  double y = 0;
  Word word = {};
  LState l_state{};  ///< of the result
  AState a_state{};
  bool accepted = false;  ///< the network's answer
};

/// R-states that a run saw, projected to two dimensions.
struct RStatePlot {
  std::vector<RStatePoint> points = {};
  std::array<double, 2> variance{};  ///< share of all variance along each axis
  std::uint64_t seen = 0;            ///< R-states of the run, of which the points are a part
};

/// What a page shows beyond the run. All of it may be left out.
struct ReportExtras {
  std::string command = {};  ///< that does the run again
  std::string program = {};  ///< and its version, for the last line
  RStatePlot plot = {};      ///< without points: no plot
  std::map<std::size_t, std::string> pictures =
      {};  ///< SVG of hypotheses, by Graphviz from picture_dot
};

/// The run as one self-contained HTML page that opens from disk and asks nobody for anything. Text
/// from networks is data in it, never markup. Kept below 5 MB: of very many or large hypotheses
/// some are listed without their automaton, the result never. The run has at least one hypothesis.
[[nodiscard]] std::string extraction_html(const Run& run, const ReportExtras& extras);

}  // namespace rnnalf
