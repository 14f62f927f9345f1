#pragma once

#include <cstdint>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct MarginOptions {
  std::size_t beam = 64;        ///< words of each length that are followed; > 0
  std::size_t max_length = 40;  ///< symbols; > 0

  static constexpr std::string_view kName = "margin";
  static constexpr std::string_view kSummary =
      "words on which the network's score is nearest to its threshold";
  [[nodiscard]] static const std::vector<OptionField<MarginOptions>>& table();
};
void validate(const MarginOptions& options);  // throws OptionError naming the field

/// `margin`: words on which the network's score is nearest to its threshold, found by a beam
/// search: of all successors of the words of one length, those nearest to the threshold are
/// followed, as many from each L-state as from any other. Where a network is unsure it errs first.
///
/// The words stay in the tree: the next query walks on what this one computed. No random numbers.
class MarginOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  MarginOracle(StateTree& tree, const MarginOptions& options);
  [[nodiscard]] std::string_view name() const override { return MarginOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  MarginOptions options_;
};

[[nodiscard]] OraclePtr make_oracle(const MarginOptions& options, const OracleContext& context);

}  // namespace rnnalf
