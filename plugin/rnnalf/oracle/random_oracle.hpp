#pragma once

#include <cstdint>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

enum class RandomMode : std::uint8_t {
  Increasing,  ///< short lengths first, the paper's baseline
  Uniform,     ///< every word's length drawn uniformly from 1 .. max_length
};

struct RandomOptions {
  std::size_t per_length = 500;  ///< words of each length (paper: 1000); > 0
  std::size_t max_length = 30;   ///< symbols; > 0
  /// Lengths are tested completely as long as there are no more words up to them; 0: none but those
  /// with at most per_length words.
  std::size_t all = 60000;
  /// Share of the words that are not uniform but drawn along the hypothesis: uniform among those it
  /// accepts, or rejects, and these after one or two edits; 0 .. 1, 0: the paper's baseline.
  double guided = 0.1;
  RandomMode mode = RandomMode::Increasing;
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "random";
  static constexpr std::string_view kSummary =
      "random words of each length, uniform and along the hypothesis";
  [[nodiscard]] static const std::vector<OptionField<RandomOptions>>& table();
};
void validate(const RandomOptions& options);  // throws OptionError naming the field

/// `random`: up to n words of each length.
///
/// Uniform words alone miss what differs only inside a rare class: nearly every word over eight
/// JSON tokens is rejected for its first symbol. So a share of the words is drawn from both sides
/// of the hypothesis and their neighbourhood.
///
/// Increasing mode tests lengths in bands (1-4, 5-8, 9-16, ...). The uniform words of a band are
/// the prefixes of n walks: every length gets n uniform words, at one network step each. Every
/// query draws new words.
///
/// The shortest lengths are tested completely first: they share their prefixes, so that a word
/// costs one step, and a hypothesis that errs on short words is caught for sure.
class RandomOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  RandomOracle(StateTree& tree, const RandomOptions& options);
  [[nodiscard]] std::string_view name() const override { return RandomOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  RandomOptions options_;
  Random random_;
};

[[nodiscard]] OraclePtr make_oracle(const RandomOptions& options, const OracleContext& context);

}  // namespace rnnalf
