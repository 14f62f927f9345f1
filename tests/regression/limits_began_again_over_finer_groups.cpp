// An alphabet of more than 40 symbols is learned over representatives, and again when these were
// too few. Each time, --max-rounds and --max-queries began again from nothing.
#include <boost/test/unit_test.hpp>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"

namespace rnnalf {
namespace {

constexpr std::uint32_t kBefore = 14;

/// Accepted are words whose 15th symbol is 7: in short contexts all symbols look alike, so that it
/// takes a given word and a second round to see the difference.
Dfa fifteenth_symbol() {
  Dfa dfa(60, kBefore + 3);
  const LState accepting{kBefore + 1}, rejecting{kBefore + 2};
  for (std::uint32_t a = 0; a < 60; ++a) {
    for (std::uint32_t q = 0; q < kBefore; ++q) dfa.set_next(LState{q}, Symbol{a}, LState{q + 1});
    dfa.set_next(LState{kBefore}, Symbol{a}, a == 7 ? accepting : rejecting);
    dfa.set_next(accepting, Symbol{a}, rejecting);
    dfa.set_next(rejecting, Symbol{a}, rejecting);
  }
  dfa.set_accepting(accepting, true);
  return minimise(dfa);
}

}  // namespace

BOOST_AUTO_TEST_CASE(limits_by_count_are_those_of_all_rounds_together) {
  const Dfa language = fifteenth_symbol();
  const support::CodedDfa acceptor(language, 6, 0.1, 1);
  const auto run_with = [&](const auto& set) {
    ExtractionOptions options;
    options.samples = {Word(kBefore + 1, Symbol{7})};
    set(options);
    return Extraction(support::network_of(acceptor), libalf_learners(), options).run();
  };
  const Run free = run_with([](ExtractionOptions&) {});
  BOOST_TEST((free.dfa() == language));
  const std::uint64_t rounds = free.statistics.equivalence_queries;
  const std::uint64_t queries = free.statistics.membership_queries;
  BOOST_TEST_REQUIRE(rounds > 2U);
  for (std::uint64_t most = 1; most <= rounds; ++most) {
    const Run run = run_with([&](ExtractionOptions& options) { options.max_rounds = most; });
    BOOST_TEST(run.statistics.equivalence_queries <= most);
    BOOST_TEST((run.limit == (most < rounds ? Limit::Rounds : Limit::None)));
  }
  for (std::uint64_t most = 10; most <= queries; most += 10) {
    const Run run = run_with([&](ExtractionOptions& options) { options.max_queries = most; });
    BOOST_TEST(run.statistics.membership_queries <= most);
  }
  BOOST_TEST((run_with([&](ExtractionOptions& options) {
                options.max_rounds = rounds;
                options.max_queries = queries;
              }).dfa() == language));
}

}  // namespace rnnalf
