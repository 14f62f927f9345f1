#pragma once

#include <string_view>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/oracle/oracle_context.hpp"

namespace rnnalf {

struct WMethodOptions {
  std::size_t extra_states = 1;  ///< that the network may have beyond the hypothesis

  static constexpr std::string_view kName = "w-method";
  static constexpr std::string_view kSummary =
      "Chow's test words: complete for networks with few extra states";
  [[nodiscard]] static const std::vector<OptionField<WMethodOptions>>& table();
};

struct WpMethodOptions {
  std::size_t extra_states = 1;  ///< that the network may have beyond the hypothesis

  static constexpr std::string_view kName = "wp-method";
  static constexpr std::string_view kSummary = "the same promise as w-method with fewer words";
  [[nodiscard]] static const std::vector<OptionField<WpMethodOptions>>& table();
};

/// `w-method` (Chow 1978): every state and transition, every word of up to `extra_states` symbols,
/// every suffix of a characterising set. Complete: a network that is an automaton with no more than
/// that many states beyond the hypothesis and passes is equivalent to it.
///
/// Words are made as they are needed, those with short middle parts first. Their number grows with
/// alphabet^extra_states.
class WMethodOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  WMethodOracle(StateTree& tree, const WMethodOptions& options);
  [[nodiscard]] std::string_view name() const override { return WMethodOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  WMethodOptions options_;
};

/// `wp-method` (Fujiwara et al. 1991): the same promise with fewer words. States are told apart by
/// the whole characterising set, ends of the other transitions only from all other states.
class WpMethodOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  WpMethodOracle(StateTree& tree, const WpMethodOptions& options);
  [[nodiscard]] std::string_view name() const override { return WpMethodOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  WpMethodOptions options_;
};

[[nodiscard]] OraclePtr make_oracle(const WMethodOptions& options, const OracleContext& context);
[[nodiscard]] OraclePtr make_oracle(const WpMethodOptions& options, const OracleContext& context);

}  // namespace rnnalf
