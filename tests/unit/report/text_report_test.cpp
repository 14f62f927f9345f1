#include "rnnalf/report/text_report.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/transition_table.hpp"
#include "support/coded_dfa.hpp"
#include "support/sample_runs.hpp"

namespace rnnalf {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines(text)) {
    if (contains(line, part)) return line;
  }
  return "";
}

BOOST_AUTO_TEST_SUITE(text_report)

BOOST_AUTO_TEST_CASE(green_is_for_what_nothing_refutes) {
  Run run = support::small_run();
  const TextStyle style{.colour = true};
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;33m"));  // an exception
  run.exceptions.clear();
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;32m"));
  run.evidence[2].end = Evidence::End::Counterexample;
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;33m"));
}

BOOST_AUTO_TEST_CASE(the_whole_report_of_a_small_run) {
  Run run = support::small_run();
  run.evidence[2].looked_at =
      WordsCompared{.kind = WordsCompared::Kind::Random, .longest = 30, .complete_to = 3};
  BOOST_TEST(extraction_text(run, {}) ==
             R"(A 4-state automaton agrees with the network on almost all words tested of up to
30 symbols.
It is equivalent to the target.

         0   1
 > * s0  s1  s2
     s1  s0  s3
     s2  s3  s0
     s3  s2  s1

Agreement with the network          words  agree
  all words of 1 to 3 symbols          14  100 %
  random words of 1 to 30 symbols  30,000  100 %
  pumped words                        100  100 %
With 99 % confidence, at least 99.5 % of all words of every length up to 30
agree.

The network differs from the automaton on 1 word found so far. It has 8 symbols.
  00110101  network rejects, automaton accepts

The network is wrong on 1 of the 2 counterexamples it was learned from.
  11010  network accepts  target rejects  found by abstraction

Oracles
  samples      no counterexample in 2 sample words
  abstraction  no conflict between automaton and abstraction (17 A-states, 171
               R-states, depth 10)
  random       no counterexample in 12,000 random words of up to 30 symbols and
               in all words of up to 3 symbols

Learning took 2.5 s: 3 hypotheses, 2 counterexamples, 57 membership queries,
12,904 network steps.
Learning stopped because no oracle found a counterexample. The differences above
were found later, when agreement was measured.
)");
}

BOOST_AUTO_TEST_CASE(an_automaton_of_16_states_and_12_symbols_is_always_printed) {
  Random random(1);
  const TextStyle style{.width = 80};
  for (const std::size_t states : {16U, 17U}) {
    for (const std::size_t symbols : {12U, 13U}) {
      Run run = support::large_run(states, symbols, 1);
      const std::string text = extraction_text(run, style);
      const bool printed = states == 16 && symbols == 12;
      BOOST_TEST(contains(text, "\n > ") == printed, text);
      BOOST_TEST(contains(text, "  automaton  ") != printed, text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_larger_automaton_is_summarised_with_the_command_that_draws_it) {
  const Run run = support::large_run(60, 2, 3);
  const std::string text =
      extraction_text(run, {.width = 120, .draw = "rnnalf extract net.onnx --pdf automaton.pdf"});
  BOOST_TEST(line_with(text, "  automaton  ")
                 .starts_with("  automaton  " + std::to_string(run.dfa().size()) + " states, "));
  BOOST_TEST(contains(text, "; the largest strongly connected component has "));
  BOOST_TEST(!line_with(text, "  accepts    ").empty());
  BOOST_TEST(contains(text, "To draw it: rnnalf extract net.onnx --pdf automaton.pdf\n"));
}

BOOST_AUTO_TEST_CASE(the_summary_has_the_five_shortest_accepted_words) {
  BOOST_TEST(contains(automaton_summary({Alphabet({"0", "1"}), support::tomita(5)}, {}),
                      "accepts    \u03b5, 00, 11, 0000, 0011\n"));
  BOOST_TEST(contains(automaton_summary({Alphabet({"0", "1"}), support::tomita(5)}, {.width = 120}),
                      "4 states, 1 accepting; the largest strongly connected component has 4"));
  Dfa nothing(1, 1);
  BOOST_TEST(contains(automaton_summary({Alphabet({"0"}), nothing}, {}), "accepts    no word\n"));
  Dfa once(1, 3);  // accepts 0 alone
  once.set_next(LState{0}, Symbol{0}, LState{1});
  once.set_next(LState{1}, Symbol{0}, LState{2});
  once.set_accepting(LState{1}, true);
  BOOST_TEST(contains(automaton_summary({Alphabet({"0"}), once}, {}), "accepts    0\n"));
  BOOST_TEST(contains(automaton_summary({Alphabet({"0"}), once}, {}), "sink s2"));
}

BOOST_AUTO_TEST_CASE(a_column_stands_for_symbols_that_act_alike) {
  Dfa dfa(26, 1);
  BOOST_TEST(transition_table({Alphabet::parse("abcdefghijklmnopqrstuvwxyz"), dfa}, {}) ==
             "         any\n"
             " >   s0  s0   sink\n");
}

BOOST_AUTO_TEST_CASE(labels_that_do_not_fit_are_listed_below_the_table) {
  const Dfa dfa = support::tomita(5);
  const Alphabet alphabet({"the-first-of-two-symbols", "the-second-of-two-symbols"});
  BOOST_TEST(transition_table({alphabet, dfa}, {.width = 40}) ==
             "         c1  c2\n"
             " > * s0  s1  s2\n"
             "     s1  s0  s3\n"
             "     s2  s3  s0\n"
             "     s3  s2  s1\n"
             "\n"
             " c1  the-first-of-two-symbols\n"
             " c2  the-second-of-two-symbols\n");
}

BOOST_AUTO_TEST_CASE(the_last_line_is_the_advice) {
  Run run = support::small_run();
  run.limit = Limit::Time;
  const auto last = [&](Spelling spelling) {
    return lines(extraction_text(run, {.spelling = spelling})).back();
  };
  BOOST_TEST(last(Spelling::CommandLine) ==
             "To continue further, raise the limit: --time-limit 120s");
  BOOST_TEST(last(Spelling::Python) == "To continue further, raise the limit: time_limit='120s'");
  run.limit = Limit::None;
  run.exceptions.clear();
  BOOST_TEST(last(Spelling::CommandLine) ==
             "Learning stopped because no oracle found a counterexample.");
}

BOOST_AUTO_TEST_CASE(a_run_without_a_target_lists_no_errors) {
  Run run = support::small_run();
  run.target.reset();
  BOOST_TEST(!contains(extraction_text(run, {}), "target"));
}

BOOST_AUTO_TEST_CASE(no_escape_sequence_without_colour) {
  BOOST_TEST(!contains(extraction_text(support::small_run(), {.colour = false}), "\033"));
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_screen) {
  const Run large = support::large_run(120, 3, 1);
  const Run small = support::small_run();
  for (const Run* run : {&large, &small}) {
    for (const std::size_t width : {40U, 57U, 80U, 132U}) {
      for (const std::string& line : lines(extraction_text(*run, {.width = width}))) {
        BOOST_TEST(display_width(line) <= width, line);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(without_utf8_the_summary_is_ascii) {
  const Run run = support::small_run_over(Alphabet({"λ", "🙂"}));
  const std::string text = extraction_text(run, {.utf8 = false});
  BOOST_TEST(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
  BOOST_TEST(contains(text, "\\u03bb"));
}

BOOST_AUTO_TEST_CASE(hostile_symbols_cannot_steer_the_terminal) {
  Run run = support::small_run_over(Alphabet({"\u202e", "\xc2\x9b"}));
  run.network.file = "a\033[2Jb.onnx";
  const std::string text = extraction_text(run, {});
  BOOST_TEST(!contains(text, "\u202e"));
  BOOST_TEST(!contains(text, "\xc2\x9b"));
  BOOST_TEST(!contains(text, "\033"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
