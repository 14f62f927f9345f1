#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/oracle/evidence.hpp"

namespace rnnalf {

enum class Verdict : std::uint8_t { Counterexample, NoneFound, BudgetSpent };

struct EquivalenceAnswer {
  Verdict verdict = Verdict::NoneFound;          ///< NoneFound proves nothing
  std::optional<Counterexample> counterexample;  ///< engaged iff verdict == Counterexample
  std::vector<Evidence> evidence;                ///< one per oracle asked, in order
};

/// Searches for a word on which the network and a hypothesis differ.
///
/// Deterministic: the answer depends on the network, the options (seed included) and the hypotheses
/// asked about so far, not on batch size, threads, memory or time unless the budget ends. One
/// caller at a time.
class EquivalenceOracle {
 public:
  virtual ~EquivalenceOracle() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The hypothesis is complete and minimal, in canonical numbering.
  [[nodiscard]] virtual EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) = 0;
};

}  // namespace rnnalf
