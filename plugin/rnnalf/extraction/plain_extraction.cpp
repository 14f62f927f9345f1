#include "rnnalf/extraction/plain_extraction.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/evaluate/families.hpp"
#include "rnnalf/evaluate/ladder.hpp"
#include "rnnalf/evaluate/r_state_plot.hpp"
#include "rnnalf/extraction/learning_loop.hpp"
#include "rnnalf/extraction/passive.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the time limit, for what follows learning: choosing, asking the oracles about the result,
/// generalising its exceptions.
std::chrono::duration<double> reserved(const ExtractionOptions& options) {
  using Seconds = std::chrono::duration<double>;
  if (!options.exact) return std::min(options.time_limit / 5, Seconds(1.5));
  return options.measure_last ? std::min(options.time_limit / 10, Seconds(0.5)) : Seconds(0);
}

constexpr std::chrono::duration<double> kTimeToPlot{0.5};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What may be taken before the next batch.
std::size_t memory_of(const ExtractionOptions& options) {
  return options.memory_limit - std::min<std::size_t>(options.memory_limit / 4, 20U << 20U);
}

/// A budget of this much time and of the options' memory, part of another one.
void restrict(Budget& budget, const Budget& whole, std::chrono::duration<double> time,
              const ExtractionOptions& options) {
  budget.part_of(whole);
  budget.restrict_time(time);
  restrict_memory(budget, options);
}

/// R-states that are used again are kept in a sixteenth as well as in all of it: most are steps on
/// the way to an answer. The rest is for words, the learner's table and batches under way.
StateTreeOptions tree_options(const Network& network, const ExtractionOptions& options) {
  StateTreeOptions tree;
  tree.memory = options.memory_limit / 16;
  tree.threads = static_cast<unsigned>(options.threads);
  tree.empty_word = network.empty_word;
  return tree;
}

/// What the result would be if the answer for the empty word were free.
EmptyWord without_empty_word(const Dfa& dfa) {
  EmptyWord empty{.alone = false, .states_without = dfa.size()};
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    bool same = true;
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      same = same && dfa.next(state, symbol) == dfa.next(dfa.initial(), symbol);
    }
    if (!same || state == dfa.initial()) continue;
    Dfa other = dfa;
    other.set_initial(state);
    empty.states_without = std::min(empty.states_without, minimise(other).size());
  }
  empty.alone = empty.states_without < dfa.size();
  return empty;
}

/// One extraction in progress: what methods and what follows them share.
class Work {
 public:
  Work(const Network& network, const Learners& learners, const Budget& whole, Progress& progress,
       const HypothesisTrace& trace, Run& run)
      : network_(network), learners_(learners), progress_(progress), trace_(trace), run_(run) {
    // Both count from the memory that there is now; what learning leaves is for what follows it.
    all_.part_of(whole);
    restrict_memory(all_, options());
    learning_.part_of(all_);
    learning_.restrict_time(options().time_limit - reserved(options()));
    learning_.restrict_memory(memory_of(options()) - options().memory_limit / 8);
    // A passive method counts what its words take itself, and learns when that is spent.
    if (options().max_steps && !options().method.is_passive()) {
      learning_.restrict_steps(*options().max_steps);
    }
  }

  /// A baseline has one hypothesis, its result.
  void run_baseline() {
    const double cpu_start = cpu_seconds();
    StateTree tree(*network_.acceptor, tree_options(network_, options()));
    tree.watch(progress_);
    tree.charge(learning_);
    BaselineOptions wanted{
        .words = options().samples, .memory = options().memory_limit, .seed = options().seed};
    if (options().max_states) wanted.max_states = *options().max_states;
    if (options().max_steps) wanted.max_steps = *options().max_steps;
    const BaselineResult result =
        options().method.is_passive()
            ? learn_from_answers(tree, options().method, wanted, learners_, learning_)
            : rnnalf::run_baseline(tree, options().method, wanted, learning_);
    note(learning_);
    if (!result.complete) {
      run_.limit = result.limit != Limit::None        ? result.limit
                   : learning_.limit() != Limit::None ? learning_.limit()
                                                      : Limit::States;
    }
    run_.evidence = result.evidence;
    run_.hypotheses.push_back(
        {minimise(result.automaton.dfa), seconds_since(start_), std::nullopt});
    run_.covered = result.automaton.covered();
    run_.coverage = result.coverage;
    RunStatistics& statistics = run_.statistics;
    statistics.a_states = result.automaton.a_states;
    statistics.rnn_steps = tree.stats().steps;
    statistics.rnn_steps_recomputed = tree.stats().recomputed;
    statistics.seconds_network = tree.stats().seconds;
    statistics.seconds = seconds_since(start_);
    statistics.seconds_cpu = cpu_seconds() - cpu_start;
    if (trace_) trace_(0, run_.hypotheses.front());
    // Of a DFA that knows only some words the rest would be listed as its exceptions.
    if (options().exact || run_.covered) return;
    measure(0, run_.hypotheses.front().dfa);
    choose();
    list_exceptions({});
    run_.statistics.rnn_steps_choosing = measuring_tree().stats().steps;
    run_.statistics.seconds_choosing = seconds_since(start_) - run_.statistics.seconds;
  }

  void run_learner() {
    TeacherOptions teaching;
    teaching.states = tree_options(network_, options());
    teaching.oracles = options().oracles;
    teaching.mode = options().oracle_mode;
    teaching.seed = options().seed;
    teaching.samples = options().samples;
    Teacher teacher(*network_.acceptor, network_.summary.alphabet, teaching);
    teacher.tree().watch(progress_);
    teacher.tree().charge(learning_);

    LearningWatch watch;
    watch.hypothesis = [&](std::size_t number, const HypothesisRecord& hypothesis) {
      if (trace_) trace_(number, hypothesis);
      if (options().exact) return false;
      measure(number, hypothesis.dfa);
      return may_settle() && ladder_->settled(hypothesis.dfa.size());
    };
    watch.counterexample = [&](std::size_t number, const Counterexample& found) {
      if (!ladder_) return false;
      ladder_->refute(number, found.word, found.answer);
      return may_settle() && ladder_->settled_by(number, found.word.size());
    };
    const std::unique_ptr<Learner> learner =
        learners_.make(options().learner, teacher.alphabet().size(), teacher.answer_count());
    Learning learning = learn(teacher, *learner, options(), learning_, progress_, watch);
    note(learning_);
    run_.limit = learning.limit;
    run_.settled = learning.settled;
    run_.hypotheses = std::move(learning.hypotheses);
    run_.counterexamples = std::move(learning.counterexamples);
    run_.evidence = std::move(learning.evidence);
    run_.statistics = learning.statistics;
    run_.statistics.seconds -= seconds_measuring_;
    run_.statistics.rnn_steps_choosing = steps_measuring_;
    run_.statistics.seconds_choosing = seconds_measuring_;
    run_.recommended = run_.hypotheses.size() - 1;
    if (!options().exact) {
      const auto start = Clock::now();
      const std::uint64_t steps = teacher.tree().stats().steps;
      choose();
      examine(teacher);
      run_.statistics.seconds_choosing += seconds_since(start);
      run_.statistics.rnn_steps_choosing += teacher.tree().stats().steps - steps;
    } else if (options().measure_last) {
      measure(run_.recommended, run_.dfa());
      choose();
      list_exceptions({});
      run_.statistics.seconds_choosing = seconds_since(start_) - run_.statistics.seconds;
      run_.statistics.rnn_steps_choosing = steps_measuring_;
    }
    if (options().plotted_r_states > 0) {
      const Budget plotting(std::min(remaining(1.0), kTimeToPlot));
      const auto explorations = teacher.explorations();
      run_.plot =
          r_state_plot(teacher.tree(), explorations.empty() ? nullptr : explorations.front().get(),
                       run_.dfa(), options().plotted_r_states, plotting);
      note(plotting);
    }
  }

 private:
  [[nodiscard]] const ExtractionOptions& options() const { return run_.options; }

  /// Whatever was done with this budget is part of the run.
  void note(const Budget& part) { run_.cut_short = run_.cut_short || part.cut_short(); }

  [[nodiscard]] bool may_settle() const {
    return options().until == Until::Settled && ladder_.has_value();
  }

  /// A tree of its own, so that measuring changes nothing that learning sees.
  StateTree& measuring_tree() {
    if (!measuring_) {
      measuring_.emplace(*network_.acceptor, tree_options(network_, options()));
    }
    return *measuring_;
  }

  /// Puts a hypothesis on the ladder, which begins with the first.
  void measure(std::size_t number, const Dfa& dfa) {
    const auto start = Clock::now();
    progress_.activity = "measuring";
    if (!ladder_ && !gave_up_) {
      // Where a third of the time is not enough to measure, learning is worth more; after learning,
      // there is what is left.
      Budget budget;
      if (options().exact) {
        restrict(budget, all_, remaining(2.0 / 3), options());
      } else {
        restrict(budget, learning_, options().time_limit / 3, options());
      }
      auto yardstick = Yardstick::make(
          measuring_tree(), {.given = options().samples, .seed = options().seed}, budget);
      note(budget);
      if (yardstick) {
        ladder_.emplace(std::move(*yardstick),
                        LadderOptions{.tolerance = options().tolerance, .price = options().price});
      } else {
        gave_up_ = true;  // the last hypothesis is the result
      }
    }
    if (ladder_) ladder_->add(number, dfa);
    if (measuring_) steps_measuring_ = measuring_->stats().steps;
    seconds_measuring_ += seconds_since(start);
  }

  /// The result, as far as anything was measured.
  void choose() {
    if (!ladder_) return;
    // What no oracle refutes is the result, unless it is far larger than what explains the network.
    const std::size_t last = run_.hypotheses.size() - 1;
    if (run_.limit == Limit::None && !run_.settled) ladder_->prefer(last);
    run_.ladder = ladder_->front();
    run_.met = ladder_->yardstick().met();
    run_.recommended = ladder_->result().hypothesis;
    run_.empty = without_empty_word(run_.dfa());
  }

  /// What the oracles say of the result, its exceptions, and the rules behind them.
  void examine(Teacher& teacher) {
    const bool is_last = run_.recommended + 1 == run_.hypotheses.size();
    const bool was_asked = is_last && run_.limit == Limit::None && !run_.settled;
    std::vector<Counterexample> found;
    if (!was_asked) {
      if (run_.limit == Limit::None) run_.settled = true;
      progress_.activity = "checking the result";
      Budget budget;
      restrict(budget, all_, remaining(2.0 / 3), options());
      run_.evidence.clear();
      for (EquivalenceAnswer& answer : teacher.examine(run_.dfa(), budget)) {
        run_.evidence.insert(run_.evidence.end(), answer.evidence.begin(), answer.evidence.end());
        if (answer.counterexample) found.push_back(std::move(*answer.counterexample));
      }
      note(budget);
    }
    list_exceptions(found);
  }

  void list_exceptions(std::span<const Counterexample> found) {
    if (!ladder_) return;
    std::map<Word, Counterexample, ShortlexLess> exceptions;
    const auto keep = [&](const Counterexample& one) {
      if (run_.dfa().answer(one.word) != one.answer) exceptions.emplace(one.word, one);
    };
    for (const Counterexample& one : found) keep(one);
    for (const Counterexample& one : run_.counterexamples) keep(one);
    for (const Counterexample& one :
         run_alone(ladder_->yardstick().exceptions(run_.dfa(), kMostExceptions), run_.dfa(),
                   measuring_tree())) {
      keep(one);
    }
    std::vector<Counterexample> all;
    for (auto& [word, one] : exceptions) all.push_back(std::move(one));
    Budget budget;
    restrict(budget, all_, remaining(1.0), options());
    run_.families = families(all, run_.dfa(), measuring_tree(), {.seed = options().seed}, budget);
    note(budget);
    if (all.size() > kMostExceptions) all.resize(kMostExceptions);
    run_.exceptions = std::move(all);
  }

  /// A share of what is left of the time limit; a little in any case, for what is worth it.
  [[nodiscard]] std::chrono::duration<double> remaining(double share) const {
    const std::chrono::duration<double> left =
        options().time_limit - std::chrono::duration<double>(seconds_since(start_));
    return std::max(left * share, std::chrono::duration<double>(0.1));
  }

  const Network& network_;
  const Learners& learners_;
  Progress& progress_;
  const HypothesisTrace& trace_;
  Run& run_;
  Clock::time_point start_ = Clock::now();
  Budget all_;       // the memory of the whole run
  Budget learning_;  // what learning may take of it, and of the time
  std::optional<StateTree> measuring_;
  std::optional<Ladder> ladder_;
  bool gave_up_ = false;
  std::uint64_t steps_measuring_ = 0;
  double seconds_measuring_ = 0;
};

}  // namespace

void restrict_memory(Budget& budget, const ExtractionOptions& options) {
  budget.restrict_memory(memory_of(options));
}

Run plain_extraction(const Network& network, const Learners& learners,
                     const ExtractionOptions& options, const Budget& budget, Progress& progress,
                     const HypothesisTrace& trace) {
  Run run;
  run.options = options;
  Work work(network, learners, budget, progress, trace, run);
  if (options.method.method == Method::AbstractionRefinement) {
    work.run_learner();
  } else {
    work.run_baseline();
  }
  return run;
}

}  // namespace rnnalf
