#include "rnnalf/libalf/extraction.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/evaluate/families.hpp"
#include "rnnalf/evaluate/ladder.hpp"
#include "rnnalf/libalf/large_alphabet.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/learning_loop.hpp"
#include "rnnalf/libalf/passive.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/teacher/r_state_plot.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the time limit, for what follows learning: choosing, asking the oracles about the result,
/// generalising its exceptions.
std::chrono::duration<double> reserved(const ExtractionOptions& options) {
  return options.exact ? std::chrono::duration<double>(0)
                       : std::min(options.time_limit / 5, std::chrono::duration<double>(1.5));
}

constexpr std::chrono::duration<double> kNoTime{0};
constexpr std::chrono::duration<double> kTimeToPlot{0.5};
constexpr std::size_t kMostExceptions = 50;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A budget of this much time and of the options' memory, part of another one.
void restrict(Budget& budget, const Budget& whole, std::chrono::duration<double> time,
              const ExtractionOptions& options) {
  budget.part_of(whole);
  budget.restrict_time(time);
  // Memory is looked at between batches, and one of them may take this much.
  const std::size_t batch = std::min<std::size_t>(options.memory_limit / 4, 20U << 20U);
  budget.restrict_memory(options.memory_limit - batch);
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
  Work(const Network& network, const Budget& whole, Progress& progress,
       const Extraction::Trace& trace, Run& run)
      : network_(network), whole_(whole), progress_(progress), trace_(trace), run_(run) {
    restrict(learning_, whole, options().time_limit - reserved(options()), options());
    if (options().max_steps) learning_.restrict_steps(*options().max_steps);
  }

  /// A baseline has one hypothesis, its result.
  void run_baseline() {
    const double cpu_start = cpu_seconds();
    StateTree tree(*network_.acceptor, tree_options(network_, options()));
    tree.watch(progress_);
    tree.charge(learning_);
    BaselineOptions wanted{.words = options().samples, .seed = options().seed};
    if (options().max_states) wanted.max_states = *options().max_states;
    const BaselineResult result =
        options().method.is_passive()
            ? learn_from_answers(tree, options().method, wanted, learning_)
            : rnnalf::run_baseline(tree, options().method, wanted, learning_);
    if (!result.complete) {
      run_.limit = learning_.limit() == Limit::None ? Limit::States : learning_.limit();
    }
    run_.evidence = result.evidence;
    run_.hypotheses.push_back({minimise(result.automaton.dfa), since(start_), std::nullopt});
    run_.covered = result.automaton.covered();
    run_.coverage = result.coverage;
    RunStatistics& statistics = run_.statistics;
    statistics.a_states = result.automaton.a_states;
    statistics.rnn_steps = tree.stats().steps;
    statistics.rnn_steps_recomputed = tree.stats().recomputed;
    statistics.seconds_network = tree.stats().seconds;
    statistics.seconds = since(start_);
    statistics.seconds_cpu = cpu_seconds() - cpu_start;
    if (trace_) trace_(0, run_.hypotheses.front());
    // Of a DFA that knows only some words the rest would be listed as its exceptions.
    if (options().exact || run_.covered) return;
    measure(0, run_.hypotheses.front().dfa);
    choose();
    list_exceptions({});
    run_.statistics.rnn_steps_choosing = measuring_tree().stats().steps;
    run_.statistics.seconds_choosing = since(start_) - run_.statistics.seconds;
  }

  void run_learner() {
    TeacherOptions teaching;
    teaching.states = tree_options(network_, options());
    teaching.oracles = options().oracles;
    teaching.mode = options().oracle_mode;
    teaching.seed = options().seed;
    teaching.samples = options().samples;
    Teacher teacher(*network_.acceptor, run_.network.alphabet, teaching);
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
    Learning learning = learn(teacher, options(), learning_, progress_, watch);
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
      run_.statistics.seconds_choosing += since(start);
      run_.statistics.rnn_steps_choosing += teacher.tree().stats().steps - steps;
    }
    if (options().plotted_r_states > 0) {
      run_.plot =
          r_state_plot(teacher, run_.dfa(), options().plotted_r_states, Budget(kTimeToPlot));
    }
  }

 private:
  [[nodiscard]] const ExtractionOptions& options() const { return run_.options; }

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
      // Where a third of the time is not enough to measure, learning is worth more.
      Budget budget;
      restrict(budget, learning_, options().time_limit / 3, options());
      auto yardstick = Yardstick::make(
          measuring_tree(), {.given = options().samples, .seed = options().seed}, budget);
      if (yardstick) {
        ladder_.emplace(std::move(*yardstick),
                        LadderOptions{.tolerance = options().tolerance, .price = options().price});
      } else {
        gave_up_ = true;  // the last hypothesis is the result
      }
    }
    if (ladder_) ladder_->add(number, dfa);
    if (measuring_) steps_measuring_ = measuring_->stats().steps;
    seconds_measuring_ += since(start);
  }

  /// The result, as far as anything was measured.
  void choose() {
    if (!ladder_) return;
    // What no oracle refutes is the result, unless it is far larger than what explains the network.
    const std::size_t last = run_.hypotheses.size() - 1;
    if (run_.limit == Limit::None && !run_.settled) ladder_->prefer(last);
    run_.ladder = ladder_->front();
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
      restrict(budget, whole_, remaining(2.0 / 3), options());
      run_.evidence.clear();
      for (EquivalenceAnswer& answer : teacher.examine(run_.dfa(), budget)) {
        run_.evidence.insert(run_.evidence.end(), answer.evidence.begin(), answer.evidence.end());
        if (answer.counterexample) found.push_back(std::move(*answer.counterexample));
      }
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
    const std::vector<Word> words = ladder_->yardstick().exceptions(run_.dfa(), kMostExceptions);
    for (const Counterexample& one : with_probabilities(words, measuring_tree())) keep(one);
    std::vector<Counterexample> all;
    for (auto& [word, one] : exceptions) all.push_back(std::move(one));
    Budget budget;
    restrict(budget, whole_, remaining(1.0), options());
    run_.families = families(all, run_.dfa(), measuring_tree(), {.seed = options().seed}, budget);
    if (all.size() > kMostExceptions) all.resize(kMostExceptions);
    run_.exceptions = std::move(all);
  }

  /// A share of what is left of the time limit; a little in any case, for what is worth it.
  [[nodiscard]] std::chrono::duration<double> remaining(double share) const {
    const std::chrono::duration<double> left =
        options().time_limit - std::chrono::duration<double>(since(start_));
    return std::max(left * share, std::chrono::duration<double>(0.1));
  }

  const Network& network_;
  const Budget& whole_;
  Progress& progress_;
  const Extraction::Trace& trace_;
  Run& run_;
  Clock::time_point start_ = Clock::now();
  Budget learning_;
  std::optional<StateTree> measuring_;
  std::optional<Ladder> ladder_;
  bool gave_up_ = false;
  std::uint64_t steps_measuring_ = 0;
  double seconds_measuring_ = 0;
};

}  // namespace

Extraction::Extraction(Network network, ExtractionOptions options, std::optional<Dfa> target)
    : network_(std::move(network)), options_(std::move(options)), target_(std::move(target)) {
  validate(options_);
  if (options_.method.method == Method::AbstractionRefinement) {
    require_learner(options_.learner, network_.acceptor->answer_count());
  }
  if (options_.method.is_passive() && network_.acceptor->answer_count() > 2) {
    throw OptionError("method: expected abstraction-refinement, quantization or kmeans for the " +
                      std::to_string(network_.acceptor->answer_count()) +
                      " classes of this network; found '" + options_.method.text() + "'");
  }
  if (options_.exact) options_.until = Until::Exact;
  if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
}

Run Extraction::run(const Budget& budget, Progress* watched, const Trace& trace) const {
  const auto start = Clock::now();
  if (options_.method.method == Method::AbstractionRefinement) {
    auto run = run_over_representatives(network_, options_, target_, budget, watched, trace);
    if (run) return std::move(*run);
  }
  Progress unwatched;
  Run run;
  run.network = network_.summary;
  run.precision = network_.acceptor->precision();
  run.empty_word = network_.empty_word;
  run.options = options_;
  // Where comparing symbols led to nothing, that time is gone.
  const std::chrono::duration<double> spent = Clock::now() - start;
  run.options.time_limit = std::max(options_.time_limit - spent, kNoTime);
  run.target = target_;
  Work work(network_, budget, watched != nullptr ? *watched : unwatched, trace, run);
  if (options_.method.method == Method::AbstractionRefinement) {
    work.run_learner();
  } else {
    work.run_baseline();
  }
  if (target_) {
    for (auto* words : {&run.counterexamples, &run.exceptions}) {
      for (Counterexample& word : *words) word.target = target_->answer(word.word);
    }
  }
  run.options = options_;
  run.statistics.peak_memory_bytes = peak_memory_bytes();
  return run;
}

}  // namespace rnnalf
