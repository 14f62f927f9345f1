#pragma once

#include <functional>
#include <optional>
#include <vector>

/// The smallest automata that agree with a sample, found by a SAT solver.
namespace libalf::detail {

/// A prefix tree whose answers are numbered.
struct labelled_tree {
  static constexpr unsigned no_edge = ~0u;
  static constexpr int unlabelled = -1;

  unsigned letters = 0;
  int label_count = 0;
  std::vector<std::vector<unsigned>> edges;  // node -> letter -> node, or no_edge; 0 is the root
  std::vector<int> labels;                   // node -> 0 ... label_count-1, or unlabelled
};

/// A state for every node, such that nodes of one state have no two labels and the states reached
/// from one state by one letter are the same: a deterministic automaton. States are 0, 1, ... in
/// the order of the nodes; the root has state 0. Nothing if `states` are too few, or if `stop` was
/// true before that was known.
std::optional<std::vector<unsigned>> deterministic_states(const labelled_tree& tree,
                                                          unsigned states,
                                                          const std::function<bool()>& stop = {});

struct nondeterministic_machine {
  std::vector<bool> initial;
  std::vector<bool> accepting;
  std::vector<std::vector<std::vector<bool>>> transitions;  // from, letter, to
};

/// A nondeterministic automaton that accepts the words labelled 1 and rejects those labelled 0.
/// Nothing if `states` are too few, or if `stop` was true before that was known.
std::optional<nondeterministic_machine> nondeterministic_states(
    const labelled_tree& tree, unsigned states, const std::function<bool()>& stop = {});

}  // namespace libalf::detail
