#include "graphviz.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "rnnalf/study/process.hpp"
#include "support/coded_dfa.hpp"
#include "support/message_of.hpp"

namespace rnnalf::cli {
namespace {

using namespace std::chrono_literals;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// A program in a folder of its own that does what the script says.
struct FakeProgram {
  explicit FakeProgram(const std::string& script) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "rnnalf-graphviz-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    path = (folder / "draw").string();
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~FakeProgram() { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
  std::string path;
};

std::string message(const std::string& program, std::chrono::duration<double> time = 10s) {
  return support::message_of<ProgramError>(
      [&] { (void)run_graphviz(program, "digraph {}", time); });
}

BOOST_AUTO_TEST_SUITE(graphviz)

BOOST_AUTO_TEST_CASE(every_state_and_merged_transition_is_drawn) {
  const std::string svg = svg_picture({Alphabet({"0", "1"}), support::tomita(5)}, {}, 20s);
  BOOST_TEST(count(svg, "class=\"node state") == 4U);
  BOOST_TEST(count(svg, "class=\"edge transition\"") == 8U);
  BOOST_TEST(count(svg, "state accepting") == 1U);
}

BOOST_AUTO_TEST_CASE(hostile_symbols_stay_text) {
  const Alphabet hostile({"<script>alert(1)</script>", "]]>\"'&amp;\\N\\"});
  const std::string svg = svg_picture({hostile, support::tomita(5)}, {}, 20s);
  BOOST_TEST(!contains(svg, "<script"));
  BOOST_TEST(contains(svg, "&lt;script&gt;alert(1)"));
  BOOST_TEST(contains(svg, "&amp;amp;\\N\\"));
}

BOOST_AUTO_TEST_CASE(a_program_that_is_missing_is_named_with_its_package) {
  BOOST_TEST(message("rnnalf-no-such-program") ==
             "expected the program 'rnnalf-no-such-program' (Debian package graphviz), "
             "found none");
}

BOOST_AUTO_TEST_CASE(the_text_reaches_the_program_and_its_answer_comes_back) {
  const FakeProgram echo("cat");
  const std::string large(5'000'000, 'x');  // more than any pipe holds
  BOOST_TEST((run_graphviz(echo.path, large, 20s) == large));
}

BOOST_AUTO_TEST_CASE(a_failure_says_the_first_line_of_what_the_program_said) {
  const FakeProgram failing("echo 'bad syntax' >&2; echo more >&2; exit 1");
  BOOST_TEST(contains(message(failing.path), "failed: bad syntax"));
  BOOST_TEST(!contains(message(failing.path), "more"));
}

BOOST_AUTO_TEST_CASE(a_program_that_takes_too_long_is_ended) {
  const FakeProgram slow("exec sleep 60");
  BOOST_TEST(contains(message(slow.path, 100ms), "did not finish within 100 ms"));
}

BOOST_AUTO_TEST_CASE(of_a_large_automaton_the_core_is_drawn_with_what_is_left_out) {
  Random random(4);
  const Dfa dfa = support::random_minimal_dfa(2000, 2, random);
  BOOST_TEST_REQUIRE(dfa.size() > 1000U);
  const std::string svg = svg_picture(
      {Alphabet({"0", "1"}), dfa},
      {.rest = "All of it is in a & b.html.", .rest_link = "a & b.html#transitions"}, 20s);
  BOOST_TEST(count(svg, "class=\"node state") == 30U);
  BOOST_TEST(contains(svg, "The core: 30 of "));
  BOOST_TEST(contains(svg, "All of it is in a &amp; b.html."));
  BOOST_TEST(contains(svg, "xlink:href=\"a &amp; b.html#transitions\""));
}

BOOST_AUTO_TEST_CASE(a_picture_has_the_format_of_its_extension) {
  const NamedDfa automaton{Alphabet({"0", "1"}), support::tomita(5)};
  const auto drawn = [&](const char* name) {
    return picture_of_any(automaton, {}, 20s, picture_format_of(name));
  };
  BOOST_TEST(drawn("a.pdf").starts_with("%PDF-"));
  BOOST_TEST(drawn("a.png").starts_with("\x89PNG\r\n"));
  BOOST_TEST(contains(drawn("a.b.svg"), "<svg "));
  BOOST_CHECK_THROW((void)picture_format_of("a.jpeg"), OptionError);
  BOOST_CHECK_THROW((void)picture_format_of("pdf"), OptionError);
}

BOOST_AUTO_TEST_CASE(a_pdf_that_takes_too_long_is_an_error_and_not_text) {
  const NamedDfa automaton{Alphabet({"0", "1"}), support::tomita(5)};
  BOOST_CHECK_THROW((void)picture_of_any(automaton, {}, 0s, PictureFormat::Pdf), ProgramError);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_in_time_is_written_in_words) {
  const std::string svg = picture_of_any({Alphabet({"0", "1"}), support::tomita(5)}, {}, 0s);
  BOOST_TEST(contains(svg, ">s0, initial, accepting:  0 → s1  1 → s2</text>"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
