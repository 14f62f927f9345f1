#include "rnnalf/report/html_report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "support/random_networks.hpp"
#include "support/sample_runs.hpp"

// What the page does with its data is tested in a browser: tests/browser.

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::json data(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"run\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

BOOST_AUTO_TEST_SUITE(html_report)

BOOST_AUTO_TEST_CASE(the_page_asks_nobody_for_anything) {
  const std::string page = extraction_html(support::small_run(), {});
  BOOST_TEST(contains(page, "default-src 'none'; script-src 'sha256-"));
  for (const char* reference :
       {"src=", "href=\"http", "url(h", "url(/", "url(\"", "@import", "fetch(", "unsafe-inline"}) {
    BOOST_TEST(!contains(page, reference), reference);
  }
}

BOOST_AUTO_TEST_CASE(the_data_are_the_runs) {
  const auto json = data(extraction_html(support::small_run(), {.command = "rnnalf extract x"}));
  BOOST_TEST(json["growth"] == nlohmann::json::parse("[[0.25, 1], [0.5, 2], [1.5, 4]]"));
  BOOST_TEST(json["rungs"].size() == 3U);
  BOOST_TEST(json["result"] == 2);
  BOOST_TEST(json["rungs"][2]["accepting"] == "1000");
  BOOST_TEST(json["rungs"][2]["next"] == nlohmann::json({1, 2, 0, 3, 3, 0, 2, 1}));
  BOOST_TEST(json["rungs"][1]["agreement"][29] == nlohmann::json({30, 750, 1000}));
  BOOST_TEST(json["counterexamples"][1]["word"] == nlohmann::json({1, 1, 0, 1, 0}));
  BOOST_TEST(json["command"] == "rnnalf extract x");
  BOOST_TEST(!json.contains("points"));
}

BOOST_AUTO_TEST_CASE(text_in_the_data_cannot_end_their_element) {
  Run run = support::small_run_over(Alphabet({"</script>", "<!--"}));
  run.network.file = "</title><script>.onnx";
  const std::string page = extraction_html(run, {.command = "</script><script>alert(1)"});
  const auto json = data(page);  // up to the first end of a script
  BOOST_TEST(json["alphabet"][0] == "</script>");
  BOOST_TEST(!contains(page, "</title><script>.onnx"));
  BOOST_TEST(!contains(page, "alert(1)</script>"));
}

BOOST_AUTO_TEST_CASE(a_hypothesis_with_a_picture_brings_it_and_the_others_their_edges) {
  const auto json =
      data(extraction_html(support::small_run(), {.pictures = {{2, "<svg>picture</svg>"}}}));
  BOOST_TEST(json["rungs"][2]["svg"] == "<svg>picture</svg>");
  BOOST_TEST(json["rungs"][1]["edges"] ==
             nlohmann::json::parse(R"([[0, 1, "0"], [0, 0, "1"], [1, 0, "0"], [1, 1, "1"]])"));
}

BOOST_AUTO_TEST_CASE(green_is_for_what_was_checked_and_nothing_refutes) {
  Run run = support::small_run();
  const auto unrefuted = [&] { return data(extraction_html(run, {}))["unrefuted"]; };
  BOOST_TEST(unrefuted() == false);  // it has an exception
  run.exceptions.clear();
  BOOST_TEST(unrefuted() == true);
  run.evidence[1].end = Evidence::End::Counterexample;
  BOOST_TEST(unrefuted() == false);
  run.evidence[1].end = Evidence::End::NoneFound;
  run.limit = Limit::Time;
  BOOST_TEST(unrefuted() == false);
  run.limit = Limit::None;
  run.options.method.method = Method::Quantization;
  BOOST_TEST(unrefuted() == false);  // nothing was checked
}

BOOST_AUTO_TEST_CASE(an_oracle_that_looked_at_nothing_claims_nothing) {
  Run run = support::small_run();
  run.evidence[0].words_tested = 0;
  const auto json = data(extraction_html(run, {}));
  BOOST_TEST(json["evidence"].size() == 2U);
  BOOST_TEST(json["evidence"][0]["oracle"] == "abstraction");
}

BOOST_AUTO_TEST_CASE(a_family_brings_its_parts_and_its_pattern) {
  Run run = support::small_run();
  run.families = {{.loop = {Symbol{0}, Symbol{1}}, .suffix = {Symbol{1}}, .from = 3, .tried = 90}};
  const auto family = data(extraction_html(run, {}))["families"][0];
  BOOST_TEST(family["pattern"] == "(01)^k 1, k >= 3");
  BOOST_TEST(family["loop"] == nlohmann::json({0, 1}));
  BOOST_TEST(family["to"].is_null());
}

BOOST_AUTO_TEST_CASE(without_a_ladder_the_result_is_the_only_rung) {
  Run run = support::small_run();
  run.ladder.clear();
  const auto json = data(extraction_html(run, {}));
  BOOST_TEST(json["rungs"].size() == 1U);
  BOOST_TEST(json["rungs"][0]["states"] == 4);
  BOOST_TEST(!json["rungs"][0].contains("agreement"));
}

BOOST_AUTO_TEST_CASE(the_network_is_in_the_page_unless_it_is_large) {
  Random random(1);
  NetworkSpec small = support::random_network({.hidden = 3}, random);
  const auto carried = data(extraction_html(support::small_run(), {.network = &small}))["network"];
  BOOST_TEST(carried["states"][0]["size"] == 3);
  std::size_t products = 0;
  for (const auto& node : carried["step"]) {
    if (node["weights"].is_null()) continue;
    ++products;
    const auto count =
        node["weights"]["rows"].get<std::size_t>() * node["weights"]["cols"].get<std::size_t>();
    // Floats in base64, and the character that says so.
    BOOST_TEST(node["weights"]["values"].get<std::string>().size() == 1 + (count * 4 + 2) / 3 * 4);
  }
  BOOST_TEST(products > 0U);
  const NetworkSpec large = support::random_network({.hidden = 600}, random);
  BOOST_TEST(
      data(extraction_html(support::small_run(), {.network = &large}))["network"] ==
      nlohmann::json({{"absent", "the network takes 4.4 MB, and a page carries up to 4 MB"}}));
  BOOST_TEST(data(extraction_html(support::small_run(), {}))["network"].contains("absent"));
}

BOOST_AUTO_TEST_CASE(very_large_runs_stay_below_five_megabytes_and_keep_the_result) {
  Run run = support::large_run(500, 30, 2);
  const HypothesisRecord largest = run.hypotheses.back();
  for (int i = 0; i < 150; ++i) {
    Rung rung = run.ladder.back();
    rung.hypothesis = run.hypotheses.size();
    run.ladder.push_back(rung);
    run.hypotheses.push_back(largest);
  }
  for (int i = 0; i < 400; ++i) {
    run.counterexamples.push_back(
        {.word = Word(3000, Symbol{1}), .answer = Answer::Accept, .oracle = "pumping"});
  }
  run.recommended = run.hypotheses.size() - 1;
  for (int i = 0; i < 20000; ++i) {
    run.plot.points.push_back({.x = 0.1, .y = 0.2, .word = Word(20, Symbol{2})});
  }
  const std::string page = extraction_html(run, {});
  BOOST_TEST(page.size() < 5'000'000U);
  const auto json = data(page);
  BOOST_TEST(json["rungs"].size() == run.ladder.size());
  BOOST_TEST(json["rungs"][json["result"].get<std::size_t>()].contains("next"));
  BOOST_TEST(json["rungs"][0].contains("next"));
  BOOST_TEST(!json["rungs"][run.ladder.size() - 2].contains("next"));
  BOOST_TEST(json["counterexamples"].size() == run.counterexamples.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
