#include "rnnalf/report/comparison_html.hpp"

#include <boost/test/unit_test.hpp>

// What the page does with its data is tested in a browser: tests/browser.

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(comparison_page)

BOOST_AUTO_TEST_CASE(a_run_has_its_numbers_and_the_name_of_its_network) {
  const std::string page = comparison_html({.command = "rnnalf compare a.onnx",
                                            .cells = {{.network = "folder/a.onnx",
                                                       .learner = "ttt",
                                                       .verdict = RunVerdict::NoneFound,
                                                       .states = 7,
                                                       .by_length = {{10, {4, 3, 4, 3}}}}}});
  BOOST_TEST(contains(page, R"("network":"a.onnx","learner":"ttt")"));
  BOOST_TEST(contains(page, R"("verdict":"none-found","states":7)"));
  BOOST_TEST(contains(page, R"("agreement":0.75)"));
  BOOST_TEST(contains(page, R"("words_agreement":null,"equals_target":null,"milestone":null)"));
  BOOST_TEST(contains(page, "share of 4 uniform words of each length 10 on which"));
}

BOOST_AUTO_TEST_CASE(text_cannot_end_its_element) {
  const std::string page = comparison_html({.command = "</script><script>alert(1)"});
  BOOST_TEST(!contains(page, "<script>alert(1)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
