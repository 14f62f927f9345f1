#include "rnnalf/report/evaluation_report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace rnnalf {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Network and DFA agree on 99,999 of 100,000 words of length 3 and differ on `ab`.
EvaluationReport report() {
  EvaluationReport made;
  made.network.file = "net.onnx";
  made.network.alphabet = Alphabet::parse("ab");
  made.dfa = {"dfa.dot", 4};
  made.seed = 7;
  PairAgreement agreement;
  agreement.words = 100'000;
  agreement.network_dfa = 99'999;
  agreement.accepted = 25'000;
  made.found.by_length.push_back({3, agreement});
  Counterexample differs;
  differs.word = {Symbol{0}, Symbol{1}};
  differs.answer = Answer::Accept;
  differs.probability = 0.75;
  made.found.disagreements.push_back(differs);
  return made;
}

/// The same with a target, from which the DFA differs on `b`.
EvaluationReport report_with_target() {
  EvaluationReport made = report();
  made.target = {"meant.dot", 3};
  made.found.equal_to_target = false;
  made.found.separating_word = Word{Symbol{1}};
  made.found.disagreements.front().target = Answer::Reject;
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluation_report)

BOOST_AUTO_TEST_CASE(one_word_that_differs_is_not_rounded_away) {
  const std::string text = evaluation_text(report(), {});
  BOOST_TEST(contains(text, "99.999"));
  BOOST_TEST(!contains(text, "100.000"));
  BOOST_TEST(contains(text, "  ab  network accepts, p = 0.7500\n"));
}

BOOST_AUTO_TEST_CASE(without_a_target_nothing_is_said_of_one) {
  BOOST_TEST(!contains(evaluation_text(report(), {}), "target"));
  const Json json = Json::parse(evaluation_json(report()));
  BOOST_TEST(json.at("target").is_null());
  BOOST_TEST(!json.contains("dfa_equals_target"));
  BOOST_TEST(!json.at("by_length").at(0).contains("dfa_target"));
}

BOOST_AUTO_TEST_CASE(with_a_target_all_three_are_compared) {
  const std::string text = evaluation_text(report_with_target(), {});
  BOOST_TEST(contains(text, "The DFA differs from the target, first on b.\n"));
  BOOST_TEST(contains(text, "p = 0.7500, unlike the target\n"));
  const Json json = Json::parse(evaluation_json(report_with_target()));
  BOOST_TEST(json.at("target").at("states") == 3);
  BOOST_TEST(json.at("dfa_equals_target") == false);
  BOOST_TEST(json.at("separating_word") == Json::array({"b"}));
  BOOST_TEST(json.at("disagreements").at(0).at("target") == false);
}

BOOST_AUTO_TEST_CASE(the_json_has_shares_and_what_was_compared) {
  const Json json = Json::parse(evaluation_json(report()));
  BOOST_TEST(json.at("format") == "rnnalf.evaluation/1");
  BOOST_TEST(json.at("network").at("file") == "net.onnx");
  BOOST_TEST(json.at("dfa").at("file") == "dfa.dot");
  BOOST_TEST(json.at("seed") == 7);
  BOOST_TEST(json.at("by_length").at(0).at("accepted") == 0.25);
  BOOST_TEST(json.at("given").is_null());
}

BOOST_AUTO_TEST_CASE(an_evaluation_that_a_limit_ended_says_so) {
  EvaluationReport stopped = report();
  stopped.found.complete = false;
  BOOST_TEST(contains(evaluation_text(stopped, {}), "Stopped by a limit"));
  BOOST_TEST(Json::parse(evaluation_json(stopped)).at("complete") == false);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
