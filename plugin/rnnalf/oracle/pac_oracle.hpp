#pragma once

#include <cstdint>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

enum class LengthDistribution : std::uint8_t {
  Uniform,    ///< every length from 0 to `length` equally likely
  Geometric,  ///< after every symbol the word ends with chance 1 / (length + 1): `length` on
              ///< average
};

struct PacOptions {
  double epsilon = 0.01;  ///< share of words, by the distribution, that may differ; 0 < . < 1
  double delta = 0.01;    ///< chance that the claim is wrong, over all queries of a run; 0 < . < 1
  LengthDistribution distribution = LengthDistribution::Uniform;  ///< symbols are uniform
  std::size_t length = 30;  ///< symbols; largest or mean, by the distribution
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "pac";
  static constexpr std::string_view kSummary =
      "independent random words, as many as a PAC claim needs";
  [[nodiscard]] static const std::vector<OptionField<PacOptions>>& table();
};
void validate(const PacOptions& options);  // throws OptionError naming the field

/// Words of the i-th query (from 1): ceil((ln 1/delta + i ln 2) / epsilon), after Angluin (1987).
[[nodiscard]] std::size_t pac_sample_size(double epsilon, double delta, std::size_t query);

/// `pac`: independent words from a stated distribution, as many as make the result probably
/// approximately correct: a hypothesis that no query refutes differs from the network on more than
/// epsilon of the words, by that distribution, with a chance of no more than delta.
///
/// The whole sample is run, also after a disagreement: the evidence of a refuted hypothesis is a
/// Clopper-Pearson interval for its share of differing words.
class PacOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  PacOracle(StateTree& tree, const PacOptions& options);
  [[nodiscard]] std::string_view name() const override { return PacOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  [[nodiscard]] Word draw();

  StateTree& tree_;
  PacOptions options_;
  Random random_;
  std::size_t queries_ = 0;
};

[[nodiscard]] OraclePtr make_oracle(const PacOptions& options, const OracleContext& context);

}  // namespace rnnalf
