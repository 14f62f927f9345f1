#include "rnnalf/libalf/extraction.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/evaluate/recommend.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/learning_loop.hpp"
#include "rnnalf/teacher/r_state_plot.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

/// What the recommendation may take after a run that was stopped: half of it is reserved from the
/// time limit.
constexpr std::chrono::duration<double> kTimeToRecommend{1.0};
constexpr std::chrono::duration<double> kTimeToPlot{2.0};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Sets the limits of the options on a budget that starts now.
void restrict(Budget& budget, const ExtractionOptions& options) {
  // Choosing among the hypotheses takes some of the time.
  const auto reserved = options.exact ? std::chrono::duration<double>(0)
                                      : std::min(options.time_limit / 10, kTimeToRecommend / 2);
  budget.restrict_time(options.time_limit - reserved);
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

/// Fills in the agreement of every hypothesis, which one is the result, and the exceptions to it.
void choose(Run& run, StateTree& tree, const Budget& budget) {
  const auto start = Clock::now();
  const std::uint64_t steps = tree.stats().steps;
  // When a limit stopped the run, little more time may pass.
  Budget rest;
  if (budget.limit() != Limit::None) rest.restrict_time(kTimeToRecommend);
  std::vector<Dfa> hypotheses;
  for (const HypothesisRecord& hypothesis : run.hypotheses) hypotheses.push_back(hypothesis.dfa);
  std::vector<Word> known;
  for (const Counterexample& counterexample : run.counterexamples)
    known.push_back(counterexample.word);
  Recommendation recommendation =
      recommend(hypotheses, known, tree,
                {.tolerance = run.options.tolerance, .seed = run.options.seed}, rest);
  run.recommended = recommendation.index;
  for (std::size_t i = 0; i < recommendation.agreement.size(); ++i) {
    for (const LengthAgreement& of_length : recommendation.agreement[i]) {
      run.hypotheses[i].agreement.emplace_back(of_length.length, of_length.share());
    }
  }
  run.exceptions = std::move(recommendation.exceptions);
  run.statistics.rnn_steps_choosing = tree.stats().steps - steps;
  run.statistics.seconds_choosing = since(start);
}

/// A baseline has one hypothesis, its result.
void run_baseline(Run& run, const Network& network, const Budget& budget, Progress& progress) {
  const auto start = Clock::now();
  const double cpu_start = cpu_seconds();
  StateTree tree(*network.acceptor, tree_options(network, run.options));
  tree.watch(progress);
  BaselineOptions options{.words = run.options.samples, .seed = run.options.seed};
  if (run.options.max_states) options.max_states = *run.options.max_states;
  const BaselineResult result = run_baseline(tree, run.options.method, options, budget);
  if (!result.complete) {
    run.limit = budget.limit() == Limit::None ? Limit::States : budget.limit();
  }
  run.evidence = result.evidence;
  run.hypotheses.push_back({minimise(result.automaton.dfa), since(start), std::nullopt, {}});
  run.covered = result.automaton.covered();
  run.coverage = result.coverage;
  RunStatistics& statistics = run.statistics;
  statistics.a_states = result.automaton.a_states;
  statistics.rnn_steps = tree.stats().steps;
  statistics.rnn_steps_recomputed = tree.stats().recomputed;
  statistics.seconds_network = tree.stats().seconds;
  statistics.seconds = since(start);
  statistics.seconds_cpu = cpu_seconds() - cpu_start;
  // Of a DFA that knows only some words the rest would be listed as its exceptions.
  if (!run.options.exact && !run.covered) choose(run, tree, budget);
}

void run_learner(Run& run, const Network& network, const Budget& budget, Progress& progress) {
  TeacherOptions teaching;
  teaching.states = tree_options(network, run.options);
  teaching.oracles = run.options.oracles;
  teaching.mode = run.options.oracle_mode;
  teaching.seed = run.options.seed;
  teaching.samples = run.options.samples;
  Teacher teacher(*network.acceptor, run.network.alphabet, teaching);
  teacher.tree().watch(progress);

  Learning learning = learn(teacher, run.options, budget, progress);
  run.limit = learning.limit;
  run.hypotheses = std::move(learning.hypotheses);
  run.counterexamples = std::move(learning.counterexamples);
  run.evidence = std::move(learning.evidence);
  run.statistics = learning.statistics;
  run.recommended = run.hypotheses.size() - 1;
  if (!run.options.exact) choose(run, teacher.tree(), budget);
  if (run.options.plotted_r_states > 0) {
    run.plot = r_state_plot(teacher, run.dfa(), run.options.plotted_r_states, Budget(kTimeToPlot));
  }
}

}  // namespace

Extraction::Extraction(Network network, ExtractionOptions options, std::optional<Dfa> target)
    : network_(std::move(network)), options_(std::move(options)), target_(std::move(target)) {
  validate(options_);
  if (options_.method.method == Method::AbstractionRefinement) require_learner(options_.learner);
  if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
}

Run Extraction::run(const Budget& whole, Progress* watched) const {
  Budget budget;
  budget.part_of(whole);
  restrict(budget, options_);
  Progress unwatched;
  Progress& progress = watched != nullptr ? *watched : unwatched;

  Run run;
  run.network = network_.summary;
  run.precision = network_.acceptor->precision();
  run.empty_word = network_.empty_word;
  run.options = options_;
  run.target = target_;
  if (options_.method.method == Method::AbstractionRefinement) {
    run_learner(run, network_, budget, progress);
  } else {
    run_baseline(run, network_, budget, progress);
  }
  if (target_) {
    for (auto* words : {&run.counterexamples, &run.exceptions}) {
      for (Counterexample& word : *words) word.target = target_->accepts(word.word);
    }
  }
  run.statistics.peak_memory_bytes = peak_memory_bytes();
  return run;
}

}  // namespace rnnalf
