#include "rnnalf/report/html_report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

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
  BOOST_TEST(json["hypotheses"].size() == 3U);
  BOOST_TEST(json["hypotheses"][2]["accepting"] == "1000");
  BOOST_TEST(json["hypotheses"][2]["next"] == nlohmann::json({1, 2, 0, 3, 3, 0, 2, 1}));
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
  BOOST_TEST(json["hypotheses"][2]["svg"] == "<svg>picture</svg>");
  BOOST_TEST(json["hypotheses"][1]["edges"] ==
             nlohmann::json::parse(R"([[0, 1, "0"], [0, 0, "1"], [1, 0, "0"], [1, 1, "1"]])"));
}

BOOST_AUTO_TEST_CASE(very_large_runs_stay_below_five_megabytes_and_keep_the_result) {
  Run run = support::large_run(500, 30, 2);
  const HypothesisRecord largest = run.hypotheses.back();
  for (int i = 0; i < 150; ++i) run.hypotheses.push_back(largest);
  for (int i = 0; i < 400; ++i) {
    run.counterexamples.push_back(
        {.word = Word(3000, Symbol{1}), .answer = Answer::Accept, .oracle = "pumping"});
  }
  run.recommended = 60;
  for (int i = 0; i < 20000; ++i) {
    run.plot.points.push_back({.x = 0.1, .y = 0.2, .word = Word(20, Symbol{2})});
  }
  const std::string page = extraction_html(run, {});
  BOOST_TEST(page.size() < 5'000'000U);
  const auto json = data(page);
  BOOST_TEST(json["hypotheses"].size() == run.hypotheses.size());
  BOOST_TEST(json["hypotheses"][60].contains("next"));
  BOOST_TEST(!json["hypotheses"][100].contains("next"));
  BOOST_TEST(json["counterexamples"].size() == run.counterexamples.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
