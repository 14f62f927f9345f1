#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A word on which network and hypothesis differ; already run on both.
struct Counterexample {
  Word word;
  bool accepted = false;  ///< the network's answer
  std::string oracle;     ///< who found it
  std::string how;        ///< what it is made of, for people: "(01)^23 0"; may be empty
};

enum class Verdict : std::uint8_t { Counterexample, NoneFound, BudgetSpent };

/// What one oracle looked at in one equivalence query, and the most that may be claimed of it.
struct Evidence {
  std::string oracle;
  std::uint64_t words_tested = 0;
  std::string claim;  ///< "no counterexample among ...", "agrees on all words up to length 9", ...
};

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
