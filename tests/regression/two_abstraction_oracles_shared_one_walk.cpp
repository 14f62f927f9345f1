// Two `abstraction` oracles of one chain shared one exploration, which each reset to its own
// options when it was made: the first walked with the second's depth and reported its own.
#include <boost/test/unit_test.hpp>

#include "rnnalf/teacher/teacher.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(two_abstraction_oracles_walk_on_explorations_of_their_own) {
  const support::CodedDfa acceptor(support::tomita(5), 6, 0.2, 1);
  const Alphabet alphabet = Alphabet::numbered(2);
  Teacher teacher(
      acceptor, alphabet,
      {.oracles = parse_oracles("abstraction:depth=1:samples=0,abstraction:depth=6:samples=0")});
  BOOST_TEST_REQUIRE(teacher.explorations().size() == 2U);
  // One state for all words: both walks meet two L-states in one A-state and refine.
  const std::vector<EquivalenceAnswer> answers = teacher.examine(support::tomita(5), Budget());
  BOOST_TEST_REQUIRE(answers.size() == 2U);
  const auto walk = [&](std::size_t i) {
    return std::get<LockstepWalk>(answers[i].evidence.front().looked_at);
  };
  BOOST_TEST(walk(0).depth == 1U);
  BOOST_TEST(walk(1).depth == 6U);
  // The first refinement of each cut as many dimensions as its own depth says.
  const auto& first = teacher.explorations()[0]->partition();
  const auto& second = teacher.explorations()[1]->partition();
  BOOST_TEST(&first != &second);
  BOOST_TEST(walk(0).a_states <= first.size());
  BOOST_TEST(walk(1).a_states <= second.size());
}

}  // namespace rnnalf
