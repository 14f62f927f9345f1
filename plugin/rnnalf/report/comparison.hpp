#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rnnalf/run/run.hpp"

namespace rnnalf {

/// How a network and a DFA that may know only some words answered the same words.
struct MeasuredWords {
  std::uint64_t words = 0;
  std::uint64_t agreed = 0;
  std::uint64_t covered = 0;  ///< whose path the DFA knows; all of them, unless it is partial
  std::uint64_t agreed_covered = 0;  ///< of those covered

  [[nodiscard]] std::optional<double> agreement() const { return share(agreed, words); }
  [[nodiscard]] std::optional<double> coverage() const { return share(covered, words); }
  [[nodiscard]] std::optional<double> covered_agreement() const {
    return share(agreed_covered, covered);
  }
  void add(const MeasuredWords& more);

 private:
  static std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// One extraction of a comparison: what was run, and what came out.
struct ComparisonCell {
  std::string network = {};  ///< file
  MethodSpec method = {};
  std::string learner = {};  ///< empty for baselines, as is the oracle
  std::string oracle = {};   ///< chain, as on the command line
  std::uint64_t seed = 1;
  std::vector<UsedOption> options = {};  ///< all others that decide the result, defaults included
  std::string inputs = {};               ///< a checksum of what was in the files that were read
  std::string program = {};              ///< and its version

  std::optional<RunVerdict> verdict = {};  ///< none: it has not been run yet
  std::uint64_t states = 0;                ///< of the result
  std::uint64_t last_states = 0;           ///< of the last hypothesis
  std::uint64_t a_states = 0;              ///< of the abstraction, or of a baseline's partition
  std::uint64_t counterexamples = 0;
  std::uint64_t membership_queries = 0;
  std::uint64_t equivalence_queries = 0;
  std::uint64_t rnn_steps = 0;
  double seconds = 0;
  std::vector<std::pair<std::size_t, MeasuredWords>> by_length = {};  ///< uniform words
  std::optional<MeasuredWords> given = std::nullopt;                  ///< words of a file
  std::optional<bool> equals_target = std::nullopt;
  /// The last of some languages that a hypothesis of the run was; empty: none of them.
  std::optional<std::string> milestone = std::nullopt;

  /// Whether a DFA came out. Without one (the process died, the time was over before the first
  /// hypothesis) the verdict says why, and all numbers are zeros that mean nothing.
  [[nodiscard]] bool has_result() const { return states > 0; }
  /// All uniform words together.
  [[nodiscard]] MeasuredWords uniform() const;
  /// For people: the method of a baseline, else learner and oracle.
  [[nodiscard]] std::string way() const;
  [[nodiscard]] std::string_view verdict_name() const { return verdict ? name(*verdict) : ""; }
};

/// Learners x oracles x methods x seeds over networks.
struct Comparison {
  std::string command = {};  ///< that does it again
  std::string program = {};  ///< and its version
  std::vector<ComparisonCell> cells = {};
};

}  // namespace rnnalf
