#include "rnnalf/report/comparison_html.hpp"

#include <boost/test/unit_test.hpp>

// What the page does with its data is tested in a browser: tests/browser.

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(comparison_page)

BOOST_AUTO_TEST_CASE(a_run_with_a_result_has_its_numbers_and_one_without_says_why) {
  const std::string page = comparison_html(
      {.command = "rnnalf compare a.onnx",
       .cells = {
           {.network = "folder/a.onnx", .learner = "ttt", .verdict = "none-found", .states = 7},
           {.network = "folder/a.onnx", .learner = "lstar", .failure = "out of luck"}}});
  BOOST_TEST(contains(page, R"("network":"a.onnx","learner":"ttt")"));
  BOOST_TEST(contains(page, R"("verdict":"none-found","states":7)"));
  BOOST_TEST(contains(page, R"("failure":"out of luck"})"));
}

BOOST_AUTO_TEST_CASE(text_cannot_end_its_element) {
  const std::string page = comparison_html({.command = "</script><script>alert(1)"});
  BOOST_TEST(!contains(page, "<script>alert(1)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
