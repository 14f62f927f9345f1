#include "rnnalf/certify/contexts.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/certify/samples.hpp"
#include "support/certified_networks.hpp"

namespace {

using namespace rnnalf;
using namespace rnnalf::certify;
using rnnalf::support::last_letter_dfa;
using rnnalf::support::last_letter_network;

constexpr std::size_t kNone = BaseAutomaton::kNone;

/// h' = tanh(+-2 + h/2): above 0.9 after a 1, below -0.9 after a 0.
struct World {
  explicit World(const Dfa& dfa)
      : acceptor(make_acceptor(last_letter_network())),
        base(dfa, {}),
        samples(take_samples(*acceptor, base, random, budget)) {}

  Budget budget;
  Random random{1};
  std::unique_ptr<RnnAcceptor> acceptor;
  BaseAutomaton base;
  Samples samples;
};

/// One state: it does not know the last symbol.
Dfa everything() {
  Dfa dfa(2, 1);
  dfa.set_accepting(LState{0}, true);
  return dfa;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contexts)

BOOST_AUTO_TEST_CASE(the_state_before_is_asked_for_and_then_the_symbol_that_tells_more) {
  const World world(everything());
  Contexts contexts(*world.acceptor, world.base, world.samples, world.budget);
  const Contexts::Sampled root = contexts.root(0);
  BOOST_TEST(root.box.low[0] < -0.9);
  BOOST_TEST(root.box.high[0] > 0.9);

  const auto once = contexts.refine(root.context);  // there is one state, and both symbols lead on
  BOOST_REQUIRE(once.size() == 1U);
  BOOST_TEST(contexts.path(once[0].context).symbols == std::vector<std::size_t>{kNone},
             boost::test_tools::per_element());
  BOOST_TEST(once[0].box.high[0] - once[0].box.low[0] > 1.8);

  const auto twice = contexts.refine(once[0].context);
  BOOST_REQUIRE(twice.size() == 2U);
  for (const Contexts::Sampled& child : twice) {
    BOOST_TEST(contexts.path(child.context).symbols.size() == 1U);
    BOOST_TEST(child.box.high[0] - child.box.low[0] < 0.1);
  }
}

BOOST_AUTO_TEST_CASE(a_word_belongs_to_the_set_of_the_context_it_ends_with) {
  const World world(everything());
  Contexts contexts(*world.acceptor, world.base, world.samples, world.budget);
  const auto once = contexts.refine(contexts.root(0).context);
  const auto twice = contexts.refine(once.at(0).context);
  contexts.set(twice.at(0).context) = 7;
  contexts.set(twice.at(1).context) = 8;
  BOOST_TEST(contexts.set_of({{0, 0, 0}, {1, 0}}) == 7U);
  BOOST_TEST(contexts.set_of({{0, 0}, {1}}) == 8U);
  BOOST_TEST(contexts.set_of({{0}, {}}) == kNone);          // too short to tell
  BOOST_TEST(contexts.set_of({{0, 0}, {kNone}}) == kNone);  // its last symbol is not known
  contexts.set(twice.at(0).context) = kNone;
  BOOST_TEST(contexts.set_of({{0, 0, 0}, {1, 0}}) == kNone);  // that context has no set
}

BOOST_AUTO_TEST_CASE(where_one_symbol_leads_from_state_to_state_it_is_known) {
  const World world(last_letter_dfa());
  Contexts contexts(*world.acceptor, world.base, world.samples, world.budget);
  const auto children = contexts.refine(contexts.root(0).context);
  BOOST_REQUIRE(children.size() == 2U);  // from both states, by the symbol 0
  for (const Contexts::Sampled& child : children) {
    BOOST_TEST(contexts.path(child.context).symbols == std::vector<std::size_t>{0},
               boost::test_tools::per_element());
    BOOST_TEST(child.box.high[0] < -0.9);
  }
}

BOOST_AUTO_TEST_CASE(samples_have_the_r_states_by_which_a_component_is_entered) {
  Dfa dfa(2, 3);  // 0*, then 1*; in state 1 R-states soon come near to tanh(2 + h/2) = h = 0.98
  dfa.set_accepting(LState{1}, true);
  dfa.set_next(LState{0}, Symbol{1}, LState{1});
  dfa.set_next(LState{1}, Symbol{0}, LState{2});
  const World world(dfa);
  // After 00..01: tanh(2 + h/2) with the fixed point h = tanh(-2 + h/2) of many 0s.
  double zeros = 0;
  for (int i = 0; i < 100; ++i) zeros = std::tanh(-2 + zeros / 2);
  const double entered = std::tanh(2 + zeros / 2);
  bool found = false;
  for (const double h : world.samples.states[1]) found = found || std::abs(h - entered) < 1e-3;
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_SUITE_END()
