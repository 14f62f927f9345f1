// Reports of a run whose network has three classes.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/picture.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/text_report.hpp"
#include "rnnalf/report/transition_table.hpp"
#include "support/sample_runs.hpp"

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Run named_run() {
  Run run = support::moore_run();
  run.network.classes = ClassNames({"low", "middle", "größer"});
  return run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moore_report)

BOOST_AUTO_TEST_CASE(the_text_names_classes_where_it_named_accept_and_reject) {
  const std::string text = extraction_text(support::moore_run(), {.width = 100});
  BOOST_TEST(contains(text, "A 3-state automaton"), text);
  BOOST_TEST(contains(text, "class 2"), text);
  BOOST_TEST(contains(text, "class 0"), text);
  BOOST_TEST(!contains(text, "accept"), text);
  BOOST_TEST(!contains(text, "reject"), text);
  BOOST_TEST(transition_table({Alphabet::numbered(2), support::moore_run().dfa()}, {}) ==
             "         class  0   1\n"
             " >   s0  2      s0  s1\n"
             "     s1  0      s1  s2\n"
             "     s2  1      s2  s0\n");
}

BOOST_AUTO_TEST_CASE(json_has_the_number_of_a_class) {
  const auto json = nlohmann::json::parse(extraction_json(support::moore_run()));
  BOOST_TEST(json["network"]["classes"] == 3);
  BOOST_TEST(json["dfa"]["accepting"].is_null());
  BOOST_TEST((json["dfa"]["outputs"] == nlohmann::json{2, 0, 1}));
  BOOST_TEST(json["counterexamples"][0]["network"] == 2);
  BOOST_TEST(json["counterexamples"][0]["target"] == 0);
}

BOOST_AUTO_TEST_CASE(a_picture_has_the_class_in_each_state_and_none_accepting) {
  const std::string dot = picture_dot({Alphabet::numbered(2), support::moore_run().dfa()});
  BOOST_TEST(contains(dot, "s0 / <b>2</b>"), dot);
  BOOST_TEST(contains(dot, "s1, class 0, reached by"), dot);
  BOOST_TEST(!contains(dot, "doublecircle"), dot);
  BOOST_TEST(!contains(dot, "accepting"), dot);
}

BOOST_AUTO_TEST_CASE(the_page_has_the_classes) {
  const std::string page = extraction_html(support::moore_run(), {});
  BOOST_TEST(contains(page, "\"classes\":[2,0,1]"));
  BOOST_TEST(contains(page, "\"network\":2"));
}

BOOST_AUTO_TEST_CASE(where_classes_have_names_the_text_has_them_and_no_numbers) {
  const std::string text = extraction_text(named_run(), {.width = 100});
  BOOST_TEST(contains(text, "network answers größer, automaton answers "), text);
  BOOST_TEST(!contains(text, "class 2"), text);
  BOOST_TEST(transition_table(named(named_run().network, named_run().dfa()), {}) ==
             "         class   0   1\n"
             " >   s0  größer  s0  s1\n"
             "     s1  low     s1  s2\n"
             "     s2  middle  s2  s0\n");
  // Where the terminal shows ASCII alone, names are shown in it.
  const std::string ascii = extraction_text(named_run(), {.width = 100, .utf8 = false});
  BOOST_TEST(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c > 0; }), ascii);
}

BOOST_AUTO_TEST_CASE(json_has_the_names_beside_the_numbers) {
  const auto json = nlohmann::json::parse(extraction_json(named_run()));
  const nlohmann::json names = {"low", "middle", "größer"};
  BOOST_TEST((json["network"]["class_names"] == names));
  BOOST_TEST((json["dfa"]["class_names"] == names));
  BOOST_TEST((json["dfa"]["outputs"] == nlohmann::json{2, 0, 1}));
  BOOST_TEST(json["counterexamples"][0]["network"] == 2);
  BOOST_TEST(nlohmann::json::parse(extraction_json(support::moore_run()))["network"]["class_names"]
                 .empty());
}

BOOST_AUTO_TEST_CASE(pictures_and_pages_have_the_names) {
  const std::string dot = picture_dot(named(named_run().network, named_run().dfa()));
  BOOST_TEST(contains(dot, "s0 / <b>größer</b>"), dot);
  BOOST_TEST(contains(dot, "s1, class low, reached by"), dot);
  const std::string page = extraction_html(named_run(), {});
  BOOST_TEST(contains(page, "\"class_names\":[\"low\",\"middle\",\"größer\"]"));
  BOOST_TEST(contains(page, "\"classes\":[2,0,1]"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
