#pragma once

#include <cstdint>
#include <memory>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/exploration/exploration.hpp"
#include "rnnalf/oracle/search_oracles.hpp"

namespace rnnalf {

struct AbstractionOptions {
  RefineOptions refine;  ///< the paper's parameters

  /// Most dimensions the first refinement may come to cut when the walk ended too early; equal to
  /// refine.initial_split_depth or less: never raise it, as published.
  std::size_t depth_limit = 14;
  std::size_t samples = 300;  ///< words that decide whether the walk ended too early; 0: none
  std::uint64_t seed = 1;

  static constexpr std::string_view kName = "abstraction";
  static constexpr std::string_view kSummary =
      "the paper's: hypothesis and network abstraction walked in lockstep";
  [[nodiscard]] static const std::vector<OptionField<AbstractionOptions>>& table();
};

/// The paper's equivalence query: the lockstep walk of hypothesis and abstraction.
///
/// Deviation: the walk may end although the hypothesis is wrong, when the first refinement cut too
/// few dimensions; the paper advises to raise the depth by hand then. Here some random words are
/// tried when the walk has ended. If one of them disagrees, the depth is raised by two and the walk
/// repeated, up to the limit; if it still finds nothing, that word is the counterexample. Raised
/// depths are part of the evidence.
class AbstractionOracle final : public EquivalenceOracle {
 public:
  /// The tree outlives the oracle, and so does the exploration, which is reset to these options;
  /// without one the oracle makes its own.
  AbstractionOracle(StateTree& tree, const AbstractionOptions& options,
                    Exploration* exploration = nullptr);

  [[nodiscard]] std::string_view name() const override { return AbstractionOptions::kName; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  std::unique_ptr<Exploration> own_;
  Exploration& exploration_;
  AbstractionOptions options_;
  std::size_t queries_ = 0;
};

[[nodiscard]] OraclePtr make_oracle(const AbstractionOptions& options,
                                    const OracleContext& context);

}  // namespace rnnalf
