#include "rnnalf/extraction/large_alphabet.hpp"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/evaluate/alike_symbols.hpp"
#include "rnnalf/extraction/plain_extraction.hpp"
#include "rnnalf/extraction/setting.hpp"
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

std::vector<Counterexample> in_symbols(std::vector<Counterexample> words,
                                       const SymbolGroups& groups) {
  for (Counterexample& one : words) {
    one.word = groups.with_symbols(one.word);
    if (!one.pumped) continue;
    for (Word* part : {&one.pumped->prefix, &one.pumped->loop, &one.pumped->suffix}) {
      *part = groups.with_symbols(*part);
    }
  }
  return words;
}

/// The words of an extraction over groups in symbols; its hypotheses stay over groups. What was
/// complete for groups is not for symbols.
Extracted in_symbols(Extracted over_groups, const SymbolGroups& groups) {
  Extracted found = std::move(over_groups);
  found.over_all_symbols = groups.with_symbols(found.dfa());
  if (found.unanswered) found.unanswered = groups.with_symbols(*found.unanswered);
  found.groups = groups;
  found.learned.counterexamples = in_symbols(std::move(found.learned.counterexamples), groups);
  Examined& examined = found.examined;
  examined.exceptions = in_symbols(std::move(examined.exceptions), groups);
  for (Family& family : examined.families) {
    for (Word* part : {&family.prefix, &family.loop, &family.suffix}) {
      *part = groups.with_symbols(*part);
    }
  }
  for (RStatePoint& point : found.plot.points) point.word = groups.with_symbols(point.word);
  for (Evidence& evidence : examined.evidence) {
    if (evidence.counterexample) {
      evidence.counterexample = groups.with_symbols(*evidence.counterexample);
    }
    if (auto* const words = std::get_if<WordsCompared>(&evidence.looked_at)) {
      words->complete_to.reset();
    }
  }
  return found;
}

/// With what comparing the other symbols with their representatives says of the result.
Extracted with_check(Extracted before, const std::optional<AlikeCheck>& check,
                     const StateTree& tree) {
  Extracted found = std::move(before);
  Evidence evidence{.oracle = "alike-symbols",
                    .end = Evidence::End::Stopped,
                    .looked_at = AlikeSymbols{.symbols = found.groups->symbol_count(),
                                              .groups = found.groups->size(),
                                              .differing = check ? check->differing : 0}};
  if (check) {
    evidence.words_tested = check->words;
    evidence.end = Evidence::End::NoneFound;
    std::vector<Counterexample> differing = run_alone(check->exceptions, found.dfa(), tree);
    if (!differing.empty()) {
      evidence.end = Evidence::End::Counterexample;
      evidence.counterexample = differing.front().word;
      // The result is not without a counterexample any more, but continuing would not end.
      if (found.learned.limit == Limit::None) found.learned.settled = true;
    }
    std::vector<Counterexample>& exceptions = found.examined.exceptions;
    for (Counterexample& one : differing) {
      one.oracle = "alike-symbols";
      exceptions.push_back(std::move(one));
    }
    std::sort(exceptions.begin(), exceptions.end(),
              [](const auto& a, const auto& b) { return shortlex_less(a.word, b.word); });
    if (exceptions.size() > kMostExceptions) exceptions.resize(kMostExceptions);
  }
  found.examined.evidence.push_back(std::move(evidence));
  return found;
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
        limit_(time_limit(options, budget)),
        tree_(*network.acceptor, tree_options(network, options)) {
    all_.part_of(budget);
    restrict_memory(all_, options);
    comparing_.part_of(all_);
    comparing_.restrict_time(limit_);
    tree_.watch(progress);
  }

  Extracted run() {
    progress_.activity = "comparing symbols";
    std::optional<SymbolGroups> groups =
        counting_cpu([&] { return group_by_behaviour(tree_, alike(), comparing_); });
    std::optional<Round> best;
    for (int number = 1; groups && pays(*groups); ++number) {
      groups->sort();
      Round round{learned_over(*groups), *groups, std::nullopt};
      const bool may_go_on = check(round, *groups) && number < kMostRounds;
      const Limit limit = round.found.learned.limit;
      // What a limit ended does not replace what ended by itself.
      if (!best || limit == Limit::None || best->found.learned.limit != Limit::None) {
        best = std::move(round);
      }
      const Limit spent = limit != Limit::States ? limit : Limit::None;
      const Limit end = spent != Limit::None ? spent : reached(options_, spent_);
      if (!may_go_on) return finished(std::move(*best), limit);
      if (end != Limit::None) return finished(std::move(*best), end);
    }
    // The symbols differ, or there was no time to compare them.
    Extracted found = plain_extraction(network_, learners_, left(), all_, progress_, trace_);
    add_work(spent_, found.statistics);
    return with_all_work(std::move(found));
  }

 private:
  /// What one round came to.
  struct Round {
    Extracted found;  ///< over groups
    SymbolGroups groups;
    std::optional<AlikeCheck> check;  ///< none: there was no time for it
  };

  [[nodiscard]] AlikeOptions alike() const { return {.seed = options_.seed}; }

  [[nodiscard]] bool pays(const SymbolGroups& groups) const {
    return groups.size() * kSharePerGroup <= network_.acceptor->symbol_count();
  }

  [[nodiscard]] Time passed() const { return Clock::now() - start_; }

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
    left.time_limit = std::max(limit_ - passed(), Time(0));
    const auto take = [](std::optional<std::uint64_t>& most, std::uint64_t used) {
      if (most) *most -= std::min(*most, used);
    };
    take(left.max_rounds, spent_.equivalence_queries);
    take(left.max_queries, spent_.membership_queries);
    take(left.max_steps, spent_.rnn_steps);
    return left;
  }

  Extracted learned_over(const SymbolGroups& groups) {
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
    Extracted found = plain_extraction(over_groups(network_, groups), learners_, options, all_,
                                       progress_, traced);
    add_work(spent_, found.statistics);
    cut_short_ = cut_short_ || found.cut_short;
    return found;
  }

  /// Compares the other symbols with their representatives, where a limit has left time for it.
  /// True: there are more groups now.
  bool check(Round& round, SymbolGroups& groups) {
    const Limit limit = round.found.learned.limit;
    if (depends_on_machine(limit) || limit == Limit::Steps) return false;
    round.check = counting_cpu([&] {
      return refine_groups(groups, tree_, round.found.dfa(), options_.samples, alike(), comparing_);
    });
    return round.check && round.check->groups_added > 0;
  }

  /// The round over all symbols, ended by this limit.
  Extracted finished(Round round, Limit limit) {
    round.found.learned.limit = limit;
    return with_all_work(
        with_check(in_symbols(std::move(round.found), round.groups), round.check, tree_));
  }

  Extracted with_all_work(Extracted last) {
    Extracted found = std::move(last);
    RunStatistics all{.refinements = found.statistics.refinements,
                      .failed_splits = found.statistics.failed_splits,
                      .a_states = found.statistics.a_states};
    add_work(all, spent_);
    all.rnn_steps += tree_.stats().steps;
    all.rnn_steps_recomputed += tree_.stats().recomputed;
    all.seconds_network += tree_.stats().seconds;
    all.seconds = passed().count() - all.seconds_choosing;
    found.statistics = all;
    found.cut_short = found.cut_short || cut_short_ || comparing_.cut_short();
    return found;
  }

  const Network& network_;
  const Learners& learners_;
  const ExtractionOptions& options_;
  Progress& progress_;
  const HypothesisTrace& trace_;
  Clock::time_point start_ = Clock::now();
  Time limit_;
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

Extracted over_representatives(const Network& network, const Learners& learners,
                               const ExtractionOptions& options, const Budget& budget,
                               Progress& progress, const HypothesisTrace& trace) {
  return Rounds(network, learners, options, budget, progress, trace).run();
}

}  // namespace rnnalf
