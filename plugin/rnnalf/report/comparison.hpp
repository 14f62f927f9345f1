#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rnnalf {

/// One extraction of a comparison: what was run, and what came out.
struct ComparisonCell {
  std::string network = {};  ///< file
  std::string learner = {};
  std::string oracle = {};  ///< chain, as on the command line
  std::string method = {};  ///< `abstraction-refinement` or a baseline
  std::uint64_t seed = 1;

  std::string failure =
      {};  ///< why there is no result; empty: there is one, and what follows holds
  std::string verdict = {};  ///< of the extraction
  std::uint64_t states = 0;  ///< of the result
  double seconds = 0;
  std::uint64_t membership_queries = 0;
  std::uint64_t equivalence_queries = 0;
  std::uint64_t rnn_steps = 0;
  std::uint64_t counterexamples = 0;
  std::optional<double> agreement = std::nullopt;  ///< estimated, of result and network
};

/// Learners x oracles x methods x seeds over networks.
struct Comparison {
  std::string command = {};  ///< that does it again
  std::string program = {};  ///< and its version
  std::vector<ComparisonCell> cells = {};
};

}  // namespace rnnalf
