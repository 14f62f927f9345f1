// Large alphabets whose symbols mostly behave alike: the same automaton, for less.

#include <boost/test/unit_test.hpp>

#include "rnnalf/evaluate/alike_symbols.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

struct World {
  Dfa kinds;                      // what the kinds of symbols do
  std::vector<std::size_t> kind;  // of each symbol

  /// The automaton over all symbols, where `of_kinds` says what their kinds do.
  [[nodiscard]] Dfa over_symbols(const Dfa& of_kinds) const {
    Dfa dfa(kind.size(), of_kinds.size(), of_kinds.answer_count());
    dfa.set_initial(of_kinds.initial());
    for (std::size_t q = 0; q < of_kinds.size(); ++q) {
      const auto state = static_cast<LState>(q);
      dfa.set_answer(state, of_kinds.answer(state));
      for (std::size_t a = 0; a < kind.size(); ++a) {
        dfa.set_next(state, static_cast<Symbol>(a),
                     of_kinds.next(state, static_cast<Symbol>(kind[a])));
      }
    }
    return dfa;
  }
};

/// 60 to 160 symbols of 2 to 4 kinds, some of them rare.
World random_world(Random& random) {
  World world{support::random_minimal_dfa(3 + random.below(6), 2 + random.below(3), random,
                                          2 + random.below(3)),
              {}};
  const std::size_t kinds = world.kinds.symbol_count();
  const std::size_t symbols = 60 + random.below(100);
  for (std::size_t a = 0; a < symbols; ++a) {
    const bool rare = random.below(10) == 0;
    world.kind.push_back(rare ? random.below(kinds) : random.below(kinds) / 2);
  }
  return world;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(large_alphabet_laws)

BOOST_AUTO_TEST_CASE(representatives_give_the_automaton_of_all_symbols) {
  support::SeededRandom random(41);
  std::uint64_t steps = 0, steps_over_all = 0;
  for (std::uint64_t round = 0; round < 12; ++round) {
    const World world = random_world(random);
    support::check_law(world.kinds, [&](const Dfa& kinds) -> std::string {
      const Dfa dfa = world.over_symbols(kinds);
      const support::CodedDfa acceptor(dfa, 5, 0.3, round);
      const Run run =
          Extraction(support::network_of(acceptor), libalf_learners(), {.seed = round + 1}).run();
      RNNALF_HOLDS(run.dfa() == minimise(dfa));
      RNNALF_HOLDS(run.network.alphabet.size() == dfa.symbol_count());
      RNNALF_HOLDS(run.evidence.back().oracle == "alike-symbols");
      for (const Counterexample& one : run.counterexamples) {
        RNNALF_HOLDS(dfa.answer(one.word) == one.answer);
      }
      const Run all = Extraction(support::network_of(acceptor), libalf_learners(),
                                 {.seed = round + 1, .alike_symbols = 0})
                          .run();
      RNNALF_HOLDS(all.dfa() == run.dfa());
      RNNALF_HOLDS(all.evidence.back().oracle != "alike-symbols");
      steps += run.statistics.rnn_steps;
      steps_over_all += all.statistics.rnn_steps;
      return "";
    });
  }
  BOOST_TEST(steps < steps_over_all);
}

BOOST_AUTO_TEST_CASE(a_symbol_unlike_the_others_is_found) {
  // An even number of the symbol 77 among 100; nothing else matters.
  Dfa dfa(100, 2);
  dfa.set_accepting(LState{0}, true);
  dfa.set_next(LState{0}, Symbol{77}, LState{1});
  dfa.set_next(LState{1}, Symbol{77}, LState{0});
  const support::CodedDfa acceptor(dfa, 3, 0.2, 1);
  BOOST_TEST((Extraction(support::network_of(acceptor), libalf_learners(), {}).run().dfa() == dfa));
}

BOOST_AUTO_TEST_CASE(what_groups_leave_unexplained_is_told_word_by_word) {
  // As above, but symbols may differ as they like: nothing leaves, and the words say that.
  Dfa dfa(100, 2);
  dfa.set_accepting(LState{0}, true);
  dfa.set_next(LState{0}, Symbol{77}, LState{1});
  dfa.set_next(LState{1}, Symbol{77}, LState{0});
  const support::CodedDfa acceptor(dfa, 3, 0.2, 1);
  StateTree tree(acceptor, {});
  SymbolGroups groups(100);
  Dfa learned(1);  // over the one group: everything is accepted
  learned.set_accepting(LState{0}, true);
  const auto check = refine_groups(groups, tree, learned, {}, {.tolerance = 1}, Budget());
  BOOST_TEST_REQUIRE(check.has_value());
  BOOST_TEST(check->groups_added == 0U);
  BOOST_TEST(check->differing > 0U);
  BOOST_TEST(!check->exceptions.empty());
  for (const Word& word : check->exceptions) {
    BOOST_TEST((dfa.answer(word) != groups.with_symbols(learned).answer(word)));
  }
}

BOOST_AUTO_TEST_CASE(a_given_word_shows_what_no_short_context_does) {
  // Accepted are words whose 15th symbol is 7; in short contexts all symbols look alike.
  constexpr std::size_t kBefore = 14;
  Dfa dfa(60, kBefore + 3);
  const LState accepting{kBefore + 1}, rejecting{kBefore + 2};
  for (std::size_t a = 0; a < 60; ++a) {
    const auto symbol = static_cast<Symbol>(a);
    for (std::uint32_t q = 0; q < kBefore; ++q) dfa.set_next(LState{q}, symbol, LState{q + 1});
    dfa.set_next(LState{kBefore}, symbol, a == 7 ? accepting : rejecting);
  }
  dfa.set_accepting(accepting, true);
  const support::CodedDfa acceptor(dfa, 6, 0.1, 1);
  const Word given(kBefore + 1, Symbol{7});
  ExtractionOptions options;
  options.samples = {given};
  const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
  BOOST_TEST(run.evidence.back().oracle == "alike-symbols");
  BOOST_TEST((run.dfa() == minimise(dfa)));
}

BOOST_AUTO_TEST_CASE(an_alphabet_of_different_symbols_is_learned_as_it_is) {
  // Symbol a leads to state a, and every state has a class of its own.
  Dfa dfa(45, 45, 45);
  for (std::size_t q = 0; q < 45; ++q) {
    dfa.set_answer(static_cast<LState>(q), static_cast<Answer>(q));
    for (std::size_t a = 0; a < 45; ++a) {
      dfa.set_next(static_cast<LState>(q), static_cast<Symbol>(a), static_cast<LState>(a));
    }
  }
  const support::CodedDfa acceptor(dfa, 8, 0.1, 1);
  const Run run = Extraction(support::network_of(acceptor), libalf_learners(), {}).run();
  BOOST_TEST((run.dfa() == minimise(dfa)));
  BOOST_TEST(run.evidence.back().oracle != "alike-symbols");
}

BOOST_AUTO_TEST_CASE(words_and_automata_go_from_groups_to_symbols_and_back) {
  support::SeededRandom random(42);
  SymbolGroups groups(6);
  groups.add(std::vector<Symbol>{Symbol{4}, Symbol{1}});
  groups.add(std::vector<Symbol>{Symbol{3}});
  BOOST_TEST(groups.size() == 3U);
  BOOST_TEST((groups.with_groups(support::word("012345")) == support::word("010210")));
  BOOST_TEST((groups.with_symbols(support::word("012")) == support::word("043")));
  const Dfa small = support::random_dfa(5, 3, random, 4);
  const Dfa large = groups.with_symbols(small);
  BOOST_TEST((groups.with_groups(large) == small));
  for (const Word& word : support::all_words(6, 3)) {
    BOOST_TEST((large.answer(word) == small.answer(groups.with_groups(word))));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
