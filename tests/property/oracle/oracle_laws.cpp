// Laws of all oracles, on networks whose language is known exactly or whose weights are random.

#include <boost/test/unit_test.hpp>
#include <set>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/oracle/rare_words.hpp"
#include "rnnalf/oracle/search_oracles.hpp"
#include "support/coded_dfa.hpp"
#include "support/graded_pattern.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

bool direct_answer(const RnnAcceptor& acceptor, const Word& word) {
  const std::vector<double> state = state_after(acceptor, word);
  double margin = 0;
  acceptor.margins({state.data(), state.size(), 1}, {&margin, 1});
  return margin > 0;
}

/// The hypothesis with a few states more and a few things changed.
Dfa mutant(const Dfa& dfa, std::size_t extra_states, Random& random) {
  Dfa result = dfa;
  for (std::size_t i = 0; i < extra_states; ++i) {
    const LState added = result.add_state(random.below(2) == 1);
    // Behaves like some state but for what is changed below, as a state that was missed does.
    const auto like = static_cast<LState>(random.below(dfa.size()));
    result.set_accepting(added, result.accepts(like));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      result.set_next(added, static_cast<Symbol>(a), result.next(like, static_cast<Symbol>(a)));
    }
  }
  for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
    const auto state = static_cast<LState>(random.below(result.size()));
    if (random.below(4) == 0) {
      result.set_accepting(state, !result.accepts(state));
    } else {
      result.set_next(state, static_cast<Symbol>(random.below(dfa.symbol_count())),
                      static_cast<LState>(random.below(result.size())));
    }
  }
  return minimise(result);
}

/// Every minimal DFA over two symbols with up to three states, once.
std::vector<Dfa> all_small_dfas() {
  std::vector<Dfa> result;
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t states = 1; states <= 3; ++states) {
    Word targets(2 * states, Symbol{0});
    do {
      for (std::size_t accepting = 0; accepting < (std::size_t{1} << states); ++accepting) {
        Dfa dfa(2, states);
        for (std::size_t q = 0; q < states; ++q) {
          const auto state = static_cast<LState>(q);
          dfa.set_accepting(state, ((accepting >> q) & 1U) != 0);
          dfa.set_next(state, Symbol{0}, static_cast<LState>(index(targets[2 * q])));
          dfa.set_next(state, Symbol{1}, static_cast<LState>(index(targets[2 * q + 1])));
        }
        dfa = minimise(dfa);
        std::vector<std::size_t> key;
        for (std::size_t q = 0; q < dfa.size(); ++q) {
          const auto state = static_cast<LState>(q);
          key.push_back(dfa.accepts(state) ? 1 : 0);
          key.push_back(index(dfa.next(state, Symbol{0})));
          key.push_back(index(dfa.next(state, Symbol{1})));
        }
        if (seen.insert(key).second) result.push_back(dfa);
      }
    } while (next_word(targets, states));
  }
  return result;
}

struct Result {
  EquivalenceAnswer answer;
  std::uint64_t steps = 0;
};

/// Two queries to one oracle, so that what it remembers between them counts, too.
std::vector<Result> ask(std::string_view spec, const RnnAcceptor& acceptor,
                        const std::vector<Dfa>& hypotheses, const StateTreeOptions& options) {
  StateTree tree(acceptor, options);
  const OraclePtr oracle = make_chain(parse_oracles(spec), {.tree = tree, .seed = 5});
  std::vector<Result> results;
  for (const Dfa& hypothesis : hypotheses) {
    EquivalenceAnswer answer = oracle->find(hypothesis, kNoLimit);
    results.push_back({std::move(answer), tree.stats().steps});
  }
  return results;
}

/// A law of the network's language and a hypothesis, both minimal.
template <class Law>
void check_pair(const Dfa& network, const Dfa& hypothesis, const Law& law) {
  support::check_law(std::pair(network, hypothesis), [&](const std::pair<Dfa, Dfa>& both) {
    return law(minimise(both.first), minimise(both.second));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(oracle_laws)

BOOST_AUTO_TEST_CASE(w_and_wp_method_refute_every_mutant_within_the_extra_states) {
  support::SeededRandom random(2024);
  int pairs = 0;
  while (pairs < 2000) {
    const std::size_t extra = random.below(3);
    const Dfa hypothesis =
        support::random_minimal_dfa(1 + random.below(6), 2 + random.below(2), random);
    const Dfa network = mutant(hypothesis, extra, random);
    if (network.size() > hypothesis.size() + extra || equivalent(network, hypothesis)) continue;
    ++pairs;
    check_pair(network, hypothesis, [&](const Dfa& is, const Dfa& thought) -> std::string {
      if (is.size() > thought.size() + extra || equivalent(is, thought)) return "";
      const support::CodedDfa acceptor(is, 3, 0.2, 1);
      StateTree tree(acceptor, {});
      WMethodOracle w(tree, {.extra_states = extra});
      WpMethodOracle wp(tree, {.extra_states = extra});
      RNNALF_HOLDS(w.find(thought, kNoLimit).verdict == Verdict::Counterexample);
      RNNALF_HOLDS(wp.find(thought, kNoLimit).verdict == Verdict::Counterexample);
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(mutants_beyond_the_extra_states_escape_so_the_number_matters) {
  support::SeededRandom random(2025);
  int escaped = 0;
  // Few escape: some hundred pairs are needed to see one.
  for (int pair = 0; pair < 10'000 && escaped == 0; ++pair) {
    const Dfa hypothesis = support::random_minimal_dfa(3, 2, random);
    const Dfa network = mutant(hypothesis, 3, random);
    const support::CodedDfa acceptor(network, 3, 0.2, 1);
    StateTree tree(acceptor, {});
    WMethodOracle w(tree, {.extra_states = 0});
    const bool found = w.find(hypothesis, kNoLimit).verdict == Verdict::Counterexample;
    if (!found && !equivalent(network, hypothesis)) ++escaped;
  }
  BOOST_TEST(escaped > 0);
}

BOOST_AUTO_TEST_CASE(w_and_wp_method_are_right_on_every_pair_of_a_small_world) {
  // All languages of up to three states: with the right number of extra states, the verdict is
  // equivalence itself.
  const std::vector<Dfa> all = all_small_dfas();
  BOOST_TEST(all.size() == 2 + 24 + 1028);  // the known numbers of minimal automata
  for (std::size_t i = 0; i < all.size(); i += 7) {
    const support::CodedDfa acceptor(all[i], 3, 0.2, 1);
    StateTree tree(acceptor, {});
    for (std::size_t j = i % 5; j < all.size(); j += 5) {
      const std::size_t extra = 3 - std::min<std::size_t>(3, all[j].size());
      const Verdict expected = i == j ? Verdict::NoneFound : Verdict::Counterexample;
      WMethodOracle w(tree, {.extra_states = extra});
      WpMethodOracle wp(tree, {.extra_states = extra});
      BOOST_TEST_REQUIRE((w.find(all[j], kNoLimit).verdict == expected), i << " " << j);
      BOOST_TEST_REQUIRE((wp.find(all[j], kNoLimit).verdict == expected), i << " " << j);
    }
  }
}

BOOST_AUTO_TEST_CASE(wp_method_tests_no_more_words_than_w_method) {
  support::SeededRandom random(8);
  for (int world = 0; world < 30; ++world) {
    support::check_law(
        support::random_minimal_dfa(8, 2, random), [](const Dfa& drawn) -> std::string {
          const Dfa dfa = minimise(drawn);
          const support::CodedDfa acceptor(dfa, 3, 0.2, 1);
          StateTree tree(acceptor, {});
          const auto w = WMethodOracle(tree, {.extra_states = 2}).find(dfa, kNoLimit);
          const auto wp = WpMethodOracle(tree, {.extra_states = 2}).find(dfa, kNoLimit);
          RNNALF_HOLDS(wp.evidence[0].words_tested <= w.evidence[0].words_tested);
          return "";
        });
  }
}

BOOST_AUTO_TEST_CASE(
    exhaustive_finds_the_shortlex_first_difference_or_says_up_to_where_there_is_none) {
  support::SeededRandom random(11);
  for (int world = 0; world < 200; ++world) {
    const std::size_t symbols = 1 + random.below(3);
    const Dfa network = support::random_minimal_dfa(9, symbols, random);
    const Dfa hypothesis = random.below(2) == 0 ? mutant(network, 1, random)
                                                : support::random_minimal_dfa(9, symbols, random);
    const std::size_t max_length = 1 + random.below(7);
    check_pair(network, hypothesis, [&](const Dfa& is, const Dfa& thought) -> std::string {
      const support::CodedDfa acceptor(is, 3, 0.2, 1);
      StateTree tree(acceptor, {});
      ExhaustiveOracle oracle(tree, {.max_length = max_length});
      const EquivalenceAnswer answer = oracle.find(thought, kNoLimit);
      const auto shortest = separating_word(is, thought);
      if (shortest && shortest->size() <= max_length) {
        RNNALF_HOLDS(answer.verdict == Verdict::Counterexample);
        RNNALF_HOLDS(answer.counterexample->word == *shortest);
        return "";
      }
      RNNALF_HOLDS(answer.verdict == Verdict::NoneFound);
      RNNALF_HOLDS(std::get<WordsCompared>(answer.evidence[0].looked_at).complete_to == max_length);
      std::uint64_t words = 0, level = 1;
      for (std::size_t length = 0; length <= max_length; ++length, level *= symbols) words += level;
      RNNALF_HOLDS(answer.evidence[0].words_tested == words);
      return "";
    });
  }
}

BOOST_AUTO_TEST_CASE(exhaustive_agrees_with_brute_force_on_networks_of_unknown_language) {
  constexpr std::size_t kLongest = 7;
  support::SeededRandom random(12);
  int refuted = 0;
  for (std::uint64_t world = 0; world < 40; ++world) {
    BOOST_TEST_CONTEXT("world " << world) {
      const std::size_t symbols = 2 + world % 2;
      const NetworkSpec drawn = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                                         .symbols = symbols,
                                                         .hidden = 6,
                                                         .layers = 1 + world % 2},
                                                        random);
      const Dfa hypothesis = support::random_minimal_dfa(1 + world % 3, symbols, random);
      support::check_law(drawn, [&](const NetworkSpec& spec) -> std::string {
        const auto acceptor = make_acceptor(spec);
        // Every word, by itself, from the first symbol on; shortest first and symbols in order.
        std::optional<Word> first;
        for (std::size_t length = 0; length <= kLongest && !first; ++length) {
          Word word(length, Symbol{0});
          do {
            if (direct_answer(*acceptor, word) != hypothesis.accepts(word)) first = word;
          } while (!first && next_word(word, symbols));
        }
        StateTree tree(*acceptor, {});
        ExhaustiveOracle oracle(tree, {.max_length = kLongest});
        const EquivalenceAnswer answer = oracle.find(hypothesis, kNoLimit);
        RNNALF_HOLDS(answer.counterexample.has_value() == first.has_value());
        refuted += first ? 1 : 0;
        RNNALF_HOLDS(!first || answer.counterexample->word == *first);
        return "";
      });
    }
  }
  BOOST_TEST(refuted > 10);
}

BOOST_AUTO_TEST_CASE(exhaustive_claims_no_length_that_it_did_not_complete) {
  const support::CodedDfa acceptor(support::tomita(4), 3, 0.2, 1);
  StateTree tree(acceptor, {});
  ExhaustiveOracle oracle(tree, {.max_length = 20, .words = 1000});
  const EquivalenceAnswer answer = oracle.find(support::tomita(4), kNoLimit);
  BOOST_TEST((std::get<WordsCompared>(answer.evidence[0].looked_at).complete_to == 8U));
  BOOST_TEST(answer.evidence[0].words_tested == 511U);  // with length 9 there would be 1023
}

BOOST_AUTO_TEST_CASE(every_counterexample_separates_and_every_word_counted_was_run) {
  support::SeededRandom random(77);
  for (const OracleKind& kind : oracle_kinds()) {
    int found = 0;
    for (int world = 0; world < 25; ++world) {
      BOOST_TEST_CONTEXT(kind.name << " world " << world) {
        const std::size_t symbols = 1 + random.below(3);
        const Dfa network = support::random_minimal_dfa(7, symbols, random);
        const Dfa hypothesis = mutant(network, 1, random);
        check_pair(network, hypothesis, [&](const Dfa& is, const Dfa& thought) -> std::string {
          const support::CodedDfa acceptor(is, 4, 0.3, 3);
          const EquivalenceAnswer answer =
              std::move(ask(kind.name, acceptor, {thought}, {}).front().answer);
          RNNALF_HOLDS((answer.verdict == Verdict::Counterexample) ==
                       answer.counterexample.has_value());
          if (!answer.counterexample) return "";
          ++found;
          const Counterexample& counterexample = *answer.counterexample;
          RNNALF_HOLDS(counterexample.oracle == kind.name);
          const bool accepted = counterexample.answer == Answer::Accept;
          RNNALF_HOLDS(is.accepts(counterexample.word) == accepted);
          RNNALF_HOLDS(thought.accepts(counterexample.word) != accepted);
          RNNALF_HOLDS(direct_answer(acceptor, counterexample.word) == accepted);
          return "";
        });
      }
    }
    BOOST_TEST(found > 5, kind.name << " refuted " << found << " of 25 mutants");
  }
}

BOOST_AUTO_TEST_CASE(results_and_steps_do_not_depend_on_threads_batch_or_memory) {
  support::SeededRandom random(3);
  for (const OracleKind& kind : oracle_kinds()) {
    for (std::uint64_t world = 0; world < 3; ++world) {
      BOOST_TEST_CONTEXT(kind.name << " world " << world) {
        const auto drawn = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                                    .symbols = 2 + world % 2,
                                                    .hidden = 9,
                                                    .layers = 2},
                                                   random);
        const std::vector<Dfa> hypotheses = {Dfa(2 + world % 2),
                                             support::random_minimal_dfa(4, 2 + world % 2, random)};
        support::check_law(drawn, [&](const NetworkSpec& spec) -> std::string {
          const auto acceptor = make_acceptor(spec);
          const std::vector<Result> plain = ask(kind.name, *acceptor, hypotheses, {});
          const StateTreeOptions variants[] = {{.memory = 0},
                                               {.memory = 20000, .batch = 1},
                                               {.batch = 37, .threads = 3},
                                               {.memory = 100000, .threads = 2}};
          for (const StateTreeOptions& options : variants) {
            const std::vector<Result> other = ask(kind.name, *acceptor, hypotheses, options);
            for (std::size_t q = 0; q < plain.size(); ++q) {
              const EquivalenceAnswer& a = plain[q].answer;
              const EquivalenceAnswer& b = other[q].answer;
              RNNALF_HOLDS(a.verdict == b.verdict);
              RNNALF_HOLDS(plain[q].steps == other[q].steps);
              RNNALF_HOLDS(a.evidence == b.evidence);
              if (!a.counterexample) continue;
              RNNALF_HOLDS(a.counterexample->word == b.counterexample->word);
              RNNALF_HOLDS(a.counterexample->pumped.has_value() ==
                           b.counterexample->pumped.has_value());
            }
          }
          return "";
        });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_spent_budget_is_a_verdict_of_its_own) {
  const support::CodedDfa acceptor(support::tomita(4), 3, 0.2, 1);
  Budget spent;
  spent.interrupt();
  for (const OracleKind& kind : oracle_kinds()) {
    StateTree tree(acceptor, {});
    const OraclePtr oracle = make_chain(parse_oracles(kind.name), {.tree = tree});
    const EquivalenceAnswer answer = oracle->find(Dfa(2), spent);
    BOOST_TEST((answer.verdict == Verdict::BudgetSpent), kind.name);
    BOOST_TEST(answer.evidence.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(words_of_nearly_every_random_pattern_are_found_whatever_the_batch_size) {
  support::SeededRandom random(31);
  constexpr int worlds = 20;
  int solved = 0;
  for (int world = 0; world < worlds; ++world) {
    const std::size_t length = 6 + random.below(6);
    const std::size_t symbols = 8 + random.below(10);
    const auto acceptor = support::GradedPattern::random(length, symbols, random);
    const RareWordOptions options{.seed = random.bits()};
    StateTree tree(acceptor, {}), narrow(acceptor, {.batch = 7, .threads = 2});
    const RareWords found = find_rare_words(tree, options, kNoLimit);
    BOOST_TEST((found.rare == std::vector{Answer::Accept}));
    solved += found.words.size() > 0 ? 1 : 0;
    for (const Word& word : found.words.words) BOOST_TEST(acceptor.matches(word));
    BOOST_TEST((find_rare_words(narrow, options, kNoLimit).words.words == found.words.words));
  }
  BOOST_TEST(solved >= worlds - 2);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
