#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/run/options.hpp"

namespace rnnalf {

/// Which extractions to compare: every network with every learner and every chain of oracles, then
/// with every baseline; each with `repeat` seeds.
struct ComparisonOptions {
  std::vector<std::string> networks = {};  ///< files, or names of those at hand
  /// Networks that need no file, by name. What was asked of them before cannot be found in a store:
  /// a name does not say which weights they have.
  std::map<std::string, Network> at_hand = {};
  NetworkOptions network = {};  ///< of all of them
  /// What all extractions have in common. Baselines ignore what is about learners and oracles. With
  /// the preset, extractions use it except for learners and oracles that are given.
  ExtractionOptions extraction = {};
  std::vector<MethodSpec> methods = {};    ///< none: that of `extraction`
  std::vector<std::string> learners = {};  ///< none: that of `extraction`
  std::vector<OracleChain> oracles = {};   ///< none: those of `extraction`
  /// Languages that networks were meant to learn, by the network's name without its extension; the
  /// others' are in NAME.target.dot beside them, where that exists.
  std::map<std::string, std::string> targets = {};
  std::vector<std::string> sample = {};  ///< words tried at every equivalence query
  /// Files with such words, and with words that are clustered and measured; {name} in their names
  /// stands for the network's.
  std::vector<std::string> samples = {};
  std::vector<std::string> words = {};
  /// DFA files, or folders of them: languages that hypotheses may pass through.
  std::vector<std::string> milestones = {};
  std::vector<std::size_t> lengths = {10, 50, 100, 1000};  ///< of uniform words
  std::size_t per_length = 300;                            ///< uniform words of each length
  std::uint64_t repeat = 1;                                ///< seeds S, S+1, ...
  std::string program = {};  ///< who compares, with its version; part of what a result is

  /// Lengths, words of each and repetitions.
  [[nodiscard]] static const std::vector<OptionField<ComparisonOptions>>& table();
};

/// Throws OptionError when a value is out of its range, when there is no such learner, or when
/// options of the extraction contradict each other.
void validate(const ComparisonOptions& options);

/// All ways to extract from a network that the options ask for, in order; seeds are not varied.
[[nodiscard]] std::vector<ExtractionOptions> ways_to_extract(const ComparisonOptions& options);

}  // namespace rnnalf
