#include "support/sample_runs.hpp"

#include <utility>

#include "support/coded_dfa.hpp"

namespace rnnalf::support {
namespace {

Word word(std::initializer_list<unsigned> symbols) {
  Word result;
  for (const unsigned symbol : symbols) result.push_back(static_cast<Symbol>(symbol));
  return result;
}

/// Accepts the words with an even number of the first symbol.
Dfa even_zeros() {
  Dfa dfa(2, 2);
  dfa.set_accepting(LState{0}, true);
  dfa.set_next(LState{0}, Symbol{0}, LState{1});
  dfa.set_next(LState{1}, Symbol{0}, LState{0});
  return dfa;
}

/// Agrees on this share of the words of 1 to 30 symbols.
Rung made_up_rung(std::size_t hypothesis, std::size_t states, std::size_t horizon, double share) {
  Rung rung{.hypothesis = hypothesis, .states = states, .horizon = horizon};
  rung.assured = horizon == 0 ? 0 : 0.9954;
  for (std::size_t length = 1; length <= 30; ++length) {
    rung.agreement.uniform.push_back(
        {.length = length, .words = 1000, .agreed = static_cast<std::uint64_t>(1000 * share)});
  }
  rung.agreement.pumped = {
      .length = 0, .words = 100, .agreed = static_cast<std::uint64_t>(100 * share)};
  return rung;
}

Dfa everything() {
  Dfa dfa(2);
  dfa.set_accepting(LState{0}, true);
  return dfa;
}

}  // namespace

Run small_run() {
  return small_run_over(Alphabet({"0", "1"}));
}

Run small_run_over(Alphabet alphabet) {
  Run run;
  run.network = {.file = "examples/networks/tomita5_gru100.onnx",
                 .cell = "gru",
                 .layers = 1,
                 .hidden = 100,
                 .state_size = 100,
                 .alphabet = std::move(alphabet)};
  run.options.samples = {word({1, 0}), word({0, 0})};
  run.evidence = {{.oracle = "samples",
                   .words_tested = 2,
                   .looked_at = WordsCompared{.kind = WordsCompared::Kind::Sample}},
                  {.oracle = "abstraction",
                   .words_tested = 171,
                   .looked_at = LockstepWalk{.a_states = 17, .r_states = 171, .depth = 10}},
                  {.oracle = "random",
                   .words_tested = 12000,
                   .looked_at = WordsCompared{.kind = WordsCompared::Kind::Random, .longest = 30}}};
  run.hypotheses = {
      {everything(), 0.25, 0},
      {even_zeros(), 0.5, 1},
      {tomita(5), 1.5, std::nullopt},
  };
  run.ladder = {made_up_rung(0, 1, 0, 0.5), made_up_rung(1, 2, 0, 0.75),
                made_up_rung(2, 4, 30, 1.0)};
  run.recommended = 2;
  run.exceptions = {{.word = word({0, 0, 1, 1, 0, 1, 0, 1}), .probability = 0.4375}};
  run.counterexamples = {
      {.word = word({0}),
       .target = Answer::Reject,
       .oracle = "samples",
       .at_seconds = 0.3125,
       .seconds = 0.0625},
      {.word = word({1, 1, 0, 1, 0}),
       .answer = Answer::Accept,
       .target = Answer::Reject,
       .oracle = "abstraction",
       .pumped = PumpedWord{word({1}), word({1, 0}), 2, {}},
       .at_seconds = 0.75,
       .seconds = 0.25},
  };
  run.target = tomita(5);
  run.statistics = {.membership_queries = 57,
                    .equivalence_queries = 3,
                    .rnn_steps = 12904,
                    .rnn_steps_recomputed = 0,
                    .refinements = 12,
                    .failed_splits = 1,
                    .a_states = 17,
                    .peak_memory_bytes = 12'000'000,
                    .seconds = 2.5,
                    .seconds_cpu = 2.25,
                    .seconds_learner = 0.125,
                    .seconds_oracle = 1.75,
                    .seconds_network = 0.5,
                    .seconds_svm = 0.125};
  return run;
}

Run moore_run() {
  Dfa counter(2, 3, 3);
  for (const std::uint32_t q : {0U, 1U, 2U}) {
    counter.set_answer(LState{q}, static_cast<Answer>((q + 2) % 3));
    counter.set_next(LState{q}, Symbol{1}, LState{(q + 1) % 3});
  }
  Run run = small_run();
  run.network.answers = 3;
  for (HypothesisRecord& hypothesis : run.hypotheses) hypothesis.dfa = counter;
  run.target = counter;
  for (auto* words : {&run.counterexamples, &run.exceptions}) {
    for (Counterexample& one : *words) {
      one.answer = Answer{2};
      one.target = Answer{0};
    }
  }
  for (Family& family : run.families) family.answer = Answer{2};
  return run;
}

Run large_run(std::size_t states, std::size_t symbols, std::uint64_t seed) {
  Random random(seed);
  Run run;
  run.network = {.file = "large.onnx",
                 .cell = "lstm",
                 .layers = 2,
                 .hidden = 50,
                 .state_size = 200,
                 .alphabet = Alphabet::numbered(symbols)};
  run.options.seed = seed;
  run.limit = Limit::Time;
  double at = 0;
  for (std::size_t size = 1; size < states; size += 1 + size / 4) {
    run.hypotheses.push_back({random_minimal_dfa(size, symbols, random), at, std::nullopt});
    at += 0.5;
  }
  run.hypotheses.push_back({random_minimal_dfa(states, symbols, random), at, std::nullopt});
  for (std::size_t i = 0; i < run.hypotheses.size(); ++i) {
    HypothesisRecord& hypothesis = run.hypotheses[i];
    const double share = static_cast<double>(i + 1) / static_cast<double>(run.hypotheses.size());
    if (i % 4 == 0 || i + 1 == run.hypotheses.size()) {
      run.ladder.push_back(made_up_rung(i, hypothesis.dfa.size(), 0, 0.5 + share / 4));
    }
    if (i + 1 == run.hypotheses.size()) break;
    Word long_word;
    for (std::size_t k = 0; k < 5 + i; ++k) {
      long_word.push_back(static_cast<Symbol>(random.below(symbols)));
    }
    hypothesis.refuted_by = i;
    const bool accepted = !hypothesis.dfa.accepts(long_word);
    run.counterexamples.push_back({.word = long_word,
                                   .answer = accept_if(accepted),
                                   .target = accept_if(random.below(3) > 0),
                                   .oracle = "abstraction",
                                   .at_seconds = hypothesis.at_seconds + 0.25,
                                   .seconds = 0.25});
  }
  run.recommended = run.hypotheses.size() - 1;
  run.statistics.seconds = at;
  run.statistics.membership_queries = 12345;
  run.statistics.equivalence_queries = run.hypotheses.size();
  return run;
}

}  // namespace rnnalf::support
