#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rnnalf/baseline/quotient.hpp"
#include "rnnalf/oracle/oracle.hpp"

namespace rnnalf {

enum class Method : std::uint8_t { AbstractionRefinement, Quantization, KMeans };

/// `--method`, understood.
struct MethodSpec {
  Method method = Method::AbstractionRefinement;
  std::size_t intervals = 2;    ///< quantization: q
  std::vector<std::size_t> ks;  ///< kmeans: numbers of clusters to try

  [[nodiscard]] std::string text() const;  ///< as on the command line
};

/// Reads `abstraction-refinement`, `quantization:q=2`, `kmeans:k=10`, `kmeans` (several k). Throws
/// OptionError that lists what exists.
[[nodiscard]] MethodSpec parse_method(std::string_view text);

struct BaselineOptions {
  /// Words whose R-states, prefixes included, are clustered; none: random ones. Not for
  /// quantization.
  std::vector<Word> words = {};
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 1;
};

struct BaselineResult {
  PartialDfa automaton;
  std::vector<Evidence> evidence;  ///< size, coverage by length, and which k was best
  /// By length, the share of uniform words whose path the DFA knows.
  std::vector<std::pair<std::size_t, double>> coverage;
  bool complete = true;  ///< false: a limit ended it before all of the method was done
};

/// Extracts with a baseline: quantization in one go; k-means for every k, the result is the one
/// that agrees with the network on most of the words. A budget that ends leaves a partial DFA.
[[nodiscard]] BaselineResult run_baseline(StateTree& tree, const MethodSpec& method,
                                          const BaselineOptions& options, const Budget& budget);

}  // namespace rnnalf
