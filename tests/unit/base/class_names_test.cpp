#include "rnnalf/base/class_names.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/message_of.hpp"

namespace rnnalf {
namespace {

namespace data = boost::unit_test::data;

template <class Call>
std::string message_of(const Call& call) {
  return support::message_of<OptionError>(call);
}

BOOST_AUTO_TEST_SUITE(class_names)

BOOST_AUTO_TEST_CASE(a_class_is_called_by_its_name_and_found_by_name_or_number) {
  const ClassNames names = ClassNames::parse(" negative  neutral größer ");
  BOOST_TEST(names.names() == (std::vector<std::string>{"negative", "neutral", "größer"}),
             boost::test_tools::per_element());
  BOOST_TEST(names.name(Answer{2}) == "größer");
  BOOST_TEST((names.find("neutral") == std::size_t{1}));
  BOOST_TEST((names.find("1") == std::size_t{1}));
  BOOST_TEST(!names.find("Neutral").has_value());
  BOOST_TEST(!names.find("").has_value());
}

BOOST_AUTO_TEST_CASE(without_names_a_class_is_its_number) {
  const ClassNames none;
  BOOST_TEST(none.empty());
  BOOST_TEST(none.name(Answer{3}) == "3");
  BOOST_TEST((none.find("3") == std::size_t{3}));
  BOOST_TEST(!none.find("three").has_value());
}

BOOST_AUTO_TEST_CASE(a_number_may_be_the_name_of_its_own_class_alone) {
  BOOST_TEST(ClassNames({"low", "1", "high"}).name(Answer{1}) == "1");
  BOOST_TEST(message_of([] {
               ClassNames({"1", "2", "3"});
             }) == "class 0: expected no number but its own as its name, found '1'");
  BOOST_TEST(message_of([] {
               ClassNames({"a", "01"});
             }) == "class 1: expected no number but its own as its name, found '01'");
  BOOST_TEST(message_of([] {
               ClassNames({"-1", "zero"});
             }) == "class 0: expected no number but its own as its name, found '-1'");
  BOOST_TEST(message_of([] {
               ClassNames({"a", "99999999999999999999999"});
             }) ==
             "class 1: expected no number but its own as its name, found "
             "'99999999999999999999999'");
}

BOOST_AUTO_TEST_CASE(names_are_distinct) {
  BOOST_TEST(message_of([] {
               ClassNames({"low", "high", "low"});
             }) == "class 2: expected a name that no other class has, found 'low'");
  BOOST_TEST(message_of([] { static_cast<void>(ClassNames::parse("  ")); }) ==
             "expected names with spaces between them, found none");
}

const std::vector<std::string> unusable = {
    "",    "a b",  "a\tb", "a\nb", "a|b",  "N/A",    "\"",       "\\",     "{a}",
    "<a>", "\x7f", "\xff", "\x01", "\xc3", "\u200b", "a\u202eb", "\u2028", "\xed\xa0\x80"};

BOOST_DATA_TEST_CASE(what_would_break_a_line_or_a_label_is_no_name, data::make(unusable), name) {
  BOOST_TEST(message_of([&] {
               ClassNames({"low", name});
             }).starts_with("class 1: expected a name without white space and without "));
  BOOST_TEST(message_of([&] {
               GivenClass{std::string_view(name)};
             }).starts_with("expected the number or the name of a class, found "));
}

BOOST_AUTO_TEST_CASE(a_class_is_given_as_a_number_or_as_what_could_be_a_name) {
  BOOST_TEST(GivenClass(7).text() == "7");
  BOOST_TEST(GivenClass(std::string_view("7")).text() == "7");
  BOOST_TEST(GivenClass(std::string_view("positive")).text() == "positive");
  for (const std::string text : {"-1", "+1", "99999999999999999999999"}) {
    BOOST_TEST(message_of([&] { GivenClass{std::string_view(text)}; }) ==
               "expected the number or the name of a class, found '" + text + "'");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
