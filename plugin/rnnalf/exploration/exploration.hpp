#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/partition/partition.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

struct ExplorationStats {
  std::uint64_t refinements = 0;    ///< partitions made finer
  std::uint64_t failed_splits = 0;  ///< SVMs that separated nothing
  double seconds = 0;               ///< all of it
  double seconds_svm = 0;           ///< training
};

/// The lockstep walk of network abstraction and hypothesis (the paper's "parallel exploration").
///
/// The partition, the R-states and where they are located outlive a search: the next hypothesis
/// continues with the abstraction the last one needed. One caller at a time.
class Exploration {
 public:
  enum class End : std::uint8_t { Counterexample, FrontierEmpty, BudgetSpent };

  struct Result {
    End end = End::FrontierEmpty;
    std::optional<Node> counterexample;  ///< engaged iff end == Counterexample
    std::size_t a_states_reached = 0;    ///< in the last walk
    std::uint64_t r_states_met = 0;      ///< in the last walk
  };

  /// Called for every refinement with the conflicting path and the paths it is split from.
  using OnRefinement =
      std::function<void(Node conflicting, std::span<const Node> others, Partition::Outcome)>;

  /// The tree outlives the exploration.
  Exploration(StateTree& tree, const RefineOptions& options);

  /// Looks for a word on which the network and the hypothesis (complete, minimal) differ.
  [[nodiscard]] Result search(const Dfa& hypothesis, const Budget& budget);

  /// Forgets the partition and starts over with other options.
  void reset(const RefineOptions& options);

  [[nodiscard]] const Partition& partition() const { return partition_; }
  [[nodiscard]] const ExplorationStats& stats() const { return stats_; }
  void on_refinement(OnRefinement observer) { observer_ = std::move(observer); }

  /// The A-states of known nodes, for reports; nothing when the budget ended first.
  [[nodiscard]] std::optional<std::vector<AState>> a_states(std::span<const Node> nodes,
                                                            const Budget& budget);

 private:
  struct Visitor {
    Node node;
    LState l_state;
  };
  /// An A-state met in this walk, with the L-state it was first reached with.
  struct Visit {
    LState l_state{};
    std::vector<Node> visitors;  // by length of their paths; empty: not met yet
  };
  /// How a part of the walk went. Anything but Done and Refined ends the walk.
  enum class Step : std::uint8_t {
    Done,
    Refined,  ///< done; one A-state was split in two on the way, so others may have to be located
    Restart,  ///< a split was not clean: what the walk has seen so far no longer holds
    BudgetSpent,
    Counterexample
  };

  /// What one search works with.
  struct Search {
    const Dfa& hypothesis;
    const Distinguisher distinguisher;
    const Budget& budget;
    Result result;
    std::vector<Visitor> expand;  // first visitors of A-states new in this wave
  };

  Step walk(Search& search);
  Step settle(const Visitor& visitor, Search& search);
  Step resolve_conflict(const Visitor& visitor, AState here, Search& search);
  [[nodiscard]] bool try_suffix(std::span<const Node> nodes, WordView suffix, Answer expected,
                                Search& search);
  [[nodiscard]] bool locate(std::span<const Node> nodes, const Budget& budget);
  [[nodiscard]] AState a_state(Node node) const {
    return partition_.a_state(vertices_[index(node)]);
  }
  Visit& visit(AState a_state);

  StateTree& tree_;
  Partition partition_;
  std::vector<Partition::VertexId> vertices_;  // by node; top() until located
  std::vector<Visit> visits_;                  // by A-state
  ExplorationStats stats_;
  OnRefinement observer_;
};

}  // namespace rnnalf
