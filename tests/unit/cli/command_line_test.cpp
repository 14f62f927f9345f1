#include "command_line.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "command.hpp"

namespace rnnalf::cli {
namespace {

namespace data = boost::unit_test::data;
using Strings = std::vector<std::string>;

/// A command that has one option of each sort.
struct Demo {
  CommandLine line{"demo"};
  std::string file;
  std::vector<std::string> words;
  std::optional<std::string> alphabet;
  std::vector<std::string> sample;
  double tolerance = 0.5;
  bool quiet = false;

  Demo() {
    line.describe("Shows how options are understood.", "  rnnalf demo x\n");
    line.operand("NET", file);
    line.operands("WORD", 0, words);
    line.option("alphabet", "A", "symbols", alphabet);
    line.option("sample", "WORD", "a word", sample);
    line.option("tolerance", "T", "a share", Number{.least = 0, .most = 1}, tolerance);
    line.flag("quiet", "no progress", quiet);
  }
};

std::unique_ptr<Demo> parse(const Strings& arguments) {
  auto demo = std::make_unique<Demo>();
  BOOST_TEST((demo->line.parse(arguments) == CommandLine::Asked::Run));
  return demo;
}

bool asks_for_help(const Strings& arguments) {
  return Demo().line.parse(arguments) == CommandLine::Asked::Help;
}

bool mentions(const std::exception& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(a_value_follows_its_option_or_an_equals_sign) {
  BOOST_TEST(parse({"net", "--alphabet", "01"})->alphabet.value() == "01");
  BOOST_TEST(parse({"net", "--alphabet=01"})->alphabet.value() == "01");
  BOOST_TEST(parse({"net", "--alphabet", ""})->alphabet.value() == "");
  BOOST_TEST(parse({"net", "--alphabet==="})->alphabet.value() == "==");
  BOOST_TEST(parse({"net", "--tolerance", "0.25"})->tolerance == 0.25);
}

BOOST_AUTO_TEST_CASE(nothing_after_the_equals_sign_is_an_empty_value) {
  BOOST_TEST(parse({"net", "--alphabet="})->alphabet.value() == "");
  const auto found = parse({"--sample=", "net", "--sample", "--quiet=", "--", "--sample="});
  BOOST_TEST(found->sample == (Strings{"", "--quiet="}), boost::test_tools::per_element());
  BOOST_TEST(found->file == "net");
  BOOST_TEST(found->words == Strings{"--sample="}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_value_may_look_like_an_option) {
  BOOST_TEST(parse({"net", "--alphabet", "--quiet"})->alphabet.value() == "--quiet");
  BOOST_TEST(parse({"net", "--alphabet", "-"})->alphabet.value() == "-");
  BOOST_TEST(parse({"net", "--alphabet", "--"})->alphabet.value() == "--");
}

BOOST_AUTO_TEST_CASE(brackets_and_commas_of_values_and_operands_are_kept) {
  const auto found = parse({"net", "[0,S,F]", "--sample", "[a,b]", "--sample={}", "{}"});
  BOOST_TEST(found->words == (Strings{"[0,S,F]", "{}"}), boost::test_tools::per_element());
  BOOST_TEST(found->sample == (Strings{"[a,b]", "{}"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(options_and_operands_mix) {
  const auto found = parse({"--quiet", "net", "--sample", "a", "", "--sample=b"});
  BOOST_TEST(found->quiet);
  BOOST_TEST(found->file == "net");
  BOOST_TEST(found->words == Strings{""}, boost::test_tools::per_element());
  BOOST_TEST(found->sample == (Strings{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(found->line.given("quiet"));
  BOOST_TEST(!found->line.given("alphabet"));
  BOOST_TEST(!found->alphabet.has_value());
  BOOST_TEST(found->tolerance == 0.5);
}

BOOST_AUTO_TEST_CASE(after_two_dashes_everything_is_an_operand) {
  const auto found = parse({"--", "net", "--quiet", "--", "-x"});
  BOOST_TEST(found->file == "net");
  BOOST_TEST(found->words == (Strings{"--quiet", "--", "-x"}), boost::test_tools::per_element());
  BOOST_TEST(!found->quiet);
}

BOOST_AUTO_TEST_CASE(a_single_dash_is_an_operand) {
  BOOST_TEST(parse({"net", "-"})->words == Strings{"-"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(help_wins_over_everything_that_follows_and_over_what_is_missing) {
  BOOST_TEST(asks_for_help({"--help"}));
  BOOST_TEST(asks_for_help({"-h", "--no-such-option"}));
  BOOST_TEST(asks_for_help({"--help", "--alphabet"}));
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
    {{"net", "--alphabet"}, "--alphabet: expected a value A"},
    {{"net", "--alphabet", "1", "--alphabet", "2"}, "--alphabet: expected once, found twice"},
    {{"net", "--quiet", "--quiet"}, "--quiet: expected once, found twice"},
    {{"net", "--quiet=yes"}, "--quiet: expected no value"},
    {{"net", "--quiet="}, "--quiet: expected no value"},
    {{"net", "--tolerance", "x"}, "--tolerance: expected a number from 0 to 1, found 'x'"},
    {{"net", "--tolerance="}, "--tolerance: expected a number from 0 to 1, found ''"},
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

BOOST_AUTO_TEST_CASE(too_many_operands_are_refused) {
  std::string in, out;
  CommandLine line("demo");
  line.operand("IN", in);
  line.operand("OUT", out);
  BOOST_CHECK_EXCEPTION(
      (void)line.parse(Strings{"a", "b", "c"}), UsageError,
      [](const UsageError& error) { return mentions(error, "expected IN OUT, found 3 operands"); });
}

BOOST_AUTO_TEST_CASE(what_must_hold_between_options_is_checked_when_all_are_read) {
  Demo demo;
  demo.line.check([&demo] {
    if (demo.quiet && demo.tolerance > 0.9) throw UsageError("too quiet");
  });
  BOOST_CHECK_EXCEPTION((void)demo.line.parse(Strings{"net", "--quiet", "--tolerance=1"}),
                        UsageError,
                        [](const UsageError& error) { return mentions(error, "too quiet"); });
}

BOOST_AUTO_TEST_CASE(help_shows_the_range_and_the_default_that_a_variable_has) {
  BOOST_TEST(
      mentions(std::runtime_error(Demo().line.help()), "a share (from 0 to 1; default: 0.5)"));
}

BOOST_AUTO_TEST_CASE(help_names_every_option_in_lines_of_a_terminals_width) {
  for (const Command& command : commands()) {
    CommandLine line{std::string(command.name)};
    const Work work = command.declare(line);
    const std::string text = line.help();
    for (const std::string& name : line.option_names()) {
      BOOST_TEST(text.find("--" + name) != std::string::npos);
    }
    BOOST_TEST(text.find("Examples:") != std::string::npos);
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    BOOST_TEST(longest <= 96U);
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
  BOOST_TEST(request.command->name == "info");
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
  const auto line = [&](const Strings& given) { return parse(given)->line.again(without); };
  BOOST_TEST(line({"it's a net.onnx", "--alphabet", "( )", "--quiet", "--sample=0"}) ==
             "rnnalf demo 'it'\\''s a net.onnx' --alphabet '( )' --quiet");
  BOOST_TEST(line({"net", "--alphabet", ""}) == "rnnalf demo net --alphabet ''");
  BOOST_TEST(line({"--quiet", "--", "-net"}) == "rnnalf demo --quiet -- -net");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
