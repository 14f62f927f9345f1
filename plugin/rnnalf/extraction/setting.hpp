#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/oracle/rare_words.hpp"
#include "rnnalf/run/run.hpp"
#include "rnnalf/states/state_tree.hpp"
#include "rnnalf/teacher/learner.hpp"

// What the stages of an extraction share; not installed.
namespace rnnalf {

using Time = std::chrono::duration<double>;

/// What an extraction may take from now on: the options' time limit, or less where the budget ends
/// earlier. A little is left of the budget for what is worth it at the end.
[[nodiscard]] Time time_limit(const ExtractionOptions& options, const Budget& budget);

/// The limit of the options on memory, from now on. Memory is looked at between batches, so what
/// one of them may take is kept free.
void restrict_memory(Budget& budget, const ExtractionOptions& options);

/// R-states that are used again are kept in a sixteenth of the memory as well as in all of it: most
/// are steps on the way to an answer. The rest is for words, the learner's table and batches under
/// way.
[[nodiscard]] StateTreeOptions tree_options(const Network& network,
                                            const ExtractionOptions& options);

/// The network, the options, and what may be spent. All that it refers to outlives it.
class Setting {
 public:
  Setting(const Network& network, const Learners& learners, const ExtractionOptions& options,
          const Budget& whole, Progress& progress, const HypothesisTrace& trace);

  /// Time since it began.
  [[nodiscard]] double passed() const;
  /// A share of what is left of the time limit; a little in any case, for what is worth it.
  [[nodiscard]] Time remaining(double share) const;
  [[nodiscard]] Time limit() const { return limit_; }
  /// Makes a budget part of another one, with this much time and the options' memory.
  void restrict(Budget& part, const Budget& of, Time time) const;

  /// Words of answers that uniform words hardly ever get, searched for at the first call. None
  /// where the user gave words, which say more, and where the result is the last hypothesis
  /// (`exact`), so that a run of one learner and one oracle stays that.
  [[nodiscard]] const RareWords& rare_words();
  [[nodiscard]] bool search_cut_short() const { return search_cut_short_; }

  /// A tree of its own, so that measuring changes nothing that learning sees.
  [[nodiscard]] StateTree& measuring_tree();

  const Network& network;
  const Learners& learners;
  const ExtractionOptions& options;
  Progress& progress;
  const HypothesisTrace& trace;
  std::vector<Word> samples;    ///< the user's words that the learner may see
  std::vector<Word> held_back;  ///< the others: they judge the result
  Budget all;                   ///< the memory of the whole extraction
  Budget learning;              ///< what learning may take of it, and of the time

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Time limit_;
  std::optional<StateTree> measuring_tree_;
  std::optional<RareWords> rare_words_;
  bool search_cut_short_ = false;
};

}  // namespace rnnalf
