#include "rnnalf/base/json.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

/// What is said of a text; empty: it was read.
std::string refusal(std::string_view text, int most_depth = 100) {
  try {
    static_cast<void>(
        parse_json(text, most_depth, [](const std::string& message) { throw Error(message); }));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(what_is_json_is_read) {
  const auto never = [](const std::string& message) { throw Error(message); };
  const auto read = parse_json(R"({"b": [1, -2.5e3, "ä"], "a": null})", 100, never);
  BOOST_TEST(read["b"][1].get<double>() == -2500);
  BOOST_TEST(read.dump() == R"({"a":null,"b":[1,-2500.0,"ä"]})");
}

BOOST_AUTO_TEST_CASE(a_number_that_no_double_holds_is_refused_where_it_stands) {
  BOOST_TEST(refusal("1e999") ==
             "line 1, column 1: expected a number below 1.8e308, found '1e999'");
  BOOST_TEST(refusal("{\n  \"a\": [0,\n -1e999]}") ==
             "line 3, column 2: expected a number below 1.8e308, found '-1e999'");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused_with_line_and_column) {
  BOOST_TEST(refusal("") == "line 1, column 1: expected JSON, found the end of the text");
  BOOST_TEST(refusal("[1,\n2") == "line 2, column 2: expected JSON, found the end of the text");
  BOOST_TEST(refusal("[1,\n}") == "line 2, column 1: expected JSON, found '}'");
  BOOST_TEST(refusal("{\"a\": 1} x") == "line 1, column 10: expected JSON, found 'x'");
  BOOST_TEST(refusal("[\"\xff\"]").starts_with("line 1, column 2: expected JSON, found "));
}

BOOST_AUTO_TEST_CASE(a_message_is_one_line_whatever_the_text) {
  for (const char* const text : {"\"a\nb\"", "\"\033[2J", "[\"\u202e\" 1]", "\"\x01"}) {
    const std::string message = refusal(text);
    BOOST_TEST(!message.empty());
    BOOST_TEST(message.find_first_of("\n\033") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(depth_is_bounded) {
  BOOST_TEST(refusal("[[[0]]]", 3).empty());
  BOOST_TEST(refusal("[[[[0]]]]", 3) ==
             "expected at most 3 arrays and objects inside of each other, found more");
  BOOST_TEST(refusal(std::string(1'000'000, '[')).find("at most 100") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
