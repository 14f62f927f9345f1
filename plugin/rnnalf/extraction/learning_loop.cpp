#include "rnnalf/extraction/learning_loop.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Learning in progress.
class Loop {
 public:
  Loop(Teacher& teacher, Learner& learner, const ExtractionOptions& options, const Budget& budget,
       Progress& progress, const LearningWatch& watch)
      : teacher_(teacher),
        learner_(learner),
        options_(options),
        budget_(budget),
        progress_(progress),
        watch_(watch) {}

  Learned run() {
    try {
      learn();
    } catch (const std::bad_alloc&) {
      // The system has no more memory: what was learned until then is the result.
      stop(Limit::Memory);
    }
    finish();
    return std::move(run_);
  }

 private:
  void learn() {
    while (run_.limit == Limit::None) {
      std::optional<Dfa> hypothesis = next_hypothesis();
      if (!hypothesis) return;
      if (!keep(std::move(*hypothesis))) return;
      if (!refute()) return;
    }
  }

  /// The learner's next hypothesis; none when a limit was reached first.
  std::optional<Dfa> next_hypothesis() {
    // Upstream's Rivest-Schapire may return nothing without asking anything once in a while.
    constexpr int most_idle_rounds = 5;
    int idle = 0;
    while (true) {
      if (stop(budget_.limit())) return std::nullopt;
      progress_.activity = "learner";
      const auto start = Clock::now();
      std::optional<Dfa> hypothesis = learner_.advance(budget_);
      run_.statistics.seconds_learner += since(start);
      if (hypothesis) return hypothesis;
      if (stop(budget_.limit())) return std::nullopt;
      if (learner_.pending() == 0) {
        RNNALF_CHECK(++idle <= most_idle_rounds,
                     "learner " + options_.learner + " asks nothing and says nothing");
        continue;
      }
      idle = 0;
      if (!answer_queries()) return std::nullopt;
    }
  }

  bool answer_queries() {
    const std::uint64_t pending = learner_.pending();
    if (options_.max_queries &&
        pending > *options_.max_queries - run_.statistics.membership_queries) {
      stop(Limit::Queries);
      return false;
    }
    progress_.activity = "membership";
    if (!learner_.answer_pending(teacher_, budget_)) {
      stop(budget_.limit());
      return false;
    }
    run_.statistics.membership_queries += pending;
    show_progress();
    return true;
  }

  /// False when the hypothesis is too large to be kept, or the run ends with it.
  bool keep(Dfa hypothesis) {
    if (options_.max_states && hypothesis.size() > *options_.max_states) {
      stop(Limit::States);
      if (!run_.hypotheses.empty()) return false;
    }
    progress_.states = hypothesis.size();
    run_.hypotheses.push_back({std::move(hypothesis), since(start_), std::nullopt});
    if (run_.limit != Limit::None) return false;
    run_.settled =
        watch_.hypothesis && watch_.hypothesis(run_.hypotheses.size() - 1, run_.hypotheses.back());
    return !run_.settled;
  }

  /// Finds a counterexample to the last hypothesis and gives it to the learner. False when there is
  /// none to be had.
  bool refute() {
    const Dfa& hypothesis = run_.hypotheses.back().dfa;
    const auto start = Clock::now();
    std::optional<Counterexample> found =
        options_.use_known_answers ? known_contradiction(hypothesis) : std::nullopt;
    if (!found) {
      if (options_.max_rounds && run_.statistics.equivalence_queries >= *options_.max_rounds) {
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
    if (found && options_.shorten_counterexamples) *found = shortest_form(*found, hypothesis);
    run_.statistics.seconds_oracle += since(start);
    show_progress();
    if (!found) return false;

    found->at_seconds = since(start_);
    found->seconds = since(start);
    run_.hypotheses.back().refuted_by = run_.counterexamples.size();
    run_.counterexamples.push_back(*found);
    run_.settled =
        watch_.counterexample && watch_.counterexample(run_.hypotheses.size() - 1, *found);
    if (run_.settled) return false;
    const auto learner_start = Clock::now();
    const bool taken = learner_.add_counterexample(found->word);
    run_.statistics.seconds_learner += since(learner_start);
    RNNALF_CHECK(taken, "learner " + options_.learner + " refused the counterexample '" +
                            teacher_.alphabet().format(found->word) + "'");
    return true;
  }

  /// Rivest-Schapire and Kearns-Vazirani often propose what contradicts answers they already have,
  /// the last counterexample among them; and the walk saw more words than the learner. Finding it
  /// costs no step of the network.
  std::optional<Counterexample> known_contradiction(const Dfa& hypothesis) {
    if (!run_.counterexamples.empty()) {
      const Counterexample& last = run_.counterexamples.back();
      if (hypothesis.answer(last.word) != last.answer) {
        Counterexample again =
            checked_counterexample(teacher_.tree(), hypothesis, last.word, last.oracle);
        again.pumped = last.pumped;
        return again;
      }
    }
    // The user's words before all others: when a limit ends the run, those are explained.
    if (!given_) given_ = answered(teacher_.tree(), options_.samples, budget_);
    for (std::size_t i = 0; given_ && i < given_->size(); ++i) {
      if (!given_->differs(hypothesis, i)) continue;
      return checked_counterexample(teacher_.tree(), hypothesis, given_->words[i], "samples");
    }
    const std::optional<Node> node = teacher_.contradiction(hypothesis);
    if (!node) return std::nullopt;
    return checked_counterexample(teacher_.tree(), hypothesis, teacher_.tree().word(*node),
                                  "known");
  }

  /// The counterexample without loops that it does not need, checked again when it changed.
  Counterexample shortest_form(const Counterexample& found, const Dfa& hypothesis) {
    Word word = shortened(found.word, hypothesis, teacher_.tree(), budget_);
    if (word == found.word) return found;
    return checked_counterexample(teacher_.tree(), hypothesis, std::move(word), found.oracle);
  }

  /// Records a limit; true when it is one.
  bool stop(Limit limit) {
    if (limit == Limit::None) return false;
    if (run_.limit == Limit::None) run_.limit = limit;
    return true;
  }

  void show_progress() {
    progress_.queries = run_.statistics.membership_queries;
    progress_.a_states = a_states();
  }

  void finish() {
    if (run_.hypotheses.empty()) {
      // A limit before the first hypothesis: what is known is the empty word's answer.
      Dfa dfa(teacher_.alphabet().size(), 1, teacher_.answer_count());
      dfa.set_answer(dfa.initial(), teacher_.taught(StateTree::root()));
      run_.hypotheses.push_back({std::move(dfa), since(start_), std::nullopt});
    }
    RunStatistics& statistics = run_.statistics;
    const StateTreeStats states = teacher_.tree().stats();
    statistics.rnn_steps = states.steps;
    statistics.rnn_steps_recomputed = states.recomputed;
    statistics.seconds_network = states.seconds;
    for (const auto& exploration : teacher_.explorations()) {
      statistics.refinements += exploration->stats().refinements;
      statistics.failed_splits += exploration->stats().failed_splits;
      statistics.seconds_walk += exploration->stats().seconds;
      statistics.seconds_svm += exploration->stats().seconds_svm;
    }
    statistics.a_states = a_states();
    statistics.seconds = since(start_);
    statistics.seconds_cpu = cpu_seconds() - cpu_start_;
  }

  /// Of all abstractions together.
  [[nodiscard]] std::size_t a_states() const {
    std::size_t count = 0;
    for (const auto& exploration : teacher_.explorations()) {
      count += exploration->partition().size();
    }
    return count;
  }

  Teacher& teacher_;
  Learner& learner_;
  const ExtractionOptions& options_;
  const Budget& budget_;
  Progress& progress_;
  const LearningWatch& watch_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_ = cpu_seconds();
  std::optional<AnsweredWords> given_;  // the user's words, once they were asked about
  Learned run_;
};

}  // namespace

Learned learn(Teacher& teacher, Learner& learner, const ExtractionOptions& options,
              const Budget& budget, Progress& progress, const LearningWatch& watch) {
  return Loop(teacher, learner, options, budget, progress, watch).run();
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
    const auto tried = answered(tree, std::move(candidates), budget);
    if (!tried) return best;
    const auto kept = tried->differing(hypothesis);
    if (kept.empty()) return best;
    best = tried->words[kept.front()];
  }
  return best;
}

}  // namespace rnnalf
