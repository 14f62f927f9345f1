#pragma once

#include <cstdint>
#include <span>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/oracle/oracle_context.hpp"
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

class PumpingRace;
class PumpingTester;

struct PumpingOptions {
  std::size_t words = 6000;       ///< most words tested per query; > 0
  std::size_t max_length = 1000;  ///< symbols of a pumped word; > 0
  std::size_t max_loop = 6;       ///< symbols of a loop u; > 0
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "pumping";
  static constexpr std::string_view kSummary =
      "words p u^k s: loops of the hypothesis and random ones, walked many times";
  [[nodiscard]] static const std::vector<OptionField<PumpingOptions>>& table();
};
void validate(const PumpingOptions& options);  // throws OptionError naming the field

/// `pumping`: words p u^k s that walk a loop many times before a suffix.
///
/// A network counts with real numbers, which drift: it may follow its automaton on every short word
/// and on every random word, and lose it after the same loop thirty times over.
///
/// Four kinds of words, in this order, and of all of them every prefix as well:
/// - Factors of words that the network is known to answer with the rarer answer, repeated: loops
///   that the network has and the hypothesis has not (repeated_factors.hpp). At most half of the
///   words; the others share what is left.
/// - A quarter climbs: short access words p, simple cycles u of the hypothesis at p, suffixes from
///   its characterising set, k from 1 to hundreds. Some p are not the shortest words to their
///   states.
/// - A half is raced: all loops are walked a few times, and those whose scores come nearest to the
///   network's threshold more often (pumping_race.hpp).
/// - The rest are races of random loops, half of them begun at words that came near before.
///
/// A counterexample is given with the smallest k that refutes, as far as words are left to try.
class PumpingOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle.
  PumpingOracle(StateTree& tree, const PumpingOptions& options);
  [[nodiscard]] std::string_view name() const override { return PumpingOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  /// A random loop after `near`, or after a random prefix when there is none.
  [[nodiscard]] PumpedLoop random_loop(const Word* near);
  void race_random_loops(PumpingTester& tester, PumpingRace& race, std::span<const Word> suffixes);

  StateTree& tree_;
  PumpingOptions options_;
  Random random_;
};

[[nodiscard]] OraclePtr make_oracle(const PumpingOptions& options, const OracleContext& context);

}  // namespace rnnalf
