#pragma once

#include <optional>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/run/run.hpp"
#include "rnnalf/teacher/learner.hpp"

namespace rnnalf {

/// The use case: a DFA from a network, by learning or by a baseline, with everything a report
/// needs. The program, comparisons, bindings and benchmarks call this.
///
///   const Run run = Extraction(network, libalf_learners(), {.learner = "ttt"}).run();
class Extraction {
 public:
  /// Throws OptionError naming the field when an option cannot be used. `target` is the language
  /// the network was meant to learn; counterexamples are marked with its answer.
  Extraction(Network network, const Learners& learners, ExtractionOptions options = {},
             std::optional<Dfa> target = std::nullopt);

  using Trace = HypothesisTrace;

  /// The limits of the options count from here; `budget` can end the run earlier. One call at a
  /// time; a second call does it all again.
  [[nodiscard]] Run run(const Budget& budget = Budget(), Progress* progress = nullptr,
                        const Trace& trace = {}) const;

 private:
  Network network_;
  const Learners& learners_;  // outlives this
  ExtractionOptions options_;
  std::optional<Dfa> target_;
};

}  // namespace rnnalf
