// The words by which hypotheses were measured were drawn along the last one, so the yardstick moved
// with the run: with larger limits the same network got larger and larger results.
#include <boost/test/unit_test.hpp>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/forgetful.hpp"
#include "support/network_of.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(the_result_does_not_grow_with_the_run) {
  const support::CodedDfa acceptor(support::forgetful(25), 8, 0.1, 1);
  for (const std::uint64_t most : {20U, 40U, 100U}) {
    for (const Until until : {Until::Settled, Until::Exact}) {
      BOOST_TEST_CONTEXT(most << " states") {
        ExtractionOptions options;
        options.max_states = most;
        options.until = until;
        const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
        BOOST_TEST((run.dfa() == support::tomita(5)));
        BOOST_TEST_REQUIRE(run.rung() != nullptr);
        BOOST_TEST(run.rung()->horizon == 25U);
      }
    }
  }
}

}  // namespace rnnalf
