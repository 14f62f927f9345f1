#include "rnnalf/oracle/search_oracles.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;

}  // namespace

BOOST_AUTO_TEST_SUITE(pac)

BOOST_AUTO_TEST_CASE(sample_sizes_follow_the_formula) {
  struct Row {
    double epsilon, delta;
    std::size_t query, words;
  };
  // (ln(1/delta) + i ln 2) / epsilon, by hand: ln 20 = 2.99573, ln 100 = 4.60517, ln 2 = 0.693147.
  const Row table[] = {{0.1, 0.05, 1, 37},       // 36.889
                       {0.1, 0.05, 2, 44},       // 43.820
                       {0.01, 0.01, 1, 530},     // 529.83
                       {0.01, 0.01, 10, 1154},   // 1153.66
                       {0.001, 0.01, 3, 6685}};  // 6684.6
  for (const Row& row : table) {
    BOOST_TEST(pac_sample_size(row.epsilon, row.delta, row.query) == row.words);
  }
}

BOOST_AUTO_TEST_CASE(every_query_runs_its_whole_sample_and_claims_what_it_may) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  PacOracle oracle(tree, {.epsilon = 0.1, .delta = 0.05, .length = 12});
  const EquivalenceAnswer same = oracle.find(support::tomita(5), kNoLimit);
  BOOST_TEST((same.verdict == Verdict::NoneFound));
  BOOST_TEST(same.evidence[0].words_tested == 37U);
  const auto sample = [](const EquivalenceAnswer& answer) {
    return std::get<PacSample>(answer.evidence[0].looked_at);
  };
  BOOST_TEST((sample(same) == PacSample{.epsilon = 0.1, .delta = 0.05, .length = 12}));
  const EquivalenceAnswer other = oracle.find(support::tomita(4), kNoLimit);
  BOOST_TEST((other.verdict == Verdict::Counterexample));
  BOOST_TEST(other.evidence[0].words_tested == 44U);
  BOOST_TEST(sample(other).differing > 0U);
  BOOST_TEST(sample(other).least < sample(other).most);
}

BOOST_AUTO_TEST_CASE(lengths_follow_the_distribution) {
  // The network accepts everything: a hypothesis that rejects everything differs on every word, so
  // the share is 1; one that is right on words of up to 30 symbols alone tells how many are longer.
  Dfa everything(2);
  everything.set_accepting(LState{0}, true);
  const support::CodedDfa acceptor(everything, 4, 0.2, 1);
  StateTree tree(acceptor, {});
  Dfa up_to_30(2, 32);
  for (std::uint32_t q = 0; q < 32; ++q) {
    up_to_30.set_accepting(LState{q}, q < 31);
    for (std::uint32_t a = 0; a < 2; ++a) {
      up_to_30.set_next(LState{q}, Symbol{a}, LState{std::min(q + 1, 31U)});
    }
  }
  PacOracle uniform(tree, {.epsilon = 0.001, .length = 30});
  BOOST_TEST((uniform.find(up_to_30, kNoLimit).verdict == Verdict::NoneFound));
  PacOracle geometric(
      tree, {.epsilon = 0.001, .distribution = LengthDistribution::Geometric, .length = 30});
  const EquivalenceAnswer answer = geometric.find(up_to_30, kNoLimit);
  BOOST_TEST_REQUIRE((answer.verdict == Verdict::Counterexample));
  // P(length > 30) = (30/31)^31 = 0.362 of 5299 words: 1918 expected, standard deviation 35.
  const auto differing = std::get<PacSample>(answer.evidence[0].looked_at).differing;
  BOOST_TEST(differing > 1918U - 175U);
  BOOST_TEST(differing < 1918U + 175U);
}

BOOST_AUTO_TEST_CASE(epsilon_and_delta_lie_between_0_and_1) {
  for (const double value : {0.0, 1.0, -1.0, 2.0}) {
    BOOST_CHECK_THROW(validate(PacOptions{.epsilon = value}), OptionError);
    BOOST_CHECK_THROW(validate(PacOptions{.delta = value}), OptionError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
