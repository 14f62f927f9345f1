// A network whose numbers overflow answered again one symbol later, because max(x, 0) made 0 of
// NaN, and a DFA of 22 states "explained" all of it.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/text_report.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

/// h' = relu(growth h + x): h counts 1s until it is infinite, and its two units cancel in the head.
/// Accepts the words without a 1. From `infinite` symbols after the first 1 on, h is not finite.
NetworkSpec overflowing(double growth, std::size_t outputs = 1) {
  NetworkSpec spec;
  spec.file = "overflowing";
  spec.alphabet = Alphabet::numbered(2);
  RecurrentLayer layer;
  layer.hidden = 2;
  layer.input_weights = {2, 2, {0, 1, 0, 1}};
  layer.recurrent_weights = {2, 2, {growth, 0, 0, growth}};
  spec.step = graph_of({.cell = CellKind::ElmanRelu, .layers = {layer}});
  DenseLayer head;
  head.weights = {outputs, 2, std::vector<double>(2 * outputs, -1)};
  head.weights.values[1] = 0.5;
  head.bias = std::vector<double>(outputs, 0);
  head.bias[0] = 0.25;
  spec.head = {head};
  return spec;
}

/// 1000^13 is beyond the range of float: the state after 1 and 13 symbols more is infinite.
constexpr std::size_t kLastAnswered = 13;

Word ones(std::size_t count) {
  return Word(count, Symbol{1});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nan_became_an_answer)

BOOST_AUTO_TEST_CASE(a_network_that_overflowed_says_nothing_of_any_longer_word) {
  for (const std::size_t outputs : {1U, 3U}) {
    const Network network = make_network(overflowing(1000, outputs));
    std::vector<Word> words;
    for (std::size_t length = 0; length < 60; ++length) words.push_back(ones(length));
    const auto answers = classify(*network.acceptor, words);
    for (std::size_t length = 0; length < 60; ++length) {
      const bool answered = length <= kLastAnswered;
      BOOST_TEST((answers[length].answer != Answer::None) == answered, length);
      BOOST_TEST(std::isnan(answers[length].probability) == !answered, length);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_with_any_learner_leaves_words_without_an_answer_out_and_says_so_first) {
  const Network network = make_network(overflowing(1000));
  for (const LearnerInfo& learner : learners()) {
    BOOST_TEST_CONTEXT(learner.name) {
      ExtractionOptions options;
      options.learner = learner.name;
      options.threads = 1;
      options.time_limit = std::chrono::minutes(10);
      options.max_rounds = 20;
      options.plotted_r_states = 100;
      const Run run = Extraction(network, libalf_learners(), options).run();
      // 0* without the words that have no answer.
      BOOST_TEST(run.dfa().size() == 2U);
      for (const auto* words : {&run.counterexamples, &run.exceptions}) {
        for (const Counterexample& one : *words) BOOST_TEST((one.answer != Answer::None));
      }
      BOOST_TEST_REQUIRE(run.unanswered.has_value());
      BOOST_TEST(run.unanswered->size() == kLastAnswered + 1);
      BOOST_TEST((run.unanswered->front() == Symbol{1}));
      const std::string sentence = verdict_sentence(run);
      BOOST_TEST(sentence.find("The network gives no answer on ") != std::string::npos, sentence);
      BOOST_TEST(sentence.find("(14 symbols)") != std::string::npos, sentence);
      BOOST_TEST(extraction_text(run, {}).starts_with("A 2-state automaton agrees"));
      BOOST_TEST(nlohmann::json::parse(extraction_json(run))["unanswered"].size() ==
                 kLastAnswered + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_method_and_oracle_takes_a_network_that_overflows) {
  const Network network = make_network(overflowing(1000));
  const auto run = [&](ExtractionOptions options) {
    options.threads = 1;
    options.time_limit = std::chrono::minutes(10);
    const Run found = Extraction(network, libalf_learners(), options).run();
    // A baseline's partition may put this word together with others.
    if (found.options.method.method == Method::AbstractionRefinement) {
      BOOST_TEST((found.dfa().answer(ones(1)) == Answer::Reject));
    }
    BOOST_TEST(!extraction_text(found, {}).empty());
  };
  for (const char* method :
       {"quantization:q=2", "kmeans:k=3", "rpni:words=200", "biermann:words=60"}) {
    BOOST_TEST_CONTEXT(method) {
      ExtractionOptions options;
      options.method = parse_method(method);
      options.max_states = 50;
      run(options);
    }
  }
  for (const char* oracle :
       {"samples", "abstraction", "pumping:words=200", "random", "state-prefix", "transition-focus",
        "random-w", "w-method", "wp-method", "exhaustive:words=2000", "pac", "margin"}) {
    BOOST_TEST_CONTEXT(oracle) {
      ExtractionOptions options;
      options.oracles = parse_oracles(oracle);
      options.max_rounds = 4;
      run(options);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_evaluation_counts_words_with_an_answer_alone) {
  const Network network = make_network(overflowing(1000));
  Dfa dfa(2, 2);
  dfa.set_accepting(LState{0}, true);
  for (const LState state : {LState{0}, LState{1}}) {
    dfa.set_next(state, Symbol{0}, state);
    dfa.set_next(state, Symbol{1}, LState{1});
  }
  const Evaluation found =
      evaluate(network, dfa, nullptr, {.lengths = {5, 100}, .per_length = 50}, Budget());
  BOOST_TEST(found.by_length[0].agreement.words == 50U);
  BOOST_TEST(found.by_length[0].agreement.network_dfa == 50U);
  BOOST_TEST(found.by_length[1].agreement.words == 0U);
  BOOST_TEST(found.disagreements.empty());
  BOOST_TEST(found.unanswered.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
