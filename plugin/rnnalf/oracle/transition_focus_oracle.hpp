#pragma once

#include <cstdint>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct TransitionFocusOptions {
  std::size_t walks = 500;  ///< per query; > 0
  std::size_t length = 20;  ///< symbols of a walk; > 0
  double same_state = 0.2;  ///< chance of a symbol that stays in the state, if there is one; 0 .. 1
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "transition-focus";
  static constexpr std::string_view kSummary =
      "random walks that mostly change the state of the hypothesis";
  [[nodiscard]] static const std::vector<OptionField<TransitionFocusOptions>>& table();
};
void validate(const TransitionFocusOptions& options);  // throws OptionError naming the field

/// `transition-focus`: random walks that mostly change the state of the hypothesis, for languages
/// like balanced parentheses, where what matters happens between states. As AALpy has it; compared
/// after every symbol.
class TransitionFocusOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  TransitionFocusOracle(StateTree& tree, const TransitionFocusOptions& options);
  [[nodiscard]] std::string_view name() const override { return TransitionFocusOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  [[nodiscard]] Word walk(const Dfa& hypothesis);

  StateTree& tree_;
  TransitionFocusOptions options_;
  Random random_;
};

[[nodiscard]] OraclePtr make_oracle(const TransitionFocusOptions& options,
                                    const OracleContext& context);

}  // namespace rnnalf
