// After learning over representatives every hypothesis was written out over all symbols, beyond
// --memory-limit and after the peak had been measured: with 10,000 symbols 654 MB were taken where
// 500 MB were allowed and the JSON said 80 MB. The JSON had 43 MB, nearly all of it the ladder's
// automata.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "rnnalf/base/process_usage.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "support/coded_dfa.hpp"
#include "support/network_of.hpp"

namespace rnnalf {
namespace {

constexpr std::uint32_t kSymbols = 3000, kStates = 60;

/// Counts the symbols of which every third is one modulo 60.
Dfa counter() {
  Dfa dfa(kSymbols, kStates);
  dfa.set_accepting(LState{0}, true);
  for (std::uint32_t q = 0; q < kStates; ++q) {
    for (std::uint32_t a = 0; a < kSymbols; ++a) {
      dfa.set_next(LState{q}, Symbol{a}, LState{a % 3 == 0 ? (q + 1) % kStates : q});
    }
  }
  return dfa;
}

}  // namespace

BOOST_AUTO_TEST_CASE(hypotheses_over_representatives_stay_small_and_the_peak_is_that_of_all) {
  const Dfa language = counter();
  const support::CodedDfa acceptor(language, 6, 0.1, 1);
  ExtractionOptions options;
  options.learner = "lstar";
  options.oracles = parse_oracles("samples,random:per-length=50:max-length=80:guided=0");
  options.threads = 1;
  options.exact = false;
  options.until = Until::Exact;
  options.max_rounds = 30;
  const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
  BOOST_TEST_REQUIRE(run.groups.has_value());
  BOOST_TEST(run.dfa().symbol_count() == kSymbols);
  for (const HypothesisRecord& one : run.hypotheses) {
    BOOST_TEST(one.dfa.symbol_count() == run.groups->size());
  }
  BOOST_TEST((run.hypothesis(run.recommended) == run.dfa()));
  // Nothing grew after it was measured.
  BOOST_TEST(run.statistics.peak_memory_bytes + (1U << 20U) > peak_memory_bytes());

  // The JSON says which symbols the ladder's automata are over, and whom each stands for.
  const auto json = nlohmann::json::parse(extraction_json(run));
  std::vector<std::string> representatives;
  std::set<std::string> all;
  for (const auto& group : json.at("symbol_groups")) {
    representatives.push_back(group.at(0));
    all.insert(group.begin(), group.end());
  }
  BOOST_TEST(all.size() == kSymbols);
  BOOST_TEST_REQUIRE(!json.at("ladder").empty());
  for (const auto& rung : json.at("ladder")) {
    BOOST_TEST(rung.at("dfa").at("alphabet") == nlohmann::json(representatives));
    BOOST_TEST(rung.at("dfa").at("accepting").size() == rung.at("states"));
  }
  BOOST_TEST(json.at("dfa").at("alphabet").size() == kSymbols);
  BOOST_TEST(json.at("ladder").dump().size() < json.at("dfa").dump().size() + 100'000);
  BOOST_TEST(extraction_html(run, {}).size() < 10'000'000U);
}

}  // namespace rnnalf
