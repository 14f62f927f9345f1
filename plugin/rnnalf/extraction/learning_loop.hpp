#pragma once

#include <cstddef>
#include <functional>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/extraction/stages.hpp"
#include "rnnalf/teacher/learner.hpp"
#include "rnnalf/teacher/teacher.hpp"

namespace rnnalf {

/// Sees what happens in the loop and may end it: each function may be empty, and ends learning
/// as not worth it when it returns true.
struct LearningWatch {
  /// Every hypothesis, with its number, before it is asked about.
  std::function<bool(std::size_t number, const HypothesisRecord& hypothesis)> hypothesis = {};
  /// Every counterexample, with the hypothesis it refutes, before the learner gets it.
  std::function<bool(std::size_t number, const Counterexample& found)> counterexample = {};
};

/// The loop between a learner and a teacher. Of the options it uses the limits by count,
/// `use_known_answers` and `shorten_counterexamples`; time and memory are the budget's.
///
/// Ends when no oracle finds a counterexample, or when a limit is reached. Every counterexample was
/// run once more on its own before the learner gets it.
[[nodiscard]] Learned learn(Teacher& teacher, Learner& learner, const ExtractionOptions& options,
                            const Budget& budget, Progress& progress,
                            const LearningWatch& watch = {});

/// The word with loops of the hypothesis cut out as long as network and hypothesis still differ on
/// it; all cuts of a round are tried in one batch. The word itself when nothing can be cut or the
/// budget ends.
[[nodiscard]] Word shortened(const Word& word, const Dfa& hypothesis, StateTree& tree,
                             const Budget& budget);

}  // namespace rnnalf
