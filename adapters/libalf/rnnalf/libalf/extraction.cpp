#include "rnnalf/libalf/extraction.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/libalf/glue.hpp"
#include "rnnalf/libalf/learners.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CPU time of the process, all threads.
double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// One extraction in progress.
class Loop {
 public:
  Loop(Teacher& teacher, const ExtractionOptions& options, const Budget& budget, Progress* progress)
      : teacher_(teacher),
        options_(options),
        budget_(budget),
        progress_(progress != nullptr ? *progress : unwatched_),
        learner_(make_learner(options.learner, &knowledge_,
                              static_cast<int>(teacher.alphabet().size()))) {}

  Run run() {
    while (run_.limit == Limit::None) {
      std::optional<Dfa> hypothesis = next_hypothesis();
      if (!hypothesis) break;
      if (!keep(std::move(*hypothesis))) break;
      if (!refute()) break;
    }
    finish();
    return std::move(run_);
  }

 private:
  /// The learner's next hypothesis; none when a limit was reached first.
  std::optional<Dfa> next_hypothesis() {
    // Upstream's Rivest-Schapire may return nothing without asking anything once in a while.
    constexpr int most_idle_rounds = 5;
    int idle = 0;
    while (true) {
      if (stop(budget_.limit())) return std::nullopt;
      progress_.activity = "learner";
      const auto start = Clock::now();
      const std::unique_ptr<libalf::conjecture> conjecture(learner_->advance());
      if (conjecture) {
        Dfa hypothesis = to_dfa(*conjecture);
        run_.statistics.seconds_learner += since(start);
        return hypothesis;
      }
      run_.statistics.seconds_learner += since(start);
      if (knowledge_.is_answered()) {
        RNNALF_CHECK(++idle <= most_idle_rounds,
                     "learner " + options_.learner + " asks nothing and says nothing");
        continue;
      }
      idle = 0;
      if (!answer_queries()) return std::nullopt;
    }
  }

  bool answer_queries() {
    const auto pending = static_cast<std::uint64_t>(knowledge_.count_queries());
    if (pending > options_.max_queries - run_.statistics.membership_queries) {
      stop(Limit::Queries);
      return false;
    }
    progress_.activity = "membership";
    if (!answer_pending(teacher_, knowledge_, budget_)) {
      stop(budget_.limit());
      return false;
    }
    run_.statistics.membership_queries += pending;
    show_progress();
    return true;
  }

  /// False when the hypothesis is too large to be kept.
  bool keep(Dfa hypothesis) {
    if (hypothesis.size() > options_.max_states) {
      stop(Limit::States);
      if (!run_.hypotheses.empty()) return false;
    }
    progress_.states = hypothesis.size();
    run_.hypotheses.push_back({std::move(hypothesis), since(start_), std::nullopt, {}});
    return run_.limit == Limit::None;
  }

  /// Finds a counterexample to the last hypothesis and gives it to the learner. False when there is
  /// none to be had.
  bool refute() {
    const Dfa& hypothesis = run_.hypotheses.back().dfa;
    const auto start = Clock::now();
    std::optional<Counterexample> found =
        options_.use_known_answers ? known_contradiction(hypothesis) : std::nullopt;
    if (!found) {
      if (run_.statistics.equivalence_queries >= options_.max_rounds) {
        stop(Limit::Rounds);
        return false;
      }
      ++run_.statistics.equivalence_queries;
      ++progress_.rounds;
      progress_.activity = "equivalence";
      EquivalenceAnswer answer = teacher_.equivalence(hypothesis, budget_);
      run_.evidence = std::move(answer.evidence);
      if (answer.verdict == Verdict::BudgetSpent) stop(budget_.limit());
      found = std::move(answer.counterexample);
    }
    if (found && options_.shorten_counterexamples) {
      found->word = shortened(found->word, hypothesis, teacher_.tree(), budget_);
    }
    run_.statistics.seconds_oracle += since(start);
    show_progress();
    if (!found) return false;

    run_.hypotheses.back().refuted_by = run_.counterexamples.size();
    run_.counterexamples.push_back({found->word, found->accepted, std::nullopt, found->oracle,
                                    found->how, since(start_), since(start)});
    const auto learner_start = Clock::now();
    const bool taken = learner_->add_counterexample(to_libalf(found->word));
    run_.statistics.seconds_learner += since(learner_start);
    RNNALF_CHECK(taken, "learner " + options_.learner + " refused the counterexample '" +
                            teacher_.alphabet().format(found->word) + "'");
    return true;
  }

  /// Rivest-Schapire and Kearns-Vazirani often propose what contradicts answers they already have,
  /// the last counterexample among them; and the walk saw more words than the learner. Costs no
  /// step of the network.
  std::optional<Counterexample> known_contradiction(const Dfa& hypothesis) {
    if (!run_.counterexamples.empty()) {
      const CounterexampleRecord& last = run_.counterexamples.back();
      if (hypothesis.accepts(last.word) != last.accepted) {
        return Counterexample{last.word, last.accepted, last.oracle, last.how};
      }
    }
    const std::optional<Node> node = teacher_.contradiction(hypothesis);
    if (!node) return std::nullopt;
    return Counterexample{
        teacher_.tree().word(*node), teacher_.tree().accepted(*node), "known", {}};
  }

  /// Records a limit; true when it is one.
  bool stop(Limit limit) {
    if (limit == Limit::None) return false;
    if (run_.limit == Limit::None) run_.limit = limit;
    return true;
  }

  void show_progress() {
    progress_.queries = run_.statistics.membership_queries;
    progress_.a_states = teacher_.exploration().partition().size();
  }

  void finish() {
    if (run_.hypotheses.empty()) {
      // A limit before the first hypothesis: what is known is the empty word's answer.
      Dfa dfa(teacher_.alphabet().size());
      dfa.set_accepting(dfa.initial(), teacher_.tree().accepted(StateTree::root()));
      run_.hypotheses.push_back({std::move(dfa), since(start_), std::nullopt, {}});
    }
    run_.recommended = run_.hypotheses.size() - 1;
    RunStatistics& statistics = run_.statistics;
    const StateTreeStats states = teacher_.tree().stats();
    const ExplorationStats& exploration = teacher_.exploration().stats();
    statistics.rnn_steps = states.steps;
    statistics.rnn_steps_recomputed = states.recomputed;
    statistics.seconds_network = states.seconds;
    statistics.refinements = exploration.refinements;
    statistics.failed_splits = exploration.failed_splits;
    statistics.seconds_svm = exploration.seconds_svm;
    statistics.a_states = teacher_.exploration().partition().size();
    statistics.seconds = since(start_);
    statistics.seconds_cpu = cpu_seconds() - cpu_start_;
  }

  Teacher& teacher_;
  const ExtractionOptions& options_;
  const Budget& budget_;
  Progress unwatched_;
  Progress& progress_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_ = cpu_seconds();
  Knowledge knowledge_;
  std::unique_ptr<Learner> learner_;
  Run run_;
};

}  // namespace

void validate(const ExtractionOptions& options) {
  if (options.max_states == 0) throw OptionError("max-states: expected a number above 0, found 0");
  if (options.max_rounds == 0) throw OptionError("max-rounds: expected a number above 0, found 0");
}

Run extract(Teacher& teacher, const ExtractionOptions& options, const Budget& budget,
            Progress* progress) {
  validate(options);
  if (progress != nullptr) teacher.tree().watch(*progress);
  return Loop(teacher, options, budget, progress).run();
}

Word shortened(const Word& word, const Dfa& hypothesis, StateTree& tree, const Budget& budget) {
  constexpr std::size_t most_candidates = 256;
  Word best = word;
  while (!best.empty()) {
    std::vector<LState> at{hypothesis.initial()};
    for (const Symbol symbol : best) at.push_back(hypothesis.next(at.back(), symbol));
    // Cutting best[i, j) is a loop of the hypothesis when at[i] == at[j]: its answer stays, does
    // the network's? Largest cuts first.
    std::vector<Word> candidates;
    for (std::size_t length = best.size(); length > 0 && candidates.size() < most_candidates;
         --length) {
      for (std::size_t i = 0; i + length < at.size() && candidates.size() < most_candidates; ++i) {
        if (at[i] != at[i + length]) continue;
        Word candidate(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(i));
        candidate.insert(candidate.end(), best.begin() + static_cast<std::ptrdiff_t>(i + length),
                         best.end());
        candidates.push_back(std::move(candidate));
      }
    }
    const auto answers = tree.answers(candidates, budget);
    if (!answers) return best;
    const bool wrong = hypothesis.accepts(at.back());
    const auto kept = std::find_if(answers->begin(), answers->end(),
                                   [&](std::uint8_t a) { return (a != 0) != wrong; });
    if (kept == answers->end()) return best;
    best = candidates[static_cast<std::size_t>(kept - answers->begin())];
  }
  return best;
}

}  // namespace rnnalf
