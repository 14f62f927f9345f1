#pragma once

#include <limits>
#include <string>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/report/run.hpp"
#include "rnnalf/teacher/teacher.hpp"

namespace rnnalf {

inline constexpr const char* kDefaultLearner = "ttt";

struct ExtractionOptions {
  std::string learner = kDefaultLearner;  ///< a name of learners.hpp
  std::size_t max_states =
      std::numeric_limits<std::size_t>::max();  ///< larger hypotheses are not kept
  std::uint64_t max_queries = std::numeric_limits<std::uint64_t>::max();  ///< membership queries
  std::uint64_t max_rounds = std::numeric_limits<std::uint64_t>::max();   ///< equivalence queries
  /// Before an oracle is asked, try what the network answered so far on each new hypothesis.
  bool use_known_answers = true;
  /// Cut loops of the hypothesis out of a counterexample before the learner sees it.
  bool shorten_counterexamples = true;
};
void validate(const ExtractionOptions& options);  // throws OptionError naming the field

/// Learns a DFA with the network as teacher.
///
/// Ends when no oracle finds a counterexample, or when a limit of the options or of the budget is
/// reached: then the last hypothesis is the result. Fills hypotheses, counterexamples, evidence,
/// limit and statistics of the Run; the last hypothesis is the recommended one.
[[nodiscard]] Run extract(Teacher& teacher, const ExtractionOptions& options, const Budget& budget,
                          Progress* progress = nullptr);

/// The word with loops of the hypothesis cut out as long as network and hypothesis still differ on
/// it; all cuts of a round are tried in one batch. The word itself when nothing can be cut or the
/// budget ends.
[[nodiscard]] Word shortened(const Word& word, const Dfa& hypothesis, StateTree& tree,
                             const Budget& budget);

}  // namespace rnnalf
