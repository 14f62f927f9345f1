#pragma once

#include "rnnalf/oracle/oracle.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct WMethodOptions {
  std::size_t extra_states = 1;  ///< that the network may have beyond the hypothesis
};
inline void validate(const WMethodOptions& /*options*/) {}  // every number of states makes sense

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
  [[nodiscard]] std::string_view name() const override { return "w-method"; }
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
  WpMethodOracle(StateTree& tree, const WMethodOptions& options);
  [[nodiscard]] std::string_view name() const override { return "wp-method"; }
  [[nodiscard]] EquivalenceAnswer find(const Dfa& hypothesis, const Budget& budget) override;

 private:
  StateTree& tree_;
  WMethodOptions options_;
};

}  // namespace rnnalf
