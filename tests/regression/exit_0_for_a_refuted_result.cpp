// `none-found` (exit code 0) was said when no oracle refuted the last hypothesis, although the
// result was an earlier one that had been refuted.
#include <boost/test/unit_test.hpp>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/forgetful.hpp"
#include "support/network_of.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(none_found_is_said_of_the_result_alone) {
  for (const std::uint32_t lawful : {0U, 2U, 6U, 12U, 24U}) {
    BOOST_TEST_CONTEXT("lawful up to " << lawful) {
      const support::CodedDfa acceptor(support::forgetful(lawful), 8, 0.1, 1);
      ExtractionOptions options;
      options.until = Until::Exact;  // so that the last hypothesis is never refuted
      const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
      const bool is_last = run.recommended + 1 == run.hypotheses.size();
      BOOST_TEST((verdict(run) == RunVerdict::NoneFound) == is_last);
      if (is_last) {
        BOOST_TEST(!run.is_refuted());
      } else {
        BOOST_TEST((verdict(run) == RunVerdict::Settled));
        BOOST_TEST(run.is_refuted());
      }
    }
  }
}

}  // namespace rnnalf
