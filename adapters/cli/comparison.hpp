#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rnnalf::cli {

/// One extraction of a comparison, as numbers.
struct ComparedCell {
  std::string network;
  std::string method;   ///< a baseline, or abstraction-refinement
  std::string learner;  ///< empty for baselines, as is the oracle
  std::string oracle;
  std::uint64_t seed = 1;
  std::string limits;  ///< all other options that matter for the result

  std::string verdict;
  std::uint64_t states = 0;       ///< of the result
  std::uint64_t last_states = 0;  ///< of the last hypothesis
  std::uint64_t counterexamples = 0;
  std::uint64_t membership_queries = 0;
  std::uint64_t equivalence_queries = 0;
  std::uint64_t rnn_steps = 0;
  double seconds = 0;
  double agreement = 0;                   ///< with the network, on uniform words
  std::optional<double> words_agreement;  ///< on the given words
  std::optional<bool> equals_target;

  /// What the cell is, without its results: two cells with the same key are the same extraction.
  [[nodiscard]] std::string key() const;
  /// The same without the seed: repetitions have this in common.
  [[nodiscard]] std::string row_key() const;
};

/// Cells as one line of JSON each; the form of a store and of --json.
[[nodiscard]] std::string cell_json(const ComparedCell& cell);
/// None for a line that is not a whole cell, such as the last one of a run that was killed.
[[nodiscard]] std::optional<ComparedCell> parse_cell(std::string_view line);

// All cells, one row each, in order.
[[nodiscard]] std::string comparison_json(const std::vector<ComparedCell>& cells);
[[nodiscard]] std::string comparison_csv(const std::vector<ComparedCell>& cells);

// One row for the repetitions of an extraction: means, and the range of states.
[[nodiscard]] std::string comparison_text(const std::vector<ComparedCell>& cells);
[[nodiscard]] std::string comparison_latex(const std::vector<ComparedCell>& cells);

}  // namespace rnnalf::cli
