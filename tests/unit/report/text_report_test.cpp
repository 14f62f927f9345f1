#include "rnnalf/report/text_report.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "rnnalf/report/evidence_words.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/verdict_words.hpp"
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

BOOST_AUTO_TEST_CASE(the_finding_comes_first_and_claims_no_proof) {
  Run run = support::small_run();
  run.exceptions.clear();
  const std::string text = extraction_text(run, {});
  BOOST_TEST(verdict_sentence(run) ==
             "4 states explain the network on all words measured, up to 30 symbols: 100 % of "
             "30,000 words (99.5 % of each length at least, with 99 % confidence).");
  BOOST_TEST(lines(text)[0].starts_with("4 states explain the network"));
  BOOST_TEST(contains(text, "No oracle found a counterexample to it, which is no proof."));
}

BOOST_AUTO_TEST_CASE(the_finding_says_up_to_which_length_it_holds_and_what_comes_then) {
  Run run = support::small_run();
  Rung& rung = run.ladder[2];
  rung.horizon = 19;
  for (std::size_t i = 19; i < 30; ++i) rung.agreement.uniform[i].agreed = 780;
  BOOST_TEST(verdict_sentence(run) ==
             "4 states explain the network on words of up to 19 symbols: 100 % of 19,000 words "
             "(99.5 % of each length at least, with 99 % confidence); 78 % at 20, 78 % at 30.");
}

BOOST_AUTO_TEST_CASE(green_is_for_what_nothing_refutes) {
  Run run = support::small_run();
  const TextStyle style{.colour = true};
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;33m"));  // an exception
  run.exceptions.clear();
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;32m"));
  run.evidence[2].end = Evidence::End::Counterexample;
  BOOST_TEST(lines(extraction_text(run, style))[0].starts_with("\033[1;33m"));
}

BOOST_AUTO_TEST_CASE(the_ladder_shows_what_more_states_buy_and_marks_the_result) {
  const std::string text = extraction_text(support::small_run(), {.width = 100});
  BOOST_TEST(contains(text, "        1               0         -    50.0 %"));
  BOOST_TEST(contains(text, ">       4              30    99.5 %   100.0 %"));
}

BOOST_AUTO_TEST_CASE(a_rule_behind_exceptions_is_told_with_its_range) {
  Run run = support::small_run();
  run.families = {{.prefix = {Symbol{0}},
                   .loop = {Symbol{1}},
                   .suffix = {Symbol{0}},
                   .from = 9,
                   .tried = 100,
                   .share = 1.0,
                   .words = 4}};
  BOOST_TEST(contains(findings(run, 30, true, Spelling::CommandLine)[0],
                      "after 0, (1)^9 and more, then 0: the network rejects (and so after any word "
                      "that leads to s0)"));
  run.families[0].to = 12;
  run.families[0].share = 0.1;
  BOOST_TEST(contains(findings(run, 30, true, Spelling::CommandLine)[0], "; also after 0, (1)^9"));
  BOOST_TEST(contains(findings(run, 30, true, Spelling::CommandLine)[0],
                      "(1)^9 to ^12, then 0: the network rejects."));
}

BOOST_AUTO_TEST_CASE(the_first_word_is_named_unless_the_rule_begins_with_it) {
  Run run = support::small_run();
  run.exceptions = {{.word = Word(3, Symbol{0}), .answer = Answer::Accept}};
  run.families = {{.loop = {Symbol{0}}, .from = 3, .answer = Answer::Accept}};
  const auto leaving = [&] { return findings(run, 30, true, Spelling::CommandLine)[0]; };
  BOOST_TEST(leaving().starts_with(
      "The network leaves this language from 3 symbols on: (0)^3 and more: the network accepts"));
  run.families[0].from = 5;
  BOOST_TEST(
      leaving().starts_with("The network leaves this language from 3 symbols on, first on "
                            "000; also (0)^5 and more: the network accepts"));
}

BOOST_AUTO_TEST_CASE(what_larger_automata_gain_is_said_by_its_size) {
  Run run = support::small_run();
  for (LengthAgreement& at : run.ladder[2].agreement.uniform) {
    if (at.length > 10) at.agreed = 700;
  }
  run.ladder[2].horizon = 10;
  run.ladder.push_back(run.ladder[2]);
  run.ladder[3].states = 40;
  const std::pair<std::uint64_t, std::string> cases[] = {
      {690, "do no better there (40 states: 69 % at 11)."},
      {705, "do hardly better there (40 states: 70 % at 11)."},
      {750, "do a little better there (40 states: 75 % at 11)."},
      {990, "do better there (40 states: 99.0 % at 11)."}};
  for (const auto& [agreed, said] : cases) {
    run.ladder[3].agreement.uniform[10].agreed = agreed;
    BOOST_TEST(contains(extraction_text(run, {.width = 400}), "Larger automata " + said));
  }
}

BOOST_AUTO_TEST_CASE(one_word_is_no_plural) {
  const WordsCompared samples{.kind = WordsCompared::Kind::Sample};
  BOOST_TEST(claim({.oracle = "samples", .words_tested = 1, .looked_at = samples}) ==
             "no counterexample among 1 sample word");
  BOOST_TEST(claim({.oracle = "samples", .words_tested = 2, .looked_at = samples}) ==
             "no counterexample among 2 sample words");
}

BOOST_AUTO_TEST_CASE(a_result_that_is_wrong_on_single_symbols_is_said_to_be_bad) {
  Run run = support::small_run();
  Rung& rung = run.ladder[2];
  rung.horizon = 0;
  rung.agreement.uniform[0].agreed = 500;
  rung.agreement.uniform[9].agreed = 950;
  BOOST_TEST(verdict_sentence(run) ==
             "4 states explain the network badly: on 50 % of the words of one symbol, 95.0 % of "
             "those of 10.");
}

BOOST_AUTO_TEST_CASE(words_that_a_rule_covers_are_one_line_and_the_others_are_listed) {
  Run run = support::small_run();
  run.exceptions.clear();
  for (const std::size_t zeros : {3U, 4U, 5U}) {
    run.exceptions.push_back({.word = Word(zeros, Symbol{0}), .answer = Answer::Accept});
  }
  run.exceptions.push_back({.word = Word(6, Symbol{1}), .answer = Answer::Accept});
  run.families = {{.loop = {Symbol{0}},
                   .from = 3,
                   .tried = 100,
                   .answer = Answer::Accept,
                   .state = run.dfa().initial(),
                   .words = 3}};
  const std::string text = extraction_text(run, {.width = 100});
  BOOST_TEST(
      contains(text, "4 known words where result and network differ; 1 rule covers 75 % of them"));
  BOOST_TEST(contains(text, "  -  (0)^3 and more: the network accepts; 3 of the words"));
  BOOST_TEST(contains(text, "  the others\n  111111"));
  BOOST_TEST(!contains(text, "\n  000"));
}

BOOST_AUTO_TEST_CASE(how_little_was_met_of_a_rare_answer_is_said) {
  Run run = support::small_run();
  run.met = {{.words = 49000, .shortest = 1, .longest = 100},
             {.words = 1000, .shortest = 1, .longest = 7}};
  BOOST_TEST(findings(run, 30, true, Spelling::CommandLine)[0] ==
             "The network accepts 2 % of the words measured (1,000 of 50,000); none of more than 7 "
             "symbols was met.");
  run.met[1] = {};
  BOOST_TEST(findings(run, 30, true, Spelling::CommandLine)[0] ==
             "The network accepts none of the 49,000 words measured.");
  run.met[1] = {.words = 9000, .shortest = 1, .longest = 7};
  BOOST_TEST(!contains(findings(run, 30, true, Spelling::CommandLine)[0], "measured"));
}

BOOST_AUTO_TEST_CASE(what_a_result_that_errs_on_short_words_explains_is_a_share_of_all_words) {
  Run run = support::small_run();
  Rung& rung = run.ladder[2];
  rung.horizon = 2;
  rung.agreement.uniform[2].agreed = 970;
  BOOST_TEST(
      verdict_sentence(run) ==
      "4 states explain the network on 99.90 % of 30,000 words of up to 30 symbols; completely "
      "only up to 2 symbols, 97.0 % at 3.");
  rung.agreement.uniform[9].agreed = 500;
  BOOST_TEST(verdict_sentence(run).ends_with("97.0 % at 3, and least at 10: 50 %."));
}

BOOST_AUTO_TEST_CASE(what_the_empty_word_costs_is_said) {
  Run run = support::small_run();
  run.empty = {.alone = true, .states_without = 3};
  BOOST_TEST(
      contains(extraction_text(run, {.width = 200}),
               "The answer for the empty word alone adds 1 state: without it the DFA has 3"));
}

BOOST_AUTO_TEST_CASE(the_networks_errors_are_marked_and_bold_and_no_other_row_is) {
  const Run run = support::small_run();
  const std::string plain = extraction_text(run, {});
  BOOST_TEST(line_with(plain, "  11010") == "! 2  11010  accept   reject  abstraction  250 ms");
  BOOST_TEST(line_with(plain, "samples      62") ==
             "  1  0      reject   reject  samples      62 ms");
  const std::string coloured = extraction_text(run, {.colour = true});
  BOOST_TEST(contains(coloured, "\033[1m! 2  11010  accept   reject  abstraction  250 ms\033[0m"));
  BOOST_TEST(contains(coloured, "\n  1  0      reject"));
}

BOOST_AUTO_TEST_CASE(without_a_target_there_is_no_target_column) {
  Run run = support::small_run();
  run.target.reset();
  for (Counterexample& record : run.counterexamples) record.target.reset();
  const std::string text = extraction_text(run, {});
  BOOST_TEST(!contains(text, "target"));
  BOOST_TEST(line_with(text, "  11010") == "  2  11010  accept   abstraction  250 ms");
}

BOOST_AUTO_TEST_CASE(where_not_all_counterexamples_fit_those_that_led_to_the_result_are_shown) {
  Run run = support::small_run();
  run.target.reset();
  const HypothesisRecord hypothesis = run.hypotheses.back();
  run.hypotheses.clear();
  run.counterexamples.clear();
  for (std::size_t i = 0; i < 200; ++i) {
    run.hypotheses.push_back(hypothesis);
    run.hypotheses.back().refuted_by = i;
    Counterexample& record = run.counterexamples.emplace_back();
    record.word = Word(i + 1, Symbol{0});
  }
  run.recommended = 3;  // refuted by the word of length 4
  const auto shows = [&](std::size_t number) {
    return !line_with(extraction_text(run, {}), " " + std::to_string(number) + "  0").empty();
  };
  BOOST_TEST(shows(3));
  BOOST_TEST(shows(4));
  BOOST_TEST(!shows(199));
  run.recommended = 199;
  BOOST_TEST(shows(199));
  BOOST_TEST(!shows(3));
}

BOOST_AUTO_TEST_CASE(no_escape_sequence_without_colour) {
  BOOST_TEST(!contains(extraction_text(support::small_run(), {.colour = false}), "\033"));
}

BOOST_AUTO_TEST_CASE(small_automata_are_drawn_as_a_transition_table) {
  // Tomita 5: the parities of the number of 0s and of 1s.
  BOOST_TEST(transition_table({Alphabet({"0", "1"}), support::tomita(5)}, {}) ==
             "          0   1\n"
             "  > * s0  s1  s2\n"
             "      s1  s0  s3\n"
             "      s2  s3  s0\n"
             "      s3  s2  s1\n");
  Random random(1);
  BOOST_TEST(
      transition_table({Alphabet({"0", "1"}), support::random_minimal_dfa(60, 2, random)}, {})
          .empty());
}

BOOST_AUTO_TEST_CASE(symbols_that_act_alike_share_a_column) {
  Dfa dfa(26, 1);
  BOOST_TEST(transition_table({Alphabet::parse("abcdefghijklmnopqrstuvwxyz"), dfa}, {}) ==
             "          any\n"
             "  >   s0  s0\n");
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

BOOST_AUTO_TEST_CASE(many_counterexamples_are_cut_to_one_screen_and_errors_stay) {
  Run run = support::small_run();
  run.ladder.resize(1);
  run.ladder[0].hypothesis = 2;
  for (int i = 0; i < 200; ++i) {
    run.counterexamples.push_back(run.counterexamples[0]);
  }
  for (const std::size_t height : {30U, 50U}) {
    const std::string text = extraction_text(run, {.height = height});
    BOOST_TEST(lines(text).size() <= height);
    BOOST_TEST(contains(text, "202 counterexamples, "));
    BOOST_TEST(contains(text, "!   2  11010"));
  }
}

BOOST_AUTO_TEST_CASE(without_utf8_the_summary_is_ascii) {
  const Run run = support::small_run_over(Alphabet({"λ", "🙂"}));
  const std::string text = extraction_text(run, {.utf8 = false});
  BOOST_TEST(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
  BOOST_TEST(contains(text, "\\u03bb"));
}

BOOST_AUTO_TEST_CASE(what_was_checked_says_how_many_words_once) {
  Run run = support::small_run();
  run.evidence = {{.oracle = "random",
                   .words_tested = 12000,
                   .looked_at = WordsCompared{.kind = WordsCompared::Kind::Random, .longest = 30}},
                  {.oracle = "abstraction",
                   .words_tested = 1171,
                   .end = Evidence::End::Counterexample,
                   .counterexample = Word(7, Symbol{0}),
                   .looked_at = LockstepWalk{}}};
  const std::string text = extraction_text(run, {});
  BOOST_TEST(contains(
      text, "  random       no counterexample among 12,000 random words of up to 30 symbols\n"));
  BOOST_TEST(contains(text, "  abstraction  1,171 words: a counterexample of length 7\n"));
}

BOOST_AUTO_TEST_CASE(hostile_symbols_cannot_steer_the_terminal) {
  Run run = support::small_run_over(Alphabet({"\u202e", "\xc2\x9b"}));
  run.network.file = "a\033[2Jb.onnx";
  const std::string text = extraction_text(run, {});
  BOOST_TEST(!contains(text, "\u202e"));
  BOOST_TEST(!contains(text, "\xc2\x9b"));
  BOOST_TEST(!contains(text, "\033"));
}

BOOST_AUTO_TEST_CASE(a_limit_is_named_with_the_option_that_moves_it) {
  const std::string text = extraction_text(support::large_run(60, 2, 3), {});
  BOOST_TEST(contains(text, "Stopped at the time limit."));
  BOOST_TEST(contains(text, "a larger --time-limit (it was 60 s)"));
}

BOOST_AUTO_TEST_CASE(options_are_named_as_the_reader_writes_them) {
  const Run run = support::large_run(60, 2, 3);
  const std::string text = extraction_text(run, {.spelling = Spelling::Python});
  BOOST_TEST(contains(text, "a larger time_limit (it was 60 s)"));
  BOOST_TEST(!contains(text, "--"));
  BOOST_TEST(!contains(text, "`"));
}

BOOST_AUTO_TEST_CASE(a_run_that_stopped_early_says_so_and_nothing_needs_to_be_tried) {
  Run run = support::small_run();
  run.settled = true;
  run.recommended = 1;
  const std::string text = extraction_text(run, {});
  BOOST_TEST(contains(text, "Learning stopped early: larger automata were not worth it."));
  BOOST_TEST(!contains(text, "What to try next"));
}

BOOST_AUTO_TEST_CASE(a_smaller_result_of_a_run_that_came_to_its_end_did_not_stop_early) {
  Run run = support::small_run();
  BOOST_TEST_REQUIRE(run.hypotheses.size() > 1U);
  run.recommended = 0;
  const std::string text = extraction_text(run, {.width = 200});
  BOOST_TEST(contains(text, "No oracle found a counterexample to the last hypothesis ("));
  BOOST_TEST(contains(text, "The result is smaller and agrees with the network as well."));
  BOOST_TEST(!contains(text, "stopped early"));
}

BOOST_AUTO_TEST_CASE(the_result_is_compared_with_the_target) {
  Run run = support::small_run();
  BOOST_TEST(contains(extraction_text(run, {}), "target   equivalent to the result"));
  run.recommended = 1;  // an even number of 0s: accepts 1, which the target does not
  BOOST_TEST(contains(extraction_text(run, {}),
                      "target   differs from the result, first on 1 (target rejects)"));
}

BOOST_AUTO_TEST_CASE(a_target_that_differs_on_the_empty_word_alone_is_said_to) {
  Run run = support::small_run();
  run.target = Dfa(2, 2);  // all words but the empty one
  for (const std::uint32_t q : {0U, 1U}) {
    for (const std::uint32_t a : {0U, 1U}) run.target->set_next(LState{q}, Symbol{a}, LState{1});
  }
  run.target->set_accepting(LState{1}, true);
  run.hypotheses[run.recommended].dfa = Dfa(2, 1);
  run.hypotheses[run.recommended].dfa.set_accepting(LState{0}, true);  // and the empty one
  BOOST_TEST(contains(extraction_text(run, {}),
                      "target   equivalent to the result but for the empty word"));
  run.target->set_next(LState{1}, Symbol{0}, LState{0});
  BOOST_TEST(
      contains(extraction_text(run, {.width = 100}),
               "target   differs from the result on the empty word, then first on 00 (target "
               "rejects)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
