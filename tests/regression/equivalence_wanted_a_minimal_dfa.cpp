// Teacher::equivalence promised to take any complete DFA; one with two equivalent states made the
// walk look for a suffix that tells them apart, and there is none.
#include <boost/test/unit_test.hpp>

#include "rnnalf/teacher/teacher.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(equivalence_takes_a_dfa_with_equivalent_and_unreachable_states) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  const Alphabet alphabet = Alphabet::numbered(2);
  for (const OracleKind& kind : oracle_kinds()) {
    BOOST_TEST_CONTEXT(kind.name) {
      Teacher teacher(acceptor, alphabet, {.oracles = parse_oracles(kind.name)});
      // Everything is rejected, in three states that are all the same; the fourth nobody reaches.
      Dfa redundant(2, 4);
      redundant.set_next(LState{0}, Symbol{0}, LState{1});
      redundant.set_next(LState{1}, Symbol{1}, LState{2});
      redundant.set_accepting(LState{3}, true);
      const EquivalenceAnswer answer = teacher.equivalence(redundant, Budget());
      BOOST_TEST_REQUIRE(answer.counterexample.has_value());
      BOOST_TEST(support::tomita(5).accepts(answer.counterexample->word));
    }
  }
}

}  // namespace rnnalf
