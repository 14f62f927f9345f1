// Laws of a whole extraction, on acceptors of exactly known language and on random networks, for
// every learner.

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/extraction/learning_loop.hpp"
#include "rnnalf/libalf/glue.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;
constexpr const char* kOracles =
    "samples,abstraction,pumping:words=500,random:per-length=100:max-length=14";

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners()) names.emplace_back(info.name);
  return names;
}

Learned run_on(const RnnAcceptor& acceptor, const TeacherOptions& teaching,
               const ExtractionOptions& options, const Budget& budget = kNoLimit) {
  const Alphabet alphabet = Alphabet::numbered(acceptor.symbol_count());
  Teacher teacher(acceptor, alphabet, teaching);
  Progress progress;
  Budget charged;
  charged.part_of(budget);
  if (options.max_steps) charged.restrict_steps(*options.max_steps);
  teacher.tree().charge(charged);
  const auto learner =
      libalf_learners().make(options.learner, teacher.alphabet().size(), teacher.answer_count());
  return learn(teacher, *learner, options, charged, progress);
}

const Dfa& last(const Learned& run) {
  return run.hypotheses.back().dfa;
}

/// Every counterexample separates the network from the hypothesis it refuted, checked by running it
/// afresh. What is wrong, or nothing.
std::string wrong_counterexample(const Learned& run, const RnnAcceptor& acceptor) {
  for (const HypothesisRecord& hypothesis : run.hypotheses) {
    if (!hypothesis.refuted_by) continue;
    const Counterexample& refutation = run.counterexamples.at(*hypothesis.refuted_by);
    StateTree fresh(acceptor, {});
    const Node node = fresh.add(refutation.word);
    RNNALF_HOLDS(fresh.compute({&node, 1}, kNoLimit));
    RNNALF_HOLDS(fresh.answer(node) == refutation.answer);
    RNNALF_HOLDS(hypothesis.dfa.answer(refutation.word) != refutation.answer);
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extraction_laws)

BOOST_AUTO_TEST_CASE(every_learner_finds_the_minimal_dfa_of_a_known_language) {
  support::SeededRandom random(21);
  for (std::uint64_t world = 0; world < 24; ++world) {
    const Dfa dfa =
        world < 7 ? support::tomita(static_cast<int>(world) + 1)
                  : support::random_minimal_dfa(1 + random.below(14), 1 + random.below(4), random);
    const std::size_t dimensions = 3 + random.below(4);
    for (const std::string& learner : learner_names()) {
      BOOST_TEST_CONTEXT("world " << world << ", " << learner) {
        support::check_law(dfa, [&](const Dfa& drawn) -> std::string {
          const Dfa language = minimise(drawn);
          const support::CodedDfa acceptor(language, dimensions, 0.3, world);
          const Learned run =
              run_on(acceptor, {.oracles = parse_oracles(kOracles)}, {.learner = learner});
          RNNALF_HOLDS(run.limit == Limit::None);
          RNNALF_HOLDS(last(run) == language);
          // No hypothesis has more states than the language needs; NL*'s are nondeterministic, and
          // only the last is promised to be small.
          for (const HypothesisRecord& hypothesis : run.hypotheses) {
            RNNALF_HOLDS(learner == "nlstar" || hypothesis.dfa.size() <= language.size());
          }
          return wrong_counterexample(run, acceptor);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_learner_of_moore_machines_finds_the_minimal_one) {
  support::SeededRandom random(25);
  for (std::uint64_t world = 0; world < 16; ++world) {
    const Dfa machine = support::random_minimal_dfa(2 + random.below(12), 1 + random.below(3),
                                                    random, 3 + random.below(4));
    const std::size_t dimensions = 3 + random.below(4);
    for (const LearnerInfo& learner : learners()) {
      if (!learner.moore) {
        BOOST_CHECK_THROW(require_learner(learner.name, machine.answer_count()), OptionError);
        continue;
      }
      BOOST_TEST_CONTEXT("world " << world << ", " << learner.name) {
        support::check_law(machine, [&](const Dfa& drawn) -> std::string {
          const Dfa minimal = minimise(drawn);
          const support::CodedDfa acceptor(minimal, dimensions, 0.3, world);
          const Learned run = run_on(acceptor, {.oracles = parse_oracles(kOracles)},
                                     {.learner = std::string(learner.name)});
          RNNALF_HOLDS(run.limit == Limit::None);
          RNNALF_HOLDS(last(run) == minimal);
          for (const HypothesisRecord& hypothesis : run.hypotheses) {
            RNNALF_HOLDS(hypothesis.dfa.size() <= minimal.size());
          }
          return wrong_counterexample(run, acceptor);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(words_with_tokens_around_them_have_the_language_between_the_tokens) {
  support::SeededRandom random(24);
  for (std::uint64_t world = 0; world < 20; ++world) {
    const std::size_t symbols = 3 + random.below(2);
    const Dfa drawn = support::random_minimal_dfa(2 + random.below(10), symbols, random);
    // Words over the symbols 1 and 0, in this order, between other ones.
    Presentation shown{.begin = support::random_word(symbols, random.below(3), random),
                       .end = support::random_word(symbols, random.below(3), random),
                       .over = {Symbol{1}, Symbol{0}},
                       .alphabet = Alphabet::numbered(2)};
    const std::size_t dimensions = 3 + random.below(4);
    support::check_law(drawn, [&](const Dfa& dfa) -> std::string {
      Dfa between(2, dfa.size());
      between.set_initial(dfa.run(shown.begin));
      for (std::size_t q = 0; q < dfa.size(); ++q) {
        const auto state = static_cast<LState>(q);
        between.set_accepting(state, dfa.accepts(dfa.run(state, shown.end)));
        between.set_next(state, Symbol{0}, dfa.next(state, Symbol{1}));
        between.set_next(state, Symbol{1}, dfa.next(state, Symbol{0}));
      }
      const auto acceptor = make_presented_acceptor(
          std::make_unique<support::CodedDfa>(dfa, dimensions, 0.3, world), shown);
      const Learned run = run_on(*acceptor, {.oracles = parse_oracles(kOracles)},
                                 {.learner = learner_names()[world % learner_names().size()]});
      RNNALF_HOLDS(run.limit == Limit::None);
      RNNALF_HOLDS(last(run) == minimise(between));
      return wrong_counterexample(run, *acceptor);
    });
  }
}

BOOST_AUTO_TEST_CASE(the_published_method_finds_it_too) {
  support::SeededRandom random(22);
  for (std::uint64_t world = 0; world < 20; ++world) {
    const Dfa drawn = support::random_minimal_dfa(2 + random.below(8), 2, random);
    support::check_law(drawn, [&](const Dfa& candidate) -> std::string {
      const Dfa dfa = minimise(candidate);
      if (dfa.size() == 1) return "";
      const support::CodedDfa acceptor(dfa, 4, 0.2, world);
      const Learned run = run_on(
          acceptor,
          {.oracles = parse_oracles("samples,abstraction:depth=4:depth-limit=4:samples=0")},
          {.learner = "lstar", .use_known_answers = false, .shorten_counterexamples = false});
      RNNALF_HOLDS(last(run).size() <= dfa.size());
      return wrong_counterexample(run, acceptor);
    });
  }
}

BOOST_AUTO_TEST_CASE(nothing_depends_on_batch_size_threads_or_memory) {
  support::SeededRandom random(23);
  for (std::uint64_t world = 0; world < 10; ++world) {
    const auto drawn = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                                .symbols = 2 + world % 2,
                                                .hidden = 6,
                                                .layers = 1 + world % 2,
                                                .initial_states = true},
                                               random);
    const std::string learner = learner_names()[world % learner_names().size()];
    const ExtractionOptions options{
        .learner = learner,
        .max_states = 25,
        .max_queries = 20000,
        .max_rounds = 12,
        .max_steps =
            world % 3 == 0 ? std::optional<std::uint64_t>(500 + 400 * world) : std::nullopt};
    const auto with = [&](const RnnAcceptor& acceptor, const StateTreeOptions& states) {
      return run_on(
          acceptor,
          {.states = states,
           .oracles = parse_oracles(
               "samples,abstraction:depth=4,pumping:words=200,random:per-length=20:max-length=12"),
           .seed = world},
          options);
    };
    support::check_law(drawn, [&](const NetworkSpec& spec) -> std::string {
      const auto acceptor = make_acceptor(spec);
      const Learned plain = with(*acceptor, {});
      if (const auto wrong = wrong_counterexample(plain, *acceptor); !wrong.empty()) return wrong;
      const StateTreeOptions variants[] = {{.batch = 1},
                                           {.batch = 17, .threads = 2},
                                           {.memory = 1U << 20U, .threads = 4},
                                           {.memory = 4000, .batch = 64}};
      for (const StateTreeOptions& states : variants) {
        const Learned other = with(*acceptor, states);
        RNNALF_HOLDS(other.limit == plain.limit);
        RNNALF_HOLDS(other.hypotheses.size() == plain.hypotheses.size());
        for (std::size_t i = 0; i < plain.hypotheses.size(); ++i) {
          RNNALF_HOLDS(other.hypotheses[i].dfa == plain.hypotheses[i].dfa);
        }
        RNNALF_HOLDS(other.counterexamples.size() == plain.counterexamples.size());
        for (std::size_t i = 0; i < plain.counterexamples.size(); ++i) {
          RNNALF_HOLDS(other.counterexamples[i].word == plain.counterexamples[i].word);
          RNNALF_HOLDS(other.counterexamples[i].oracle == plain.counterexamples[i].oracle);
        }
        RNNALF_HOLDS(other.statistics.membership_queries == plain.statistics.membership_queries);
        RNNALF_HOLDS(other.statistics.equivalence_queries == plain.statistics.equivalence_queries);
        RNNALF_HOLDS(other.statistics.rnn_steps == plain.statistics.rnn_steps);
        RNNALF_HOLDS(other.statistics.refinements == plain.statistics.refinements);
        RNNALF_HOLDS(other.statistics.a_states == plain.statistics.a_states);
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(every_limit_ends_the_run_with_the_last_hypothesis_and_its_own_name) {
  // Counting modulo 40 needs 40 states, so small limits are always reached.
  Dfa counter(2, 40);
  for (std::uint32_t q = 0; q < 40; ++q) {
    counter.set_accepting(LState{q}, q == 0);
    counter.set_next(LState{q}, Symbol{0}, LState{(q + 1) % 40});
    counter.set_next(LState{q}, Symbol{1}, LState{(q + 7) % 40});
  }
  const support::CodedDfa acceptor(counter, 5, 0.1, 3);
  for (const std::string& learner : learner_names()) {
    const Learned states = run_on(acceptor, {}, {.learner = learner, .max_states = 7});
    BOOST_TEST((states.limit == Limit::States));
    BOOST_TEST(last(states).size() <= 7U);
    const Learned rounds = run_on(acceptor, {}, {.learner = learner, .max_rounds = 1});
    BOOST_TEST((rounds.limit == Limit::Rounds));
    BOOST_TEST(rounds.statistics.equivalence_queries == 1U);
    const Learned steps = run_on(acceptor, {}, {.learner = learner, .max_steps = 100});
    BOOST_TEST((steps.limit == Limit::Steps));
    BOOST_TEST(steps.statistics.rnn_steps >= 100U);
    const Learned queries = run_on(acceptor, {}, {.learner = learner, .max_queries = 30});
    BOOST_TEST((queries.limit == Limit::Queries));
    BOOST_TEST(queries.statistics.membership_queries <= 30U);
    Budget interrupted;
    interrupted.interrupt();
    const Learned stopped = run_on(acceptor, {}, {.learner = learner}, interrupted);
    BOOST_TEST((stopped.limit == Limit::Interrupt));
    BOOST_TEST(stopped.hypotheses.size() == 1U);
    BOOST_TEST(last(stopped).accepts(Word{}));  // all that is known: the empty word is accepted
    const Budget no_time{std::chrono::duration<double>(0)};
    BOOST_TEST((run_on(acceptor, {}, {.learner = learner}, no_time).limit == Limit::Time));
  }
}

BOOST_AUTO_TEST_CASE(a_shortened_counterexample_still_separates_and_is_never_longer) {
  support::SeededRandom random(24);
  for (std::uint64_t world = 0; world < 60; ++world) {
    const Dfa language = support::random_minimal_dfa(2 + random.below(10), 2, random);
    const Dfa hypothesis = support::random_minimal_dfa(1 + random.below(5), 2, random);
    const std::vector<Word> words = {support::random_word(2, 60, random)};
    const support::CodedDfa acceptor(language, 4, 0.2, world);
    StateTree tree(acceptor, {});
    support::check_law(words, [&](const std::vector<Word>& given) -> std::string {
      for (const Word& word : given) {
        if (language.accepts(word) == hypothesis.accepts(word)) continue;
        const Word less = shortened(word, hypothesis, tree, kNoLimit);
        RNNALF_HOLDS(language.accepts(less) != hypothesis.accepts(less));
        RNNALF_HOLDS(less.size() <= word.size());
        // No single loop of the hypothesis is left that could be cut out.
        for (std::size_t i = 0; i < less.size(); ++i) {
          for (std::size_t j = i + 1; j <= less.size(); ++j) {
            const WordView head = WordView(less).first(i);
            if (hypothesis.run(head) != hypothesis.run(WordView(less).first(j))) continue;
            const Word cut = concat(head, WordView(less).subspan(j));
            RNNALF_HOLDS(language.accepts(cut) == hypothesis.accepts(cut));
          }
        }
      }
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(the_glue_answers_a_libalf_loop_of_ones_own) {
  const support::CodedDfa acceptor(support::tomita(3), 4, 0.2, 9);
  const Alphabet alphabet = Alphabet::parse("01");
  Teacher teacher(acceptor, alphabet, {});
  for (const std::string& name : learner_names()) {
    libalf::knowledgebase<bool> knowledge;
    const auto learner = make_learner(name, &knowledge, 2);
    Dfa found(2);
    for (int round = 0; round < 1000; ++round) {
      const std::unique_ptr<libalf::conjecture> conjecture(learner->advance());
      if (!conjecture) {
        const int pending = knowledge.count_queries();
        BOOST_TEST(rnn_alf_glue::answer_knowledgebase(teacher, knowledge) == pending);
        BOOST_TEST(knowledge.is_answered());
        continue;
      }
      std::list<int> counterexample;
      if (rnn_alf_glue::equivalence_query(teacher, conjecture.get(), counterexample)) {
        found = to_dfa(*conjecture);
        break;
      }
      BOOST_TEST(rnn_alf_glue::membership_query(teacher, counterexample) ==
                 support::tomita(3).accepts(from_libalf(counterexample)));
      learner->add_counterexample(counterexample);
    }
    BOOST_TEST((found == support::tomita(3)), name);
  }
}

BOOST_AUTO_TEST_CASE(the_glue_refuses_letters_and_conjectures_it_cannot_use) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.2, 9);
  const Alphabet alphabet = Alphabet::parse("01");
  Teacher teacher(acceptor, alphabet, {});
  BOOST_CHECK_THROW(rnn_alf_glue::membership_query(teacher, {0, 2}), std::invalid_argument);
  BOOST_CHECK_THROW(rnn_alf_glue::membership_query(teacher, {-1}), std::invalid_argument);
  std::list<int> counterexample{1};
  BOOST_CHECK_THROW(rnn_alf_glue::equivalence_query(teacher, nullptr, counterexample),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
