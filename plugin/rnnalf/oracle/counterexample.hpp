#pragma once

#include <optional>
#include <string>

#include "rnnalf/base/word.hpp"
#include "rnnalf/oracle/pumped_word.hpp"

namespace rnnalf {

/// A word on which the network and a DFA differ, with what is known about it. One type for all that
/// refute a DFA: what an oracle finds, what the learner was given, what a result leaves
/// unexplained.
struct Counterexample {
  Word word = {};
  Answer answer = Answer::Reject;          ///< the network's; the DFA gives another one
  std::optional<double> probability = {};  ///< see Classification; where somebody asked
  std::optional<Answer> target = {};  ///< the answer of the language the network was meant to learn
  std::string oracle = {};            ///< who found it; empty: it was found in passing
  std::optional<PumpedWord> pumped = {};  ///< what the word is made of, where that is known
  double at_seconds = 0;                  ///< since the run began
  double seconds = 0;                     ///< that the search for it took

  /// Whether the network errs here: its answer is not the target's.
  [[nodiscard]] bool is_error() const { return target && *target != answer; }
};

}  // namespace rnnalf
