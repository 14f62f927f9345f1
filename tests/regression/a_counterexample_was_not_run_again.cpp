// "Already run on both sides" was said of words that the tree had answered before: nothing was run
// again. The last check is now a run of the word on its own, without the tree.
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "rnnalf/oracle/word_tester.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

/// Breaks the promise that a column does not depend on the others: among others it accepts.
class AcceptsInCompany final : public RnnAcceptor {
 public:
  [[nodiscard]] std::size_t state_size() const override { return 1; }
  [[nodiscard]] std::size_t symbol_count() const override { return 2; }
  [[nodiscard]] std::vector<double> initial_state() const override { return {-1}; }
  void step(ConstRStates states, std::span<const Symbol>, RStates next) const override {
    for (std::size_t i = 0; i < states.count; ++i) next.data[i] = states.count > 1 ? 1 : -1;
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    for (std::size_t i = 0; i < states.count; ++i) margins[i] = states.data[i];
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_word_that_only_the_tree_answers_differently_is_not_a_counterexample) {
  const AcceptsInCompany acceptor;
  StateTree tree(acceptor, {});
  // The tree computes the two words together and takes both for accepted.
  const Word word{Symbol{0}};
  const Node nodes[] = {tree.add(word), tree.add(Word{Symbol{1}})};
  BOOST_TEST_REQUIRE(tree.compute(nodes, Budget()));
  BOOST_TEST_REQUIRE(tree.accepted(nodes[0]));
  BOOST_CHECK_THROW((void)checked_counterexample(tree, Dfa(2), word, "known"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_word_that_refutes_on_its_own_is_one) {
  const support::CodedDfa acceptor(support::tomita(1), 4, 0.1, 1);  // 1*
  StateTree tree(acceptor, {});
  const Counterexample found = checked_counterexample(tree, Dfa(2), {Symbol{1}}, "known");
  BOOST_TEST((found.answer == Answer::Accept));
  BOOST_TEST(found.oracle == "known");
}

}  // namespace rnnalf
