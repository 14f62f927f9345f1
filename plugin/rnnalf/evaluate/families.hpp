#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/oracle/pumped_word.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// Words p u^k s on which network and DFA differ for a range of k: one rule instead of many words.
struct Family {
  Word prefix = {};
  Word loop = {};
  Word suffix = {};
  std::size_t from = 0;                ///< the smallest k for which they differ
  std::optional<std::size_t> to = {};  ///< the last one; none: for every k that was tried
  std::size_t tried = 0;               ///< the largest k that was tried
  Answer answer = Answer::Reject;      ///< the network's
  LState state{};                      ///< of the DFA, after the prefix
  /// Of random words x u^from y, x leading to the same state of the DFA, the share on which they
  /// differ: 1 means that only loop and state matter.
  double share = 0;
  std::size_t words = 0;  ///< of those given that this rule explains

  [[nodiscard]] Word shortest() const { return PumpedWord{prefix, loop, from, suffix}.word(); }
};

/// Whether the rule explains that network and DFA differ on this word: somewhere in it the DFA is
/// in the family's state, and the loop follows often enough.
[[nodiscard]] bool explains(const Family& family, const Word& word, const Dfa& dfa);

struct FamilyOptions {
  std::size_t most = 8;          ///< families
  std::size_t max_loop = 6;      ///< symbols
  std::size_t max_length = 200;  ///< symbols of a word that is tried
  std::uint64_t seed = 1;
};

/// Rules behind words on which network and DFA differ, shortest first. A word in which no short
/// loop is repeated belongs to none. The words are in order of importance; what a rule explains is
/// not looked at again. The shortest words of every rule were run once more, each alone. Ends
/// early, with what was found, when the budget does.
[[nodiscard]] std::vector<Family> families(std::span<const Counterexample> words, const Dfa& dfa,
                                           StateTree& tree, const FamilyOptions& options,
                                           const Budget& budget);

}  // namespace rnnalf
