// Steps and seconds of a baseline included estimating its agreement, those of an extraction did
// not, so that rows of one comparison were not of the same work.
#include <boost/test/unit_test.hpp>

#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(steps_of_choosing_are_counted_apart_for_every_method) {
  const support::CodedDfa acceptor(support::tomita(5), 4, 0.05, 1);
  for (const char* method : {"abstraction-refinement", "kmeans:k=20"}) {
    BOOST_TEST_CONTEXT(method) {
      ExtractionOptions options;
      options.method = parse_method(method);
      options.until = Until::Exact;
      const Run chosen =
          Extraction(support::network_of(acceptor), libalf_learners(), options).run();
      options.exact = true;
      const Run exact = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
      BOOST_TEST(chosen.statistics.rnn_steps_choosing > 0U);
      BOOST_TEST(chosen.statistics.rnn_steps == exact.statistics.rnn_steps);
    }
  }
}

}  // namespace rnnalf
