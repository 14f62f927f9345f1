#pragma once

#include <cstdint>
#include <unordered_map>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct StatePrefixOptions {
  std::size_t walks = 25;   ///< from each state, over all queries of a run; > 0
  std::size_t length = 12;  ///< symbols of a walk; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "state-prefix";
  static constexpr std::string_view kSummary =
      "random walks from every state of the hypothesis, the newest states first";
  [[nodiscard]] static const std::vector<OptionField<StatePrefixOptions>>& table();
};
void validate(const StatePrefixOptions& options);  // throws OptionError naming the field

/// `state-prefix`: random walks from every state, begun with its access word; states with the
/// longest access words, which are the newest, first. Compared after every symbol of a walk.
///
/// As AALpy has it: an access word that was walked from in earlier queries is not walked from again
/// beyond the number of walks, so that old states do not take the time of new ones.
class StatePrefixOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  StatePrefixOracle(StateTree& tree, const StatePrefixOptions& options);
  [[nodiscard]] std::string_view name() const override { return StatePrefixOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  StatePrefixOptions options_;
  Random random_;
  std::unordered_map<Word, std::size_t, WordHash> walks_;  // done so far, by access word
};

[[nodiscard]] OraclePtr make_oracle(const StatePrefixOptions& options,
                                    const OracleContext& context);

}  // namespace rnnalf
