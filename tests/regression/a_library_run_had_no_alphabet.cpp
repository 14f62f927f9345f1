// A Run that the library returned lacked the alphabet and the network, and writing it as JSON read
// beyond the alphabet's end.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/text_report.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(a_run_of_the_library_is_complete_and_every_report_can_be_written_from_it) {
  const support::CodedDfa acceptor(support::tomita(3), 4, 0.2, 1);
  for (const char* method : {"abstraction-refinement", "quantization:q=2", "kmeans:k=10"}) {
    BOOST_TEST_CONTEXT(method) {
      ExtractionOptions options;
      options.method = parse_method(method);
      options.max_states = 50;
      const Run run =
          Extraction(support::network_of(acceptor), libalf_learners(), options, support::tomita(3))
              .run();
      BOOST_TEST(run.network.alphabet.size() == 2U);
      const auto json = nlohmann::json::parse(extraction_json(run));
      BOOST_TEST(json["network"]["alphabet"] == nlohmann::json({"0", "1"}));
      BOOST_TEST(json["options"]["method"] == method);
      BOOST_TEST(json["dfa"]["accepting"].size() == run.dfa().size());
      BOOST_TEST(!extraction_text(run, {}).empty());
    }
  }
}

}  // namespace rnnalf
