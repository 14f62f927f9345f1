// The fast walk makes the same refinements and finds the same counterexamples as the slow one, step
// by step.

#include <boost/test/unit_test.hpp>

#include "rnnalf/exploration/exploration.hpp"
#include "support/coded_dfa.hpp"
#include "support/naive_exploration.hpp"
#include "support/random_networks.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

/// Learns with the naive walk as the oracle and asks the fast one the same questions. Returns the
/// number of refinements compared.
std::size_t compare(const RnnAcceptor& acceptor, std::size_t depth, std::size_t most_states,
                    const StateTreeOptions& options) {
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
  support::textbook_lstar(acceptor.symbol_count(), member,
                          [&](const Dfa& hypothesis) -> std::optional<Word> {
                            const auto expected = naive.search(hypothesis);
                            const auto result = fast.search(hypothesis, kNoLimit);
                            BOOST_TEST_REQUIRE((made == naive.refinements()));
                            BOOST_TEST_REQUIRE((result.end == Exploration::End::Counterexample) ==
                                               expected.has_value());
                            // As many leaves as the paper allows: one, then up to 2^depth, then one
                            // more each time.
                            BOOST_TEST_REQUIRE(fast.partition().size() == naive.leaves());
                            if (!expected) return std::nullopt;
                            const Word found = tree.word(*result.counterexample);
                            BOOST_TEST_REQUIRE((found == *expected));
                            BOOST_TEST_REQUIRE(member(found) != hypothesis.accepts(found));
                            if (hypothesis.size() >= most_states) return std::nullopt;
                            return found;
                          });
  return made.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exploration_against_naive)

BOOST_AUTO_TEST_CASE(on_acceptors_of_known_languages) {
  Random random(11);
  std::size_t refinements = 0;
  for (std::uint64_t world = 0; world < 25; ++world) {
    const Dfa dfa =
        world < 7 ? support::tomita(static_cast<int>(world) + 1)
                  : support::random_minimal_dfa(2 + random.below(9), 2 + random.below(2), random);
    const support::CodedDfa acceptor(dfa, 2 + random.below(5), 0.4, world);
    refinements += compare(acceptor, world % 4, 15, {.memory = world % 2 == 0 ? 3000U : 1000000U});
  }
  BOOST_TEST(refinements > 50U);  // otherwise this compares nothing
}

BOOST_AUTO_TEST_CASE(on_random_networks) {
  Random random(12);
  std::size_t refinements = 0;
  for (std::uint64_t world = 0; world < 20; ++world) {
    const auto spec = support::random_network({.cell = static_cast<CellKind>(world % 5),
                                               .symbols = 2,
                                               .hidden = 3,
                                               .layers = 1 + world % 2,
                                               .initial_states = true},
                                              random);
    const auto acceptor = make_acceptor(spec);
    refinements += compare(*acceptor, world % 4, 8, {});
  }
  BOOST_TEST(refinements > 20U);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
