// Every stage of a search for a proof ends soon after its budget is spent.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "rnnalf/acceptor/custom_acceptor.hpp"
#include "rnnalf/certify/contexts.hpp"
#include "rnnalf/certify/ellipsoid.hpp"
#include "rnnalf/certify/short_words.hpp"
#include "rnnalf/certify/verify.hpp"
#include "support/certified_networks.hpp"

namespace {

using namespace rnnalf;
using namespace rnnalf::certify;
using rnnalf::support::last_letter_dfa;
using rnnalf::support::last_letter_network;

/// h' = tanh(+-2 + h/2). Interrupts a budget at the `last`th step and counts those that follow.
struct Interrupting {
  Budget* budget;
  std::size_t last;
  std::size_t* steps;

  [[nodiscard]] static std::vector<double> initial() { return {0.0}; }
  [[nodiscard]] std::vector<double> step(const std::vector<double>& state, Symbol symbol) const {
    if (++*steps == last) budget->interrupt();
    return {std::tanh((symbol == Symbol{1} ? 2 : -2) + state[0] / 2)};
  }
  [[nodiscard]] static bool accepts(const std::vector<double>& state) { return state[0] > 0; }
};

struct World {
  explicit World(std::size_t last)
      : acceptor(Interrupting{&budget, last, &steps}, 2), base(last_letter_dfa(), {}) {}

  Budget budget;
  std::size_t steps = 0;
  CustomAcceptor<Interrupting> acceptor;
  BaseAutomaton base;
  Random random{1};
};

constexpr std::size_t kNever = static_cast<std::size_t>(-1);

}  // namespace

BOOST_AUTO_TEST_SUITE(limits_of_certify)

BOOST_AUTO_TEST_CASE(samples_end_with_the_walk_under_way) {
  for (const std::size_t last : {1U, 10U, 700U, 1500U}) {
    World world(last);
    (void)take_samples(world.acceptor, world.base, world.random, world.budget);
    BOOST_TEST(world.steps >= last);
    BOOST_TEST(world.steps < last + 70);  // a walk has 64 symbols
  }
}

BOOST_AUTO_TEST_CASE(sensitivities_end_with_the_word_under_way) {
  World world(kNever);
  const Samples samples = take_samples(world.acceptor, world.base, world.random, Budget{});
  World limited(5);
  (void)felt_differences(limited.acceptor, limited.base, samples, limited.random, limited.budget);
  BOOST_TEST(limited.steps >= 5U);
  BOOST_TEST(limited.steps <= 32U);  // of 16 symbols, two R-states
}

BOOST_AUTO_TEST_CASE(contexts_end_with_the_symbol_under_way) {
  World world(kNever);
  const Samples samples = take_samples(world.acceptor, world.base, world.random, Budget{});
  World limited(1);
  Contexts contexts(limited.acceptor, limited.base, samples, limited.budget);
  std::size_t context = contexts.root(0).context;
  for (int i = 0; i < 20; ++i) context = contexts.refine(context).front().context;
  const std::size_t longest = samples.states[0].size() + samples.states[1].size();
  BOOST_TEST(limited.steps >= 1U);
  BOOST_TEST(limited.steps <= longest);
}

BOOST_AUTO_TEST_CASE(short_words_end_with_the_batch_under_way) {
  World world(1000);
  ShortWords words(world.acceptor, world.base);
  BOOST_TEST(!words.run_all(1'000'000, world.budget));
  BOOST_TEST(world.steps == 1022U);  // 2 + 4 + .. + 512: the last batch is finished
  BOOST_TEST(words.checked_length() == 9U);
}

BOOST_AUTO_TEST_CASE(a_proof_is_not_verified_once_the_budget_is_spent) {
  const NetworkSpec network = last_letter_network();
  const auto acceptor = make_acceptor(network, Precision::Float);
  World world(kNever);
  const Samples samples = take_samples(*acceptor, world.base, world.random, Budget{});
  const Imager imager(network, {Precision::Float, 1e-6, 3});
  Workers workers(1);
  const SearchResult found =
      search(*acceptor, imager, world.base, samples, {}, {}, workers, Budget{});
  BOOST_REQUIRE(found.closed);
  BOOST_TEST(verify(*acceptor, imager, world.base, found, workers, Budget{}).has_value());
  world.budget.interrupt();
  BOOST_TEST(!verify(*acceptor, imager, world.base, found, workers, world.budget).has_value());
  BOOST_TEST(search(*acceptor, imager, world.base, samples, {}, {}, workers, world.budget).images ==
             0U);
}

BOOST_AUTO_TEST_CASE(the_first_difference_among_short_words_is_found) {
  World world(kNever);
  Dfa dfa(2, 5);  // accepts what ends with 1, but for 0001
  for (std::size_t q = 0; q < 5; ++q) {
    dfa.set_accepting(LState(q), q == 1);
    dfa.set_next(LState(q), Symbol{0}, LState{0});
    dfa.set_next(LState(q), Symbol{1}, LState{1});
  }
  dfa.set_next(LState{0}, Symbol{0}, LState{2});
  dfa.set_next(LState{2}, Symbol{0}, LState{3});
  dfa.set_next(LState{3}, Symbol{1}, LState{4});
  const BaseAutomaton base(dfa, {});
  ShortWords words(world.acceptor, base);
  const auto found = words.run_all(100, world.budget);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(dfa.accepts(*found) != (found->back() == Symbol{1}));
  BOOST_TEST(found->size() == words.checked_length() + 1);
}

BOOST_AUTO_TEST_SUITE_END()
