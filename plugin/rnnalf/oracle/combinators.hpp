#pragma once

#include <chrono>
#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/oracle/oracle_context.hpp"

namespace rnnalf {

/// Asks oracles in order; the first counterexample wins and the rest are not asked. The
/// counterexample names the oracle that found it; the evidence has one entry per oracle asked.
class FirstOf final : public EquivalenceOracle {
 public:
  /// Throws std::invalid_argument when there are none.
  explicit FirstOf(std::vector<OraclePtr> oracles);
  [[nodiscard]] std::string_view name() const override { return "first"; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  std::vector<OraclePtr> oracles_;
};

/// Asks all oracles; the shortlex-first counterexample wins, the earlier oracle in a tie.
class ShortestOf final : public EquivalenceOracle {
 public:
  /// Throws std::invalid_argument when there are none.
  explicit ShortestOf(std::vector<OraclePtr> oracles);
  [[nodiscard]] std::string_view name() const override { return "shortest"; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  std::vector<OraclePtr> oracles_;
};

inline constexpr Seconds kTimesOfOracles{.open = true};

/// Gives an oracle a share of the time. When the share ends but the budget does not, the verdict is
/// NoneFound: the search continues with the next oracle. Where it ends depends on the machine, so
/// results do too.
class TimeBoxed final : public EquivalenceOracle {
 public:
  /// Throws OptionError unless the time is above 0.
  TimeBoxed(OraclePtr oracle, std::chrono::duration<double> time);
  [[nodiscard]] std::string_view name() const override { return oracle_->name(); }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  OraclePtr oracle_;
  std::chrono::duration<double> time_;
};

}  // namespace rnnalf
