// The fast walk makes the same refinements and finds the same counterexamples as the slow one, step
// by step.

#include <boost/test/unit_test.hpp>

#include "rnnalf/exploration/exploration.hpp"
#include "support/coded_dfa.hpp"
#include "support/naive_exploration.hpp"
#include "support/random_networks.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

/// Learns with the naive walk as the oracle and asks the fast one the same questions. What is
/// wrong, or nothing; adds the number of refinements compared.
std::string compare(const RnnAcceptor& acceptor, std::size_t depth, std::size_t most_states,
                    const StateTreeOptions& options, std::size_t& refinements) {
  StateTree tree(acceptor, options);
  Exploration fast(tree, {.initial_split_depth = depth});
  std::vector<support::NaiveExploration::Refinement> made;
  fast.on_refinement(
      [&](Node conflicting, std::span<const Node> others, Partition::Outcome outcome) {
        support::NaiveExploration::Refinement refinement;
        refinement.conflicting = tree.word(conflicting);
        for (const Node node : others) refinement.others.push_back(tree.word(node));
        refinement.separated = outcome != Partition::Outcome::NothingSeparated;
        made.push_back(std::move(refinement));
      });
  support::NaiveExploration naive(acceptor, depth, 1e4);
  const auto member = [&](const Word& word) {
    const Node node = tree.add(word);
    BOOST_TEST_REQUIRE(tree.compute({&node, 1}, kNoLimit));
    return tree.accepted(node);
  };
  std::optional<Word> counterexample;
  const auto both = [&](const Dfa& hypothesis) -> std::string {
    counterexample.reset();
    const auto expected = naive.search(hypothesis);
    const auto result = fast.search(hypothesis, kNoLimit);
    RNNALF_HOLDS(made == naive.refinements());
    RNNALF_HOLDS((result.end == Exploration::End::Counterexample) == expected.has_value());
    // As many leaves as the paper allows: one, then up to 2^depth, then one more each time.
    RNNALF_HOLDS(fast.partition().size() == naive.leaves());
    if (!expected) return "";
    const Word found = tree.word(*result.counterexample);
    RNNALF_HOLDS(found == *expected);
    RNNALF_HOLDS(member(found) != hypothesis.accepts(found));
    if (hypothesis.size() < most_states) counterexample = found;
    return "";
  };
  std::string wrong;
  support::textbook_lstar(acceptor.symbol_count(), member, [&](const Dfa& hypothesis) {
    wrong = both(hypothesis);
    return wrong.empty() ? counterexample : std::nullopt;
  });
  refinements += made.size();
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exploration_against_naive)

BOOST_AUTO_TEST_CASE(on_acceptors_of_known_languages) {
  support::SeededRandom random(11);
  std::size_t refinements = 0;
  for (std::uint64_t world = 0; world < 25; ++world) {
    const Dfa dfa =
        world < 7 ? support::tomita(static_cast<int>(world) + 1)
                  : support::random_minimal_dfa(2 + random.below(9), 2 + random.below(2), random);
    const std::size_t dimensions = 2 + random.below(5);
    support::check_law(dfa, [&](const Dfa& language) {
      const support::CodedDfa acceptor(language, dimensions, 0.4, world);
      return compare(acceptor, world % 4, 15, {.memory = world % 2 == 0 ? 3000U : 1000000U},
                     refinements);
    });
  }
  BOOST_TEST(refinements > 50U);  // otherwise this compares nothing
}

BOOST_AUTO_TEST_CASE(on_random_networks) {
  support::SeededRandom random(12);
  std::size_t refinements = 0;
  for (std::uint64_t world = 0; world < 20; ++world) {
    const auto drawn = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                                .symbols = 2,
                                                .hidden = 3,
                                                .layers = 1 + world % 2,
                                                .initial_states = true},
                                               random);
    support::check_law(drawn, [&](const NetworkSpec& spec) {
      return compare(*make_acceptor(spec), world % 4, 8, {}, refinements);
    });
  }
  BOOST_TEST(refinements > 20U);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
