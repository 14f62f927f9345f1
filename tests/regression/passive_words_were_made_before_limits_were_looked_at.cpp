// All words of `rpni:words=N` were made before time, memory and signals were looked at: 10^14 of
// them took 23 GB and then the system's patience. And when a limit was reached, the words that had
// been answered were thrown away for a DFA of one state.

#include <boost/test/unit_test.hpp>

#include <chrono>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"

namespace rnnalf {
namespace {

/// As many words as the option allows: only a limit ends it.
Run run_with(const char* method, ExtractionOptions options, const Budget& budget) {
  static const support::CodedDfa network(support::tomita(4), 4, 0.1, 7);
  options.method = parse_method(method);
  options.threads = 1;
  return Extraction(support::network_of(network), libalf_learners(), options).run(budget);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(passive_words_were_made_before_limits_were_looked_at)

BOOST_AUTO_TEST_CASE(a_time_limit_ends_the_making_of_words_and_those_made_are_learnt_from) {
  const Run run = run_with("rpni:words=1000000000",
                           {.time_limit = std::chrono::seconds(2), .exact = true}, Budget());
  BOOST_TEST((run.limit == Limit::Time));
  BOOST_TEST(run.evidence.at(0).words_tested > 0U);
}

BOOST_AUTO_TEST_CASE(a_memory_limit_does_so) {
  const Run run =
      run_with("rpni:words=1000000000",
               {.time_limit = std::chrono::minutes(10), .memory_limit = 20'000'000, .exact = true},
               Budget());
  BOOST_TEST((run.limit == Limit::Memory));
  BOOST_TEST(equivalent(run.dfa(), support::tomita(4)));
}

BOOST_AUTO_TEST_CASE(a_signal_does_so) {
  Budget interrupted;
  interrupted.interrupt();
  const Run run = run_with("biermann:words=1000000000",
                           {.time_limit = std::chrono::minutes(10), .exact = true}, interrupted);
  BOOST_TEST((run.limit == Limit::Interrupt));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
