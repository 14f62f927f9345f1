#include "arguments.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "command.hpp"

namespace rnnalf::cli {
namespace {

namespace data = boost::unit_test::data;
using Strings = std::vector<std::string>;

const Syntax kSyntax{.name = "demo",
                     .operands = "NET [WORD...]",
                     .least_operands = 1,
                     .most_operands = 3,
                     .summary = "a demo",
                     .description = "Shows how options are understood.",
                     .options = {{"alphabet", "A", "symbols"},
                                 {"sample", "WORD", "a word", true},
                                 {"quiet", "", "no progress"}},
                     .examples = "  rnnalf demo x\n"};

Arguments parse(const Strings& arguments) {
  return parse_arguments(kSyntax, arguments);
}

bool mentions(const std::exception& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(arguments)

BOOST_AUTO_TEST_CASE(a_value_follows_its_option_or_an_equals_sign) {
  BOOST_TEST(parse({"net", "--alphabet", "01"}).value("alphabet").value() == "01");
  BOOST_TEST(parse({"net", "--alphabet=01"}).value("alphabet").value() == "01");
  BOOST_TEST(parse({"net", "--alphabet="}).value("alphabet").value() == "");
  BOOST_TEST(parse({"net", "--alphabet==="}).value("alphabet").value() == "==");
}

BOOST_AUTO_TEST_CASE(a_value_may_look_like_an_option) {
  BOOST_TEST(parse({"net", "--alphabet", "--quiet"}).value("alphabet").value() == "--quiet");
  BOOST_TEST(parse({"net", "--alphabet", "-"}).value("alphabet").value() == "-");
}

BOOST_AUTO_TEST_CASE(options_and_operands_mix) {
  const Arguments found = parse({"--quiet", "net", "--sample", "a", "", "--sample=b"});
  BOOST_TEST(found.has("quiet"));
  BOOST_TEST(found.operands == (Strings{"net", ""}), boost::test_tools::per_element());
  BOOST_TEST(found.values("sample") == (Strings{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(!found.has("alphabet"));
  BOOST_TEST(!found.value("alphabet").has_value());
}

BOOST_AUTO_TEST_CASE(after_two_dashes_everything_is_an_operand) {
  BOOST_TEST(parse({"--", "net", "--quiet", "--"}).operands == (Strings{"net", "--quiet", "--"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_single_dash_is_an_operand) {
  BOOST_TEST(parse({"net", "-"}).operands == (Strings{"net", "-"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(help_wins_over_everything_that_follows_and_over_what_is_missing) {
  BOOST_TEST(parse({"--help"}).help);
  BOOST_TEST(parse({"-h", "--no-such-option"}).help);
}

struct Wrong {
  Strings arguments;
  std::string message;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
  return out << wrong.message;
}

const std::vector<Wrong> wrong_usage = {
    {{}, "expected NET [WORD...], found 0 operands"},
    {{"a", "b", "c", "d"}, "found 4 operands"},
    {{"net", "--alphabet"}, "--alphabet: expected a value A"},
    {{"net", "--alphabet", "1", "--alphabet", "2"}, "--alphabet: expected once, found twice"},
    {{"net", "--quiet=yes"}, "--quiet: expected no value"},
    {{"net", "--alphabt", "01"}, "unknown option '--alphabt', did you mean --alphabet?"},
    {{"net", "--alphbaet=01"}, "unknown option '--alphbaet', did you mean --alphabet?"},
    {{"net", "--al", "01"}, "did you mean --alphabet?"},
    {{"net", "--hlep"}, "did you mean --help?"},
    {{"net", "-quiet"}, "did you mean --quiet?"},
    {{"net", "--frobnicate"},
     "unknown option '--frobnicate', put words that begin with a dash after --"},
    {{"net", "-1-1"}, "after --"}};

BOOST_DATA_TEST_CASE(wrong_usage_is_said_with_a_hint, data::make(wrong_usage), wrong) {
  BOOST_CHECK_EXCEPTION((void)parse(wrong.arguments), UsageError, [&](const UsageError& error) {
    BOOST_TEST_INFO(error.what());
    return mentions(error, wrong.message);
  });
}

BOOST_AUTO_TEST_CASE(help_names_every_option_in_lines_of_a_terminals_width) {
  for (const Command& command : commands()) {
    const std::string text = help_text(command.syntax);
    for (const Option& option : command.syntax.options) {
      BOOST_TEST(text.find("--" + std::string(option.name)) != std::string::npos);
    }
    BOOST_TEST(text.find("Examples:") != std::string::npos);
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    BOOST_TEST(longest <= 100U);
  }
}

BOOST_AUTO_TEST_CASE(the_command_line_is_understood_without_side_effects) {
  using Kind = Request::Kind;
  BOOST_TEST((parse_command_line(Strings{"--help"}).kind == Kind::ProgramHelp));
  BOOST_TEST((parse_command_line(Strings{"help", "info"}).kind == Kind::CommandHelp));
  BOOST_TEST((parse_command_line(Strings{"info", "--help"}).kind == Kind::CommandHelp));
  BOOST_TEST((parse_command_line(Strings{"--version"}).kind == Kind::Version));
  const Request request = parse_command_line(Strings{"info", "/no/such/file"});
  BOOST_TEST((request.kind == Kind::Run));
  BOOST_TEST(request.command->syntax.name == "info");
}

BOOST_AUTO_TEST_CASE(an_unknown_command_gets_the_nearest_one) {
  BOOST_CHECK_EXCEPTION(
      (void)parse_command_line(Strings{"clasify"}), UsageError,
      [](const UsageError& error) { return mentions(error, "did you mean classify?"); });
  BOOST_CHECK_EXCEPTION((void)parse_command_line(Strings{"xyzzy"}), UsageError,
                        [](const UsageError& error) { return !mentions(error, "did you mean"); });
  BOOST_CHECK_THROW((void)parse_command_line(Strings{}), UsageError);
}

BOOST_AUTO_TEST_CASE(a_command_line_can_be_written_again_for_a_shell) {
  const std::vector<std::string_view> without = {"sample"};
  const auto line = [&](const Strings& given) {
    return command_line(kSyntax, parse(given), without);
  };
  BOOST_TEST(line({"it's a net.onnx", "--alphabet", "( )", "--quiet", "--sample=0"}) ==
             "rnnalf demo 'it'\\''s a net.onnx' --alphabet '( )' --quiet");
  BOOST_TEST(line({"net", "--alphabet", ""}) == "rnnalf demo net --alphabet ''");
  BOOST_TEST(line({"--quiet", "--", "-net"}) == "rnnalf demo --quiet -- -net");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
