#include "rnnalf/extraction/large_alphabet.hpp"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/evaluate/alike_symbols.hpp"
#include "rnnalf/extraction/plain_extraction.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRounds = 8;             // of learning and refining
constexpr std::size_t kSharePerGroup = 2;  // symbols that a group must have on average

/// The network over the representatives alone.
Network over_groups(const Network& network, const SymbolGroups& groups) {
  Network small = network;
  Presentation shown{.over = groups.representatives()};
  std::vector<std::string> names;
  for (const Symbol symbol : shown.over) names.push_back(network.summary.alphabet.name(symbol));
  shown.alphabet = Alphabet(std::move(names));
  small.summary.alphabet = shown.alphabet;
  small.acceptor = make_presented_acceptor(network.acceptor, std::move(shown));
  return small;
}

/// The words of a run over groups in symbols; its hypotheses stay over groups. What was complete
/// for groups is not for symbols.
void translate(Run& run, const SymbolGroups& groups) {
  const auto to_symbols = [&](Word& word) { word = groups.with_symbols(word); };
  for (auto* words : {&run.counterexamples, &run.exceptions}) {
    for (Counterexample& one : *words) {
      to_symbols(one.word);
      if (!one.pumped) continue;
      for (Word* part : {&one.pumped->prefix, &one.pumped->loop, &one.pumped->suffix}) {
        to_symbols(*part);
      }
    }
  }
  for (Family& family : run.families) {
    for (Word* part : {&family.prefix, &family.loop, &family.suffix}) to_symbols(*part);
  }
  for (RStatePoint& point : run.plot.points) to_symbols(point.word);
  for (Evidence& evidence : run.evidence) {
    if (auto* const words = std::get_if<WordsCompared>(&evidence.looked_at)) {
      words->complete_to.reset();
    }
  }
  run.groups = groups;
  run.over_all_symbols = run.hypothesis(run.recommended);
}

/// What comparing the other symbols with their representatives says of the result.
void add_check(Run& run, const std::optional<AlikeCheck>& check, const StateTree& tree) {
  Evidence evidence{.oracle = "alike-symbols",
                    .end = Evidence::End::Stopped,
                    .looked_at = AlikeSymbols{.symbols = run.groups->symbol_count(),
                                              .groups = run.groups->size(),
                                              .differing = check ? check->differing : 0}};
  if (check) {
    evidence.words_tested = check->words;
    evidence.end = Evidence::End::NoneFound;
    std::vector<Counterexample> found = run_alone(check->exceptions, run.dfa(), tree);
    if (!found.empty()) {
      evidence.end = Evidence::End::Counterexample;
      evidence.counterexample_length = found.front().word.size();
      // The result is not without a counterexample any more, but going on would not end.
      if (run.limit == Limit::None) run.settled = true;
    }
    for (Counterexample& one : found) {
      one.oracle = "alike-symbols";
      run.exceptions.push_back(std::move(one));
    }
    std::sort(run.exceptions.begin(), run.exceptions.end(),
              [](const auto& a, const auto& b) { return shortlex_less(a.word, b.word); });
    if (run.exceptions.size() > kMostExceptions) run.exceptions.resize(kMostExceptions);
  }
  run.evidence.push_back(std::move(evidence));
}

void add_work(RunStatistics& sum, const RunStatistics& more) {
  sum.membership_queries += more.membership_queries;
  sum.equivalence_queries += more.equivalence_queries;
  sum.rnn_steps += more.rnn_steps;
  sum.rnn_steps_recomputed += more.rnn_steps_recomputed;
  sum.rnn_steps_choosing += more.rnn_steps_choosing;
  sum.seconds_learner += more.seconds_learner;
  sum.seconds_oracle += more.seconds_oracle;
  sum.seconds_network += more.seconds_network;
  sum.seconds_walk += more.seconds_walk;
  sum.seconds_svm += more.seconds_svm;
  sum.seconds_choosing += more.seconds_choosing;
  sum.seconds_cpu += more.seconds_cpu;
}

/// Whether what has been spent leaves nothing of a limit by count.
Limit reached(const ExtractionOptions& options, const RunStatistics& spent) {
  const auto over = [](const std::optional<std::uint64_t>& most, std::uint64_t used) {
    return most && used >= *most;
  };
  if (over(options.max_rounds, spent.equivalence_queries)) return Limit::Rounds;
  if (over(options.max_queries, spent.membership_queries)) return Limit::Queries;
  if (over(options.max_steps, spent.rnn_steps)) return Limit::Steps;
  return Limit::None;
}

/// Learning over representatives, and again where these were too few.
class Rounds {
 public:
  Rounds(const Network& network, const Learners& learners, const ExtractionOptions& options,
         const Budget& budget, Progress& progress, const HypothesisTrace& trace)
      : network_(network),
        learners_(learners),
        options_(options),
        progress_(progress),
        trace_(trace),
        tree_(*network.acceptor, {.memory = options.memory_limit / 16,
                                  .threads = static_cast<unsigned>(options.threads),
                                  .empty_word = network.empty_word}) {
    all_.part_of(budget);
    restrict_memory(all_, options);
    comparing_.part_of(all_);
    comparing_.restrict_time(options.time_limit);
    tree_.watch(progress);
  }

  Run run() {
    progress_.activity = "comparing symbols";
    std::optional<SymbolGroups> groups =
        counting_cpu([&] { return group_by_behaviour(tree_, alike(), comparing_); });
    std::optional<Round> best;
    for (int number = 1; groups && pays(*groups); ++number) {
      groups->sort();
      Round round{learned_over(*groups), *groups, std::nullopt};
      const bool may_go_on = check(round, *groups) && number < kMostRounds;
      const Limit limit = round.run.limit;
      // What a limit ended does not replace what ended by itself.
      if (!best || limit == Limit::None || best->run.limit != Limit::None) best = std::move(round);
      const Limit spent = limit != Limit::States ? limit : Limit::None;
      const Limit end = spent != Limit::None ? spent : reached(options_, spent_);
      if (!may_go_on) return finished(std::move(*best), limit);
      if (end != Limit::None) return finished(std::move(*best), end);
    }
    // The symbols differ, or there was no time to compare them.
    Run run = plain_extraction(network_, learners_, left(), all_, progress_, trace_);
    add_work(spent_, run.statistics);
    return with_all_work(std::move(run));
  }

 private:
  /// What one round came to.
  struct Round {
    Run run;  ///< over groups
    SymbolGroups groups;
    std::optional<AlikeCheck> check;  ///< none: there was no time for it
  };

  [[nodiscard]] AlikeOptions alike() const { return {.seed = options_.seed}; }

  [[nodiscard]] bool pays(const SymbolGroups& groups) const {
    return groups.size() * kSharePerGroup <= network_.acceptor->symbol_count();
  }

  [[nodiscard]] std::chrono::duration<double> passed() const { return Clock::now() - start_; }

  /// CPU time that extractions over representatives do not count themselves.
  template <class Action>
  std::invoke_result_t<const Action&> counting_cpu(const Action& action) {
    const double begun = cpu_seconds();
    auto result = action();
    spent_.seconds_cpu += cpu_seconds() - begun;
    return result;
  }

  /// The options with what is left of the limits, which are those of all rounds together.
  [[nodiscard]] ExtractionOptions left() const {
    ExtractionOptions left = options_;
    left.time_limit = std::max(options_.time_limit - passed(), std::chrono::duration<double>(0));
    const auto take = [](std::optional<std::uint64_t>& most, std::uint64_t used) {
      if (most) *most -= std::min(*most, used);
    };
    take(left.max_rounds, spent_.equivalence_queries);
    take(left.max_queries, spent_.membership_queries);
    take(left.max_steps, spent_.rnn_steps);
    return left;
  }

  Run learned_over(const SymbolGroups& groups) {
    ExtractionOptions options = left();
    for (Word& word : options.samples) word = groups.with_groups(word);
    HypothesisTrace traced;
    if (trace_) {
      traced = [&](std::size_t number, const HypothesisRecord& hypothesis) {
        HypothesisRecord shown = hypothesis;
        shown.dfa = groups.with_symbols(hypothesis.dfa);
        trace_(number, shown);
      };
    }
    Run run = plain_extraction(over_groups(network_, groups), learners_, options, all_, progress_,
                               traced);
    add_work(spent_, run.statistics);
    cut_short_ = cut_short_ || run.cut_short;
    return run;
  }

  /// Compares the other symbols with their representatives, where a limit has left time for it.
  /// True: there are more groups now.
  bool check(Round& round, SymbolGroups& groups) {
    const Limit limit = round.run.limit;
    if (depends_on_machine(limit) || limit == Limit::Steps) return false;
    round.check = counting_cpu([&] {
      return refine_groups(groups, tree_, round.run.dfa(), options_.samples, alike(), comparing_);
    });
    return round.check && round.check->groups_added > 0;
  }

  /// The round as a run over all symbols, which this limit ended.
  Run finished(Round round, Limit limit) {
    Run& run = round.run;
    run.limit = limit;
    translate(run, round.groups);
    add_check(run, round.check, tree_);
    return with_all_work(std::move(run));
  }

  Run with_all_work(Run run) {
    RunStatistics& statistics = run.statistics;
    RunStatistics all;
    all.refinements = statistics.refinements;
    all.failed_splits = statistics.failed_splits;
    all.a_states = statistics.a_states;
    add_work(all, spent_);
    all.rnn_steps += tree_.stats().steps;
    all.rnn_steps_recomputed += tree_.stats().recomputed;
    all.seconds_network += tree_.stats().seconds;
    all.seconds = passed().count() - all.seconds_choosing;
    statistics = all;
    run.cut_short = run.cut_short || cut_short_ || comparing_.cut_short();
    return run;
  }

  const Network& network_;
  const Learners& learners_;
  const ExtractionOptions& options_;
  Progress& progress_;
  const HypothesisTrace& trace_;
  Clock::time_point start_ = Clock::now();
  Budget all_;        // of everything: the memory counts from the beginning
  Budget comparing_;  // of symbols
  StateTree tree_;    // over all symbols
  RunStatistics spent_;
  bool cut_short_ = false;  // in a round that was not the last
};

}  // namespace

bool has_large_alphabet(const Network& network, const ExtractionOptions& options) {
  return options.method.method == Method::AbstractionRefinement && options.alike_symbols > 0 &&
         network.acceptor->symbol_count() > options.alike_symbols;
}

Run run_over_representatives(const Network& network, const Learners& learners,
                             const ExtractionOptions& options, const Budget& budget,
                             Progress& progress, const HypothesisTrace& trace) {
  return Rounds(network, learners, options, budget, progress, trace).run();
}

}  // namespace rnnalf
