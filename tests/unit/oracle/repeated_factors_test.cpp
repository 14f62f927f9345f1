#include "rnnalf/oracle/repeated_factors.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "rnnalf/oracle/search_oracles.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;
constexpr Symbol a{0}, b{1};

/// Words a (b a)^n with n up to `most`; of no bound for most = 0.
Dfa lists(std::size_t most) {
  // State 2i: expects an a, 2i + 1: after it, accepting. The last state is dead.
  const std::size_t items = most == 0 ? 1 : most + 1;
  Dfa dfa(2, 2 * items + 1);
  const auto state = [](std::size_t number) { return static_cast<LState>(number); };
  const LState dead = state(2 * items);
  for (std::size_t i = 0; i < items; ++i) {
    dfa.set_accepting(state(2 * i + 1), true);
    dfa.set_next(state(2 * i), a, state(2 * i + 1));
    dfa.set_next(state(2 * i), b, dead);
    dfa.set_next(state(2 * i + 1), a, dead);
    dfa.set_next(state(2 * i + 1), b,
                 most == 0       ? state(0)
                 : i + 1 < items ? state(2 * i + 2)
                                 : dead);
  }
  return minimise(dfa);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(repeated_factors_of_known_words)

BOOST_AUTO_TEST_CASE(are_those_of_the_rarer_answer_shortest_first_and_none_twice) {
  const support::CodedDfa acceptor(lists(0), 4, 0.1, 1);
  StateTree tree(acceptor, {});
  const std::vector<Node> nodes = {tree.add(Word{a, b, a}), tree.add(Word{b, b}),
                                   tree.add(Word{a, a})};
  BOOST_TEST_REQUIRE(tree.compute(nodes, kNoLimit));
  const std::vector<Word> words = repeated_factors(tree, 10, 2, 1000);
  const auto has = [&](const Word& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  BOOST_TEST(has({a, b, a, b, a}));  // aba, its factor "ba" doubled
  BOOST_TEST(has({a}));              // left out
  BOOST_TEST(!has({b, b, b, b}));    // bb is rejected, and that is the commoner answer
  BOOST_TEST(std::is_sorted(words.begin(), words.end(), ShortlexLess{}));
  BOOST_TEST((std::adjacent_find(words.begin(), words.end()) == words.end()));
  BOOST_TEST(repeated_factors(tree, 10, 2, 3).size() == 3U);
}

BOOST_AUTO_TEST_CASE(refute_a_hypothesis_that_lacks_the_loop) {
  const support::CodedDfa acceptor(lists(0), 4, 0.1, 1);
  StateTree tree(acceptor, {});
  const Node known = tree.add(Word{a, b, a});
  BOOST_TEST_REQUIRE(tree.compute({&known, 1}, kNoLimit));
  PumpingOracle pumping(tree, {});
  const EquivalenceAnswer answer = pumping.find(lists(1), kNoLimit);
  BOOST_TEST_REQUIRE((answer.verdict == Verdict::Counterexample));
  BOOST_TEST((answer.counterexample->word == Word{a, b, a, b, a}));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
