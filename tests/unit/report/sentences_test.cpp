#include "rnnalf/report/sentences.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/claims.hpp"
#include "support/coded_dfa.hpp"
#include "support/sample_runs.hpp"

namespace rnnalf {
namespace {

/// Beyond 19 symbols it agrees on 78 % of the random words.
Run run_up_to_19() {
  Run run = support::small_run();
  Rung& rung = run.ladder[2];
  rung.horizon = 19;
  for (std::size_t i = 19; i < 30; ++i) rung.agreement.uniform[i].agreed = 780;
  return run;
}

std::vector<std::string> texts(const std::vector<AgreementRow>& rows) {
  std::vector<std::string> list;
  for (const AgreementRow& row : rows) {
    list.push_back(row.words + ": " + percent(row.agreement) + " of " +
                   std::to_string(row.agreement.words));
  }
  return list;
}

Word zeros(std::size_t count) {
  return Word(count, Symbol{0});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sentences)

BOOST_AUTO_TEST_CASE(the_verdict_is_about_all_words_unless_one_of_them_differs) {
  Run run = run_up_to_19();
  BOOST_TEST(verdict_sentence(run) ==
             "A 4-state automaton agrees with the network on almost all words tested of up to 19 "
             "symbols.");
  run.exceptions = {{.word = zeros(20)}};
  BOOST_TEST(verdict_sentence(run) ==
             "A 4-state automaton agrees with the network on all words tested of up to 19 "
             "symbols.");
}

BOOST_AUTO_TEST_CASE(
    an_automaton_that_errs_on_short_words_gets_a_share_and_the_length_where_it_fails) {
  Run run = support::small_run();
  Rung& rung = run.ladder[2];
  rung.horizon = 2;
  rung.agreement.uniform[2].agreed = 970;
  BOOST_TEST(verdict_sentence(run) ==
             "A 4-state automaton agrees with the network on 99.90 % of 30,000 random words of up "
             "to 30 symbols. At 3 symbols, it agrees on 97.0 % of 1,000 words.");
}

BOOST_AUTO_TEST_CASE(rows_of_agreement_are_about_different_words_and_leave_none_out) {
  Run run = run_up_to_19();
  run.ladder[2].agreement.language = {{.length = 18, .words = 40, .agreed = 40},
                                      {.length = 25, .words = 37, .agreed = 34}};
  run.ladder[2].agreement.pumped.length = 200;
  run.ladder[2].agreement.given = LengthAgreement{.words = 484, .agreed = 481};
  const std::vector<std::string> expected = {
      "random words of 1 to 19 symbols: 100 % of 19000",
      "random words of 20 to 30 symbols: 78 % of 11000",
      "words near the language of 1 to 18 symbols: 100 % of 40",
      "words near the language of 20 to 25 symbols: 91.9 % of 37",
      "pumped words of up to 200 symbols: 100 % of 100",
      "the words given: 99.38 % of 484"};
  BOOST_TEST(texts(agreement_rows(run)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_words_of_a_length_are_a_row_unless_one_of_them_differs) {
  Run run = support::small_run();
  run.evidence = {{.oracle = "random",
                   .words_tested = 100,
                   .looked_at = WordsCompared{
                       .kind = WordsCompared::Kind::Random, .longest = 30, .complete_to = 14}}};
  BOOST_TEST(texts(agreement_rows(run))[0] == "all words of 1 to 14 symbols: 100 % of 32766");
  run.evidence[0].counterexample = zeros(14);
  BOOST_TEST(texts(agreement_rows(run))[0] == "random words of 1 to 30 symbols: 100 % of 30000");
}

BOOST_AUTO_TEST_CASE(words_are_counted_for_the_first_pattern_that_explains_them) {
  Run run = support::small_run();
  run.exceptions.clear();
  for (const std::size_t count : {4U, 6U, 8U}) {
    run.exceptions.push_back({.word = zeros(count), .answer = Answer::Reject});
  }
  run.exceptions.push_back({.word = Word(10, Symbol{1}), .answer = Answer::Reject});
  const Family first{.loop = {Symbol{0}}, .from = 4, .answer = Answer::Reject};
  const Family again{.loop = {Symbol{0}}, .from = 6, .answer = Answer::Reject};
  run.families = {first, again};
  BOOST_TEST(differences_sentence(run) ==
             "The network differs from the automaton on 4 words found so far. The shortest has 4 "
             "symbols.");
  const auto rows = differences(run, 5, {});
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[0].pattern == "0^k, k >= 4");
  BOOST_TEST(rows[0].words == 3U);
  BOOST_TEST(rows[0].network == "rejects");
  BOOST_TEST(rows[0].automaton == "accepts");
  BOOST_TEST(rows[1].pattern == "1111111111");
}

BOOST_AUTO_TEST_CASE(fifty_words_are_at_least_fifty) {
  Run run = support::small_run();
  run.exceptions.assign(50, {.word = zeros(3)});
  BOOST_TEST(differences_sentence(run).starts_with(
      "The network differs from the automaton on at least 50 words found so far."));
}

BOOST_AUTO_TEST_CASE(the_target_is_compared_and_the_empty_word_apart) {
  Run run = support::small_run();
  BOOST_TEST(target_sentence(run, {}) == "It is equivalent to the target.");
  run.recommended = 1;  // an even number of 0s: accepts 1, which the target does not
  BOOST_TEST(target_sentence(run, {}) ==
             "It differs from the target, first on 1, which the target rejects.");
  run.recommended = 2;
  run.target = Dfa(2, 2);  // all words but the empty one
  for (const std::uint32_t q : {0U, 1U}) {
    for (const std::uint32_t a : {0U, 1U}) run.target->set_next(LState{q}, Symbol{a}, LState{1});
  }
  run.target->set_accepting(LState{1}, true);
  run.hypotheses[run.recommended].dfa = Dfa(2, 1);
  run.hypotheses[run.recommended].dfa.set_accepting(LState{0}, true);  // and the empty one
  BOOST_TEST(target_sentence(run, {}) ==
             "It is equivalent to the target except for the empty word.");
  run.target->set_next(LState{1}, Symbol{0}, LState{0});
  BOOST_TEST(target_sentence(run, {}) ==
             "It differs from the target on the empty word, and then first on 00, which the target "
             "rejects.");
}

BOOST_AUTO_TEST_CASE(learning_stopped_for_a_reason_with_its_figures) {
  Run run = run_up_to_19();
  run.exceptions.clear();
  run.settled = true;
  run.ladder.push_back(run.ladder[2]);
  run.ladder[3].states = 40;
  const auto ends = [&] { return ending_sentence(run); };
  BOOST_TEST(
      ends() ==
      "Learning stopped because larger automata did not agree better (40 states: 78 % of 1,000 "
      "words of 20 symbols).");
  run.ladder[3].agreement.uniform[19].agreed = 900;
  BOOST_TEST(ends() ==
             "Learning stopped because larger automata are not worth their states (40 states: 90 % "
             "of 1,000 words of 20 symbols, instead of 78 %).");
  run.settled = false;
  run.recommended = 1;
  BOOST_TEST(ends() ==
             "Learning stopped because no oracle found a counterexample to an automaton of 4 "
             "states. The result is smaller and agrees with the network as well.");
  run.limit = Limit::Time;
  BOOST_TEST(
      ends() ==
      "The time limit of 60 s, which includes measuring, stopped learning; the last hypothesis "
      "has 4 states.");
  run.limit = Limit::Interrupt;
  BOOST_TEST(ends() == "Learning was interrupted; the last hypothesis has 4 states.");
}

BOOST_AUTO_TEST_CASE(a_report_with_a_proof_never_mentions_that_one_is_missing) {
  Run run = support::small_run();
  run.exceptions.clear();
  run.proof = Certification{};
  run.proof->weaker.emplace();
  run.proof->weaker->claim.max_length = 30;
  run.proof->outside_weaker = zeros(31);
  const std::string text = proof_sentence(*run.proof, run.network.alphabet, 40, true);
  BOOST_TEST(text ==
             "Proved: network and automaton agree on all words of up to 30 symbols. The proof does "
             "not cover longer or other words, such as 0000000000000000000000000000000.");
  BOOST_TEST(text.find("o proof was found") == std::string::npos);
  BOOST_TEST(ending_sentence(run).find("proof") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_advice_names_the_option_and_the_value) {
  Run run = support::small_run();
  run.met = {{.words = 49000, .shortest = 1, .longest = 100},
             {.words = 1000, .shortest = 1, .longest = 7}};
  BOOST_TEST(remarks(run, {})[0] ==
             "The network accepts 1,000 of the 50,000 words measured, the longest of 7 symbols.");
  run.met[1].found = 0;
  BOOST_TEST(remarks(run, {})[0] ==
             "The network accepts 1,000 of the 50,000 words measured, the longest of 7 symbols. A "
             "search for others found none.");
  run.options.samples.clear();
  BOOST_TEST(advice(run, {}) == "Give words that the network accepts: --samples FILE");
  BOOST_TEST(advice(run, {.spelling = Spelling::Python}).ends_with("samples=[...]"));
  run.met.clear();
  run.limit = Limit::States;
  run.options.max_states = 100;
  BOOST_TEST(advice(run, {}) == "To continue further, raise the limit: --max-states 200");
}

BOOST_AUTO_TEST_CASE(a_symbol_called_padding_that_changes_nothing_is_to_be_left_out) {
  Dfa dfa(3, 2);
  dfa.set_next(LState{0}, Symbol{1}, LState{1});
  dfa.set_next(LState{1}, Symbol{2}, LState{0});
  Run run = support::small_run_over(Alphabet({"<pad>", "a", "b"}));
  run.hypotheses[run.recommended].dfa = dfa;
  BOOST_TEST(advice(run, {}) ==
             "<pad> never changes the state. If it is padding, leave it out: --over 'a b'");
  run.hypotheses[run.recommended].dfa.set_next(LState{0}, Symbol{0}, LState{1});
  BOOST_TEST(advice(run, {}).empty());
}

BOOST_AUTO_TEST_CASE(a_module_that_ran_often_is_worth_exporting) {
  Run run = support::small_run();
  run.network.cell = "torch module, called one symbol at a time (another forward)";
  run.statistics.rnn_steps = 12'904;
  BOOST_TEST(advice(run, {.spelling = Spelling::Python}) ==
             "The module itself ran 12,904 steps. Exported with torch.onnx.export, it runs "
             "without Python.");
}

BOOST_AUTO_TEST_CASE(the_advice_about_the_empty_word_is_right_for_classes) {
  // Class 1 for the empty word alone, then class 0 and class 2 in turns.
  Dfa dfa(1, 3, 3);
  dfa.set_answer(LState{0}, Answer{1});
  dfa.set_answer(LState{1}, Answer{2});
  dfa.set_answer(LState{2}, Answer{0});
  dfa.set_next(LState{0}, Symbol{0}, LState{1});
  dfa.set_next(LState{1}, Symbol{0}, LState{2});
  dfa.set_next(LState{2}, Symbol{0}, LState{1});
  Run run = support::moore_run();
  run.network.alphabet = Alphabet::numbered(1);
  run.hypotheses[run.recommended].dfa = dfa;
  run.empty = {.alone = true, .states_without = 2};
  BOOST_TEST(advice(run, {}) ==
             "The answer for the empty word alone costs 1 state. If the network was not trained on "
             "it: --empty-word 0");
  run.network.classes = ClassNames({"low", "middle", "high"});
  BOOST_TEST(advice(run, {}).ends_with("--empty-word low"));
}

BOOST_AUTO_TEST_CASE(how_words_are_passed_to_the_network_is_told_where_it_is_not_plain) {
  BOOST_TEST(presentation_sentence({.alphabet = Alphabet::numbered(3)}).empty());
  BOOST_TEST(presentation_sentence({.alphabet = Alphabet({"a", "b"}),
                                    .begin = {"<s>"},
                                    .end = {"</s>"},
                                    .left_out = {"<pad>"}}) ==
             "Each word w is passed to the network as <s> w </s>. Words have 2 of the network's 5 "
             "symbols. Left out: <pad>.");
  NetworkSummary network{.alphabet = Alphabet({"a"})};
  for (int i = 0; i < 999; ++i) network.left_out.push_back(std::to_string(i));
  BOOST_TEST(presentation_sentence(network) ==
             "Words have 1 of the network's 1000 symbols. Left out: 0 1 2 3 4 5 6 7 ....");
}

BOOST_AUTO_TEST_CASE(one_word_is_no_plural) {
  const WordsCompared samples{.kind = WordsCompared::Kind::Sample};
  BOOST_TEST(claim({.oracle = "samples", .words_tested = 1, .looked_at = samples}) ==
             "no counterexample in 1 sample word");
  BOOST_TEST(claim({.oracle = "samples", .words_tested = 2, .looked_at = samples}) ==
             "no counterexample in 2 sample words");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
