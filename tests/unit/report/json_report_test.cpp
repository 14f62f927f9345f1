#include "rnnalf/report/json_report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "support/sample_runs.hpp"

namespace rnnalf {
namespace {

using Json = nlohmann::json;

Json document(const Run& run) {
  return Json::parse(extraction_json(run));
}

BOOST_AUTO_TEST_SUITE(json_report)

BOOST_AUTO_TEST_CASE(every_field_of_the_contract_is_there_in_its_order) {
  const auto json = nlohmann::ordered_json::parse(extraction_json(support::small_run()));
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::vector<std::string> names;
    for (const auto& item : object.items()) names.push_back(item.key());
    return names;
  };
  using Names = std::vector<std::string>;
  BOOST_TEST(keys(json) == (Names{"format",     "network",         "options",      "verdict",
                                  "ended",      "chosen",          "reproducible", "evidence",
                                  "dfa",        "symbol_classes",  "ladder",       "result",
                                  "measured",   "unseen",          "unstable",     "given_words",
                                  "hypotheses", "unanswered",      "empty_word",   "exceptions",
                                  "families",   "counterexamples", "statistics"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(json["network"]) ==
                 (Names{"file", "cell", "layers", "hidden", "state_size", "classes", "class_names",
                        "alphabet", "begin", "end", "left_out", "assumed", "probes_passed"}),
             boost::test_tools::per_element());
  BOOST_TEST(
      keys(json["ladder"][0]) == (Names{"states", "at_seconds", "horizon", "assured", "agreement",
                                        "language", "pumped", "given", "error", "answers", "dfa"}),
      boost::test_tools::per_element());
  BOOST_TEST(keys(json["exceptions"][0]) == (Names{"word", "network", "probability", "target"}),
             boost::test_tools::per_element());
  for (const char* name : {"word", "network", "target", "oracle", "at_seconds", "seconds"}) {
    BOOST_TEST(json["counterexamples"][0].contains(name), name);
  }
  for (const char* name : {"membership_queries", "equivalence_queries", "rnn_steps", "refinements",
                           "a_states", "peak_memory_bytes", "seconds", "seconds_cpu",
                           "seconds_learner", "seconds_oracle", "seconds_network"}) {
    BOOST_TEST(json["statistics"].contains(name), name);
  }
}

BOOST_AUTO_TEST_CASE(values_are_those_of_the_run) {
  const Json json = document(support::small_run());
  BOOST_TEST(json["format"] == "rnnalf.extraction/2");
  BOOST_TEST(json["verdict"] == "none-found");
  BOOST_TEST(json["network"]["alphabet"] == Json({"0", "1"}));
  BOOST_TEST(json["result"] == 2);
  BOOST_TEST(json["ladder"][1]["states"] == 2);
  BOOST_TEST(json["ladder"][1]["agreement"]["10"] == 0.75);
  BOOST_TEST(json["ladder"][2]["horizon"] == 30);
  BOOST_TEST(json["ladder"][2]["assured"] == 0.9954);
  BOOST_TEST(json["dfa"] == json["ladder"][2]["dfa"]);
  BOOST_TEST(json["hypotheses"]["count"] == 3);
  BOOST_TEST(json["exceptions"][0]["probability"] == 0.4375);
  BOOST_TEST(json["statistics"]["rnn_steps"] == 12904);
  BOOST_TEST(json["evidence"][1]["words_tested"] == 171);
}

BOOST_AUTO_TEST_CASE(a_rule_is_written_with_its_parts_and_null_for_no_end) {
  Run run = support::small_run();
  run.families = {{.prefix = {Symbol{1}}, .loop = {Symbol{0}, Symbol{1}}, .from = 9, .tried = 40}};
  const Json family = document(run)["families"][0];
  BOOST_TEST(family["pattern"] == "1 (01)^k, k >= 9");
  BOOST_TEST(family["loop"] == Json({"0", "1"}));
  BOOST_TEST(family["from"] == 9);
  BOOST_TEST(family["to"].is_null());
}

BOOST_AUTO_TEST_CASE(a_trace_is_one_line_for_each_hypothesis) {
  const Run run = support::small_run();
  const std::string line = trace_line(run.network, 1, run.hypotheses[1]);
  BOOST_TEST(line.find('\n') == line.size() - 1);
  BOOST_TEST(Json::parse(line)["states"] == 2);
  BOOST_TEST(Json::parse(line)["dfa"]["accepting"] == Json({true, false}));
}

BOOST_AUTO_TEST_CASE(a_counterexample_without_target_says_null) {
  Run run = support::small_run();
  run.counterexamples[0].target.reset();
  const Json json = document(run);
  BOOST_TEST(json["counterexamples"][0]["target"].is_null());
  BOOST_TEST(json["counterexamples"][1]["target"] == false);
}

BOOST_AUTO_TEST_CASE(options_that_are_numbers_or_booleans_are_written_as_such) {
  const Json options = document(support::small_run())["options"];
  BOOST_TEST(options["time-limit"] == 60);
  BOOST_TEST(options["tolerance"] == 0.001);
  BOOST_TEST(options["exact"] == false);
  BOOST_TEST(options["learner"] == "ttt");
}

BOOST_AUTO_TEST_CASE(words_among_the_options_stay_text) {
  BOOST_TEST(document(support::small_run())["options"]["sample"] == "10 | 00");
}

BOOST_AUTO_TEST_CASE(a_run_that_a_clock_or_memory_ended_is_not_called_reproducible) {
  Run run = support::small_run();
  BOOST_TEST(document(run)["reproducible"] == true);
  for (const Limit limit : {Limit::Time, Limit::Memory, Limit::Interrupt}) {
    run.limit = limit;
    BOOST_TEST(document(run)["reproducible"] == false);
  }
  run.limit = Limit::States;
  BOOST_TEST(document(run)["reproducible"] == true);
  run.options.oracles.front().time = std::chrono::seconds(1);
  BOOST_TEST(document(run)["reproducible"] == false);
}

BOOST_AUTO_TEST_CASE(every_limit_has_its_verdict) {
  const std::vector<std::pair<Limit, std::string>> verdicts = {
      {Limit::None, "none-found"},   {Limit::Time, "time-limit"},
      {Limit::States, "max-states"}, {Limit::Queries, "max-queries"},
      {Limit::Rounds, "max-rounds"}, {Limit::Memory, "memory-limit"},
      {Limit::Steps, "max-steps"},   {Limit::Interrupt, "interrupted"}};
  Run run = support::small_run();
  for (const auto& [limit, verdict] : verdicts) {
    run.limit = limit;
    BOOST_TEST(document(run)["verdict"] == verdict);
  }
  run.limit = Limit::None;
  run.settled = true;
  BOOST_TEST(document(run)["verdict"] == "settled");
}

BOOST_AUTO_TEST_CASE(how_learning_ended_and_what_was_chosen_are_told_apart) {
  Run run = support::small_run();
  const auto says = [&](const char* verdict, const char* ended, const char* chosen) {
    const auto json = document(run);
    return json["verdict"] == verdict && json["ended"] == ended && json["chosen"] == chosen;
  };
  run.recommended = run.hypotheses.size() - 1;
  BOOST_TEST(says("none-found", "no-counterexample", "last"));
  run.recommended = 0;  // the oracles found nothing, but about another hypothesis
  BOOST_TEST(says("settled", "no-counterexample", "smaller"));
  run.settled = true;
  BOOST_TEST(says("settled", "not-worth-it", "smaller"));
  run.settled = false;
  run.limit = Limit::Rounds;
  BOOST_TEST(says("max-rounds", "limit", "smaller"));
  run.limit = Limit::Interrupt;
  BOOST_TEST(says("interrupted", "interrupt", "smaller"));
}

BOOST_AUTO_TEST_CASE(evidence_is_data) {
  Run run = support::small_run();
  run.evidence = {{.oracle = "random",
                   .words_tested = 12,
                   .end = Evidence::End::Counterexample,
                   .counterexample = Word{Symbol{0}, Symbol{0}},
                   .looked_at = WordsCompared{.kind = WordsCompared::Kind::Random, .longest = 30}},
                  {.oracle = "abstraction",
                   .words_tested = 3,
                   .looked_at = LockstepWalk{.a_states = 4, .r_states = 5, .depth = 10}}};
  const auto evidence = document(run)["evidence"];
  const std::string zero = run.network.alphabet.name(Symbol{0});
  BOOST_TEST(evidence[0]["kind"] == "random");
  BOOST_TEST(evidence[0]["end"] == "counterexample");
  BOOST_TEST(evidence[0]["longest"] == 30);
  BOOST_TEST(evidence[0]["complete_to"].is_null());
  BOOST_TEST((evidence[0]["counterexample"] == std::vector<std::string>{zero, zero}));
  BOOST_TEST(evidence[1]["kind"] == "lockstep-walk");
  BOOST_TEST(evidence[1]["end"] == "none-found");
  BOOST_TEST(evidence[1]["a_states"] == 4);
  BOOST_TEST(evidence[1]["counterexample"].is_null());
  for (const auto& one : evidence) BOOST_TEST(!one["claim"].get<std::string>().empty());
}

BOOST_AUTO_TEST_CASE(the_automaton_readers_read_the_result_back) {
  const Run run = support::small_run();
  const DfaFile file = parse_dfa(extraction_json(run), DfaFormat::Json, "run.json");
  BOOST_TEST((file.automaton == NamedDfa{run.network.alphabet, run.dfa()}));
}

BOOST_AUTO_TEST_CASE(a_file_name_that_is_no_utf8_still_gives_valid_json) {
  Run run = support::small_run();
  run.network.file = "net\xff.onnx";
  BOOST_TEST(document(run)["network"]["file"] == "net\xef\xbf\xbd.onnx");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
