#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rnnalf/baseline/method.hpp"
#include "rnnalf/baseline/quotient.hpp"
#include "rnnalf/oracle/evidence.hpp"

namespace rnnalf {

struct BaselineOptions {
  /// Words whose R-states, prefixes included, are clustered, or whose answers are learnt from;
  /// none: random ones. Not for quantization.
  std::vector<Word> words = {};
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 1;
};

struct BaselineResult {
  PartialDfa automaton;
  std::vector<Evidence> evidence;  ///< of every partition tried, then what the result covers
  Coverage coverage;               ///< by length, of uniform words
  bool complete = true;            ///< false: a limit ended it before all of the method was done
};

/// The words that a baseline looks at: the given ones, else short and longer random ones; of a
/// passive method as many of them as it wants.
[[nodiscard]] std::vector<Word> words_for(const MethodSpec& method, const BaselineOptions& options,
                                          std::size_t symbols);

/// Extracts with a baseline that looks at R-states: quantization in one go; k-means for every k,
/// the result is the one that agrees with the network on most of the words. A budget that ends
/// leaves a partial DFA.
[[nodiscard]] BaselineResult run_baseline(StateTree& tree, const MethodSpec& method,
                                          const BaselineOptions& options, const Budget& budget);

}  // namespace rnnalf
