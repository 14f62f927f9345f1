#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rnnalf/oracle/oracle.hpp"

namespace rnnalf {

using OraclePtr = std::unique_ptr<EquivalenceOracle>;

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

/// Gives an oracle a share of the time. When the share ends but the budget does not, the verdict is
/// NoneFound: the search goes on with the next oracle. Where it ends depends on the machine, so
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

/// What an oracle did over a whole run.
struct OracleCounters {
  std::uint64_t queries = 0;
  std::uint64_t counterexamples = 0;
  std::uint64_t words_tested = 0;
  double seconds = 0;
};

/// Counts what an oracle does, by the name that each counterexample and each piece of evidence
/// carries: put around a whole chain it tells who found what.
class Counting final : public EquivalenceOracle {
 public:
  explicit Counting(OraclePtr oracle);
  [[nodiscard]] std::string_view name() const override { return oracle_->name(); }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

  [[nodiscard]] const OracleCounters& total() const { return total_; }
  /// By oracle; `seconds` is known for the whole alone and 0 here.
  [[nodiscard]] const std::map<std::string, OracleCounters>& by_oracle() const {
    return by_oracle_;
  }

 private:
  OraclePtr oracle_;
  OracleCounters total_;
  std::map<std::string, OracleCounters> by_oracle_;
};

}  // namespace rnnalf
