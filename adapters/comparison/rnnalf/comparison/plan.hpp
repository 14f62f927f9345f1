#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/comparison/options.hpp"
#include "rnnalf/report/comparison.hpp"

namespace rnnalf {

/// A language that hypotheses may pass through.
struct Milestone {
  std::string name;
  Dfa dfa;
};

/// A network and all that was read for it.
struct ComparedNetwork {
  Network network;
  std::optional<Dfa> target;  ///< of NAME.target.dot beside the network, where it exists
  std::vector<Word> samples;  ///< tried at every equivalence query
  std::vector<Word> words;    ///< clustered, and measured
  std::vector<Milestone> milestones;
  std::vector<std::filesystem::path> beside;  ///< files with weights that do not fit into its own
};

/// One extraction, not run yet.
struct PlannedExtraction {
  std::size_t network = 0;  ///< position in the plan
  ExtractionOptions options;
  ComparisonCell cell;  ///< what it is; what comes out is empty
};

/// Everything that a comparison needs: no file is read after this.
struct ComparisonPlan {
  std::vector<ComparedNetwork> networks;
  std::vector<PlannedExtraction> extractions;
  std::vector<std::size_t> lengths;  ///< of uniform words
  std::size_t per_length = 0;
  std::vector<std::string> notes;  ///< what users should be told about the files
};

/// Whether a file of words has {name} in its name, which stands for a network's name without its
/// extension; and the file of a network then.
[[nodiscard]] bool is_of_one_network(const std::string& file);
[[nodiscard]] std::string file_of_network(std::string file, const std::string& network);

/// The file with the language that the network was meant to learn: named by the options, or beside
/// the network where there is one.
[[nodiscard]] std::optional<std::string> target_file(const std::string& network,
                                                     const ComparisonOptions& options);

/// Reads every file once, so that one that cannot be read is found before hours have passed, and a
/// pipe is enough. Throws FileError and OptionError.
[[nodiscard]] ComparisonPlan plan_comparison(const ComparisonOptions& options);

}  // namespace rnnalf
