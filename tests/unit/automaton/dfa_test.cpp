#include "rnnalf/automaton/dfa.hpp"

#include <boost/test/unit_test.hpp>

#include "support/coded_dfa.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

using support::tomita;
using support::word;

BOOST_AUTO_TEST_SUITE(dfa)

BOOST_AUTO_TEST_CASE(a_new_automaton_rejects_everything) {
  const Dfa nothing(2);
  BOOST_TEST(nothing.size() == 1U);
  BOOST_TEST(!nothing.accepts(word("")));
  BOOST_TEST(!nothing.accepts(word("0101")));
}

BOOST_AUTO_TEST_CASE(an_automaton_has_a_state) {
  BOOST_CHECK_THROW(Dfa(2, 0), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(states_and_symbols_that_do_not_exist_are_refused) {
  Dfa dfa(2, 3);
  BOOST_CHECK_THROW(dfa.set_initial(LState{3}), std::invalid_argument);
  BOOST_CHECK_THROW(dfa.set_next(LState{3}, Symbol{0}, LState{0}), std::invalid_argument);
  BOOST_CHECK_THROW(dfa.set_next(LState{0}, Symbol{2}, LState{0}), std::invalid_argument);
  BOOST_CHECK_THROW(dfa.set_next(LState{0}, Symbol{0}, LState{3}), std::invalid_argument);
  BOOST_CHECK_THROW(dfa.set_accepting(LState{3}, true), std::exception);
}

BOOST_AUTO_TEST_CASE(an_added_state_loops_on_itself) {
  Dfa dfa(2);
  const LState added = dfa.add_state(true);
  BOOST_TEST((dfa.next(added, Symbol{1}) == added));
  BOOST_TEST(dfa.accepts(added));
}

BOOST_AUTO_TEST_CASE(without_symbols_there_is_one_word) {
  Dfa accepting(0, 1);
  accepting.set_accepting(LState{0}, true);
  BOOST_TEST(minimise(accepting).size() == 1U);
  BOOST_TEST((separating_word(accepting, Dfa(0)) == Word{}));
  BOOST_TEST(Distinguisher(accepting).characterising_set().empty());
}

BOOST_AUTO_TEST_CASE(canonical_numbers_breadth_first_and_drops_what_is_unreachable) {
  Dfa dfa(2, 4);  // 2 -0-> 3, 2 -1-> 0; 1 unreachable
  dfa.set_initial(LState{2});
  dfa.set_next(LState{2}, Symbol{0}, LState{3});
  dfa.set_next(LState{2}, Symbol{1}, LState{0});
  dfa.set_accepting(LState{0}, true);
  Dfa expected(2, 3);
  expected.set_next(LState{0}, Symbol{0}, LState{1});
  expected.set_next(LState{0}, Symbol{1}, LState{2});
  expected.set_accepting(LState{2}, true);
  BOOST_TEST((canonical(dfa) == expected));
}

BOOST_AUTO_TEST_CASE(tomitas_languages_have_their_known_sizes) {
  const std::vector<std::size_t> sizes = {2, 3, 5, 4, 4, 3, 5};
  for (int number = 1; number <= 7; ++number) {
    BOOST_TEST(minimise(tomita(number)).size() == sizes[static_cast<std::size_t>(number - 1)]);
  }
}

BOOST_AUTO_TEST_CASE(separating_word_needs_equal_alphabets) {
  BOOST_CHECK_THROW((void)separating_word(Dfa(2), Dfa(3)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_long_chain_is_told_from_its_copy_by_its_last_state) {
  // Counts to n and accepts there: the separating word is as long as it can be.
  const std::size_t n = 2000;
  Dfa chain(1, n + 1);
  for (std::size_t q = 0; q < n; ++q) {
    chain.set_next(static_cast<LState>(q), Symbol{0}, static_cast<LState>(q + 1));
  }
  const Dfa rejecting = chain;
  chain.set_accepting(static_cast<LState>(n), true);
  BOOST_TEST(separating_word(chain, rejecting)->size() == n);
  BOOST_TEST(minimise(chain).size() == n + 1);
  BOOST_TEST(minimise(rejecting).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
