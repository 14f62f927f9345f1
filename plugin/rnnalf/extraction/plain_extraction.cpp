#include "rnnalf/extraction/plain_extraction.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/evaluate/families.hpp"
#include "rnnalf/evaluate/r_state_plot.hpp"
#include "rnnalf/extraction/learning_loop.hpp"
#include "rnnalf/extraction/measuring.hpp"
#include "rnnalf/extraction/passive.hpp"
#include "rnnalf/extraction/setting.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

constexpr Time kTimeToPlot{0.5};

Learned learn_by_asking(Setting& setting, Teacher& teacher, Measuring& measuring) {
  teacher.tree().watch(setting.progress);
  teacher.tree().charge(setting.learning);
  const LearningWatch watch{.hypothesis =
                                [&](std::size_t number, const HypothesisRecord& hypothesis) {
                                  if (setting.trace) setting.trace(number, hypothesis);
                                  return measuring.add(number, hypothesis.dfa);
                                },
                            .counterexample =
                                [&](std::size_t number, const Counterexample& found) {
                                  return measuring.refute(number, found);
                                }};
  const std::unique_ptr<Learner> learner = setting.learners.make(
      setting.options.learner, teacher.alphabet().size(), teacher.answer_count());
  ExtractionOptions options = setting.options;
  options.samples = setting.samples;  // those held back judge the result
  if (options.samples.empty()) options.samples = setting.rare_words().words.words;
  Learned learned = learn(teacher, *learner, options, setting.learning, setting.progress, watch);
  learned.statistics.seconds -= measuring.seconds();
  learned.unanswered = teacher.tree().unanswered();
  learned.cut_short = setting.learning.cut_short();
  return learned;
}

/// A baseline has one hypothesis.
Learned learn_by_baseline(Setting& setting) {
  const ExtractionOptions& options = setting.options;
  const double cpu_start = cpu_seconds();
  StateTree tree(*setting.network.acceptor, tree_options(setting.network, options));
  tree.watch(setting.progress);
  tree.charge(setting.learning);
  BaselineOptions wanted{
      .words = options.samples, .memory = options.memory_limit, .seed = options.seed};
  if (options.max_states) wanted.max_states = *options.max_states;
  if (options.max_steps) wanted.max_steps = *options.max_steps;
  BaselineResult result =
      options.method.is_passive()
          ? learn_from_answers(tree, options.method, wanted, setting.learners, setting.learning)
          : run_baseline(tree, options.method, wanted, setting.learning);
  Learned learned{.evidence = std::move(result.evidence),
                  .covered = result.automaton.covered(),
                  .coverage = std::move(result.coverage),
                  .statistics = {.rnn_steps = tree.stats().steps,
                                 .rnn_steps_recomputed = tree.stats().recomputed,
                                 .a_states = result.automaton.a_states,
                                 .seconds = setting.passed(),
                                 .seconds_cpu = cpu_seconds() - cpu_start,
                                 .seconds_network = tree.stats().seconds},
                  .cut_short = setting.learning.cut_short()};
  if (!result.complete) {
    const Limit limit = setting.learning.limit();
    learned.limit = result.limit != Limit::None ? result.limit
                    : limit != Limit::None      ? limit
                                                : Limit::States;
  }
  learned.hypotheses.push_back(
      {minimise(result.automaton.dfa), learned.statistics.seconds, std::nullopt});
  learned.unanswered = tree.unanswered();
  if (setting.trace) setting.trace(0, learned.hypotheses.front());
  return learned;
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

/// The result; the last hypothesis where nothing was measured.
Chosen choose(const Setting& setting, const Learned& learned, const Measured& measured) {
  if (!measured.ladder) return {.hypothesis = learned.last()};
  const Ladder& ladder = *measured.ladder;
  const std::size_t result = ladder.result().hypothesis;
  Chosen chosen{.hypothesis = result,
                .ladder = ladder.front(),
                .met = ladder.yardstick().met(),
                .unstable = ladder.unstable(),
                .empty = without_empty_word(learned.hypotheses.at(result).dfa)};
  for (std::size_t answer = 0; answer < chosen.met.size(); ++answer) {
    if (chosen.met[answer].words < kFewWords) chosen.unseen.push_back(static_cast<Answer>(answer));
  }
  if (!setting.options.samples.empty()) {
    chosen.given = {.words = setting.options.samples.size(),
                    .held_back = setting.held_back.size(),
                    .constant = ladder.best_constant(),
                    .explained = ladder.explains_given()};
  }
  return chosen;
}

/// Known words on which the result is wrong, shortlex order: those that the oracles found now,
/// those that refuted hypotheses before, and those of the yardstick.
std::vector<Counterexample> exceptions(const Dfa& result, std::span<const Counterexample> found,
                                       std::span<const Counterexample> before,
                                       const Yardstick& yardstick, const StateTree& tree) {
  std::map<Word, Counterexample, ShortlexLess> all;
  const auto keep = [&](std::span<const Counterexample> words) {
    for (const Counterexample& one : words) {
      if (result.answer(one.word) != one.answer) all.emplace(one.word, one);
    }
  };
  keep(found);
  keep(before);
  keep(run_alone(yardstick.exceptions(result, kMostExceptions), result, tree));
  std::vector<Counterexample> list;
  for (auto& [word, one] : all) list.push_back(std::move(one));
  return list;
}

/// What the oracles say of the result, its exceptions, and the rules behind them. A baseline has no
/// teacher: its own evidence stays.
Examined examine(Setting& setting, const Learned& learned, const Chosen& chosen,
                 const Measured& measured, Teacher* teacher) {
  const Dfa& result = learned.hypotheses.at(chosen.hypothesis).dfa;
  const StateTree& asked = teacher != nullptr ? teacher->tree() : setting.measuring_tree();
  const std::uint64_t before = asked.stats().steps;
  Examined examined{.evidence = learned.evidence};
  std::vector<Counterexample> found;
  const bool was_asked = chosen.hypothesis == learned.last() && learned.is_unrefuted();
  if (teacher != nullptr && !setting.options.exact && !was_asked) {
    setting.progress.activity = "checking the result";
    Budget budget;
    setting.restrict(budget, setting.all, setting.remaining(2.0 / 3));
    examined.evidence.clear();
    for (EquivalenceAnswer& answer : teacher->examine(result, budget)) {
      for (Evidence& part : answer.evidence) examined.evidence.push_back(std::move(part));
      if (answer.counterexample) found.push_back(std::move(*answer.counterexample));
    }
    examined.cut_short = budget.cut_short();
    examined.steps = asked.stats().steps - before;
  }
  if (!measured.ladder) return examined;
  examined.exceptions = exceptions(result, found, learned.counterexamples,
                                   measured.ladder->yardstick(), setting.measuring_tree());
  if (examined.exceptions.size() > kMostExceptions) examined.exceptions.resize(kMostExceptions);
  Budget budget;
  setting.restrict(budget, setting.all, setting.remaining(1.0));
  examined.families = families(examined.exceptions, result, setting.measuring_tree(),
                               {.seed = setting.options.seed}, budget);
  examined.cut_short = examined.cut_short || budget.cut_short();
  examined.steps = asked.stats().steps - before;
  return examined;
}

/// What learning took, and what followed it.
RunStatistics all_work(const Setting& setting, const Learned& learned, const Measured& measured,
                       const Examined& examined) {
  RunStatistics all = learned.statistics;
  all.rnn_steps_choosing = measured.steps + examined.steps;
  all.seconds_choosing = setting.passed() - all.seconds;
  return all;
}

RStatePlot plot(const ExtractionOptions& options, Teacher& teacher, const Dfa& result,
                const Budget& budget) {
  if (options.plotted_r_states == 0) return {};
  const auto explorations = teacher.explorations();
  return r_state_plot(teacher.tree(), explorations.empty() ? nullptr : explorations.front().get(),
                      result, options.plotted_r_states, budget);
}

TeacherOptions teaching(Setting& setting) {
  const ExtractionOptions& options = setting.options;
  StateTreeOptions states = tree_options(setting.network, options);
  states.unsure = options.unsure;
  return {.states = states,
          .oracles = options.oracles,
          .mode = options.oracle_mode,
          .seed = options.seed,
          .samples = setting.samples,
          .found = setting.rare_words().words.words};
}

/// The shortest word that the network said nothing of when it was learned from or measured.
std::optional<Word> unanswered(Setting& setting, const Learned& learned, const Measured& measured) {
  if (!measured.ladder) return learned.unanswered;
  std::optional<Word> word = setting.measuring_tree().unanswered();
  const bool is_shorter =
      word && (!learned.unanswered || shortlex_less(*word, *learned.unanswered));
  return is_shorter ? word : learned.unanswered;
}

/// What a stage returns that only adds to the result; where the system has no memory for it,
/// `without`.
template <class Stage, class Value>
Value where_memory_allows(Stage stage, Value without, bool& out_of_memory) {
  try {
    return stage();
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
    return without;
  }
}

}  // namespace

Extracted plain_extraction(const Network& network, const Learners& learners,
                           const ExtractionOptions& options, const Budget& budget,
                           Progress& progress, const HypothesisTrace& trace) {
  Setting setting(network, learners, options, budget, progress, trace);
  std::optional<Teacher> teacher;
  if (options.method.method == Method::AbstractionRefinement) {
    teacher.emplace(*network.acceptor, network.summary.alphabet, teaching(setting));
  }
  Measuring measuring(setting);
  Learned learned =
      teacher ? learn_by_asking(setting, *teacher, measuring) : learn_by_baseline(setting);
  bool out_of_memory = false;
  const Measured measured = where_memory_allows(
      [&] { return std::move(measuring).finish(learned); }, Measured(), out_of_memory);
  Chosen chosen = where_memory_allows([&] { return choose(setting, learned, measured); },
                                      Chosen{.hypothesis = learned.last()}, out_of_memory);
  Examined examined = where_memory_allows(
      [&] { return examine(setting, learned, chosen, measured, teacher ? &*teacher : nullptr); },
      Examined(), out_of_memory);
  const RunStatistics work = all_work(setting, learned, measured, examined);
  const Budget plotting(std::min(setting.remaining(1.0), kTimeToPlot));
  RStatePlot points;
  if (teacher) {
    const Dfa& result = learned.hypotheses.at(chosen.hypothesis).dfa;
    points = where_memory_allows([&] { return plot(options, *teacher, result, plotting); },
                                 RStatePlot(), out_of_memory);
  }
  if (out_of_memory && learned.limit == Limit::None) learned.limit = Limit::Memory;
  const bool cut_short = learned.cut_short || measured.cut_short || examined.cut_short ||
                         plotting.cut_short() || out_of_memory;
  std::optional<Word> without_answer = unanswered(setting, learned, measured);
  return {.learned = std::move(learned),
          .chosen = std::move(chosen),
          .examined = std::move(examined),
          .plot = std::move(points),
          .statistics = work,
          .cut_short = cut_short,
          .unanswered = std::move(without_answer)};
}

}  // namespace rnnalf
