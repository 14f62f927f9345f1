#include "rnnalf/libalf/large_alphabet.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/evaluate/alike_symbols.hpp"
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

/// A run over groups as one over symbols. What was complete for groups is not for symbols.
void translate(Run& run, const SymbolGroups& groups) {
  const auto to_symbols = [&](Word& word) { word = groups.with_symbols(word); };
  for (HypothesisRecord& hypothesis : run.hypotheses) {
    hypothesis.dfa = groups.with_symbols(hypothesis.dfa);
  }
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
}

constexpr std::size_t kMostExceptions = 50;

/// What comparing the other symbols with their representatives says of the result.
void add_check(Run& run, const SymbolGroups& groups, const std::optional<AlikeCheck>& check,
               const StateTree& tree) {
  Evidence evidence{.oracle = "alike-symbols",
                    .end = Evidence::End::Stopped,
                    .looked_at = AlikeSymbols{.symbols = groups.symbol_count(),
                                              .groups = groups.size(),
                                              .differing = check ? check->differing : 0}};
  if (check) {
    evidence.words_tested = check->words;
    evidence.end = Evidence::End::NoneFound;
    if (!check->exceptions.empty()) {
      evidence.end = Evidence::End::Counterexample;
      evidence.counterexample_length = check->exceptions.front().size();
      // The result is not without a counterexample any more, but going on would not end.
      if (run.limit == Limit::None) run.settled = true;
    }
    for (Counterexample& one : with_probabilities(check->exceptions, tree)) {
      one.oracle = "alike-symbols";
      if (run.target) one.target = run.target->answer(one.word);
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

}  // namespace

std::optional<Run> run_over_representatives(const Network& network,
                                            const ExtractionOptions& options,
                                            const std::optional<Dfa>& target, const Budget& budget,
                                            Progress* progress, const Extraction::Trace& trace) {
  const std::size_t symbols = network.acceptor->symbol_count();
  if (options.alike_symbols == 0 || symbols <= options.alike_symbols) return std::nullopt;
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start); };
  double cpu_comparing = 0;  // what extractions over representatives do not count themselves
  const auto counting_cpu = [&](const auto& work) {
    const double begun = cpu_seconds();
    auto result = work();
    cpu_comparing += cpu_seconds() - begun;
    return result;
  };
  Budget whole;
  whole.part_of(budget);
  whole.restrict_time(options.time_limit);
  StateTree tree(*network.acceptor, {.memory = options.memory_limit / 16,
                                     .threads = static_cast<unsigned>(options.threads),
                                     .empty_word = network.empty_word});
  if (progress != nullptr) {
    progress->activity = "comparing symbols";
    tree.watch(*progress);
  }
  const AlikeOptions alike{.seed = options.seed};
  std::optional<SymbolGroups> groups =
      counting_cpu([&] { return group_by_behaviour(tree, alike, whole); });
  RunStatistics earlier;  // of rounds whose groups were too coarse
  for (int round = 1; groups && groups->size() * kSharePerGroup <= symbols; ++round) {
    ExtractionOptions inner = options;
    inner.alike_symbols = 0;
    inner.time_limit = options.time_limit - passed();
    if (inner.time_limit.count() <= 0) return std::nullopt;
    for (Word& word : inner.samples) word = groups->with_groups(word);
    const SymbolGroups now = *groups;
    Extraction::Trace traced;
    if (trace) {
      traced = [&](std::size_t number, const HypothesisRecord& hypothesis) {
        HypothesisRecord shown = hypothesis;
        shown.dfa = now.with_symbols(hypothesis.dfa);
        trace(number, shown);
      };
    }
    std::optional<Dfa> meant;
    if (target) meant = now.with_groups(*target);
    Run run = Extraction(over_groups(network, now), inner, meant).run(budget, progress, traced);

    // The result as it is, if there is no time to look at the other symbols.
    std::optional<AlikeCheck> check;
    if (run.limit == Limit::None || run.limit == Limit::Rounds || run.limit == Limit::Queries ||
        run.limit == Limit::States) {
      check = counting_cpu(
          [&] { return refine_groups(*groups, tree, run.dfa(), options.samples, alike, whole); });
    }
    const bool again = check && check->groups_added > 0 && round < kMostRounds;
    if (again) {
      add_work(earlier, run.statistics);
      continue;
    }
    translate(run, now);
    run.target = target;
    add_check(run, now, check, tree);
    run.network = network.summary;
    run.options = options;
    add_work(run.statistics, earlier);
    run.statistics.rnn_steps += tree.stats().steps;
    run.statistics.rnn_steps_recomputed += tree.stats().recomputed;
    run.statistics.seconds_network += tree.stats().seconds;
    run.statistics.seconds_cpu += cpu_comparing;
    run.statistics.seconds = passed().count() - run.statistics.seconds_choosing;
    return run;
  }
  return std::nullopt;
}

}  // namespace rnnalf
