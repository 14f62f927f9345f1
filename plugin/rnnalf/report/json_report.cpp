#include "rnnalf/report/json_report.hpp"

#include <nlohmann/json.hpp>

#include "rnnalf/automaton/dfa_json.hpp"
#include "rnnalf/report/run_json.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;

/// An array over several lines, one record each, as a member of the document.
template <class Records, class ToJson>
std::string lines(const Records& records, const ToJson& to_json_of) {
  if (records.empty()) return "[]";
  std::string text;
  for (const auto& record : records) {
    text += text.empty() ? "[\n    " : ",\n    ";
    text += detail::one_line(to_json_of(record));
  }
  return text + "\n  ]";
}

/// On how many words of each kind and answer an automaton is right.
OrderedJson answers_json(const std::vector<AnswerAgreement>& cells, std::size_t answers) {
  OrderedJson list = OrderedJson::array();
  for (const AnswerAgreement& cell : cells) {
    list.push_back({{"words", name(cell.kind)},
                    {"answer", detail::answer_json(cell.answer, answers)},
                    {"count", cell.words},
                    {"agreed", cell.agreed}});
  }
  return list;
}

}  // namespace

std::string extraction_json(const Run& run, const std::optional<std::string>& certificate) {
  const Alphabet& alphabet = run.network.alphabet;
  std::string text = "{\n";
  const auto member = [&](const char* name, const std::string& value) {
    text += (text.size() > 2 ? ",\n  \"" : "  \"") + std::string(name) + "\": " + value;
  };
  const auto object = [&](const char* name, const OrderedJson& value) {
    member(name, detail::one_line(value));
  };
  object("format", "rnnalf.extraction/2");
  object("network", detail::network_json(run.network));
  object("options", detail::options_json(run));
  object("verdict", name(verdict(run)));
  object("ended", name(run.ended()));
  object("chosen", name(run.selection()));
  object("reproducible", is_reproducible(run));
  if (run.proof) object("proof", detail::proof_json(alphabet, *run.proof, certificate));
  member("evidence", lines(run.evidence, [&](const Evidence& evidence) {
           return detail::evidence_json(alphabet, evidence);
         }));
  object("dfa", to_json(named(run.network, run.dfa())));
  object("symbol_classes", detail::symbol_classes_json(alphabet, run.dfa()));
  if (run.groups) object("symbol_groups", detail::symbol_groups_json(alphabet, *run.groups));
  member("ladder", lines(run.ladder, [&](const Rung& rung) {
           const HypothesisRecord& hypothesis = run.hypotheses.at(rung.hypothesis);
           const auto& given = rung.agreement.given;
           return OrderedJson{
               {"states", rung.states},
               {"at_seconds", hypothesis.at_seconds},
               {"horizon", rung.horizon},
               {"assured", rung.assured},
               {"agreement", detail::agreement_json(rung.agreement.uniform)},
               {"language", detail::agreement_json(rung.agreement.language)},
               {"pumped", rung.agreement.pumped.share()},
               {"given", given ? OrderedJson(given->share()) : OrderedJson(nullptr)},
               {"error", rung.error},
               {"answers", answers_json(rung.agreement.answers, run.network.answers)},
               {"dfa", to_json(as_learned(run, rung.hypothesis))}};
         }));
  const Rung* const result = run.rung();
  object("result",
         result != nullptr ? OrderedJson(result - run.ladder.data()) : OrderedJson(nullptr));
  member("measured", lines(run.met, [&](const AnswerMet& met) {
           const auto answer = static_cast<Answer>(&met - run.met.data());
           return OrderedJson{{"answer", detail::answer_json(answer, run.network.answers)},
                              {"words", met.words},
                              {"shortest", met.shortest},
                              {"longest", met.longest},
                              {"found", met.found ? OrderedJson(*met.found) : OrderedJson()}};
         }));
  OrderedJson unseen = OrderedJson::array();
  for (const Answer answer : run.unseen) {
    unseen.push_back(detail::answer_json(answer, run.network.answers));
  }
  object("unseen", unseen);
  object("unstable", run.unstable);
  object("given_words", run.given ? OrderedJson{{"words", run.given->words},
                                                {"held_back", run.given->held_back},
                                                {"constant", run.given->constant},
                                                {"explained", run.given->explained}}
                                  : OrderedJson(nullptr));
  object("hypotheses", {{"count", run.hypotheses.size()},
                        {"result", run.recommended},
                        {"states_of_last", run.hypotheses.back().dfa.size()}});
  object("unanswered", run.unanswered ? detail::word_json(run.network.alphabet, *run.unanswered)
                                      : OrderedJson(nullptr));
  object("empty_word",
         {{"alone_adds_states", run.empty.alone}, {"states_without", run.empty.states_without}});
  if (!run.coverage.by_length.empty()) {
    OrderedJson coverage = OrderedJson::object();
    for (const auto& [length, share] : run.coverage.by_length)
      coverage[std::to_string(length)] = share;
    object("coverage", coverage);
  }
  member("exceptions", lines(run.exceptions, [&](const Counterexample& record) {
           return detail::exception_json(run.network, record);
         }));
  member("families", lines(run.families, [&](const Family& family) {
           return detail::family_json(run.network, family);
         }));
  member("counterexamples", lines(run.counterexamples, [&](const Counterexample& record) {
           return detail::counterexample_json(run.network, record);
         }));
  object("statistics", detail::statistics_json(run.statistics));
  return text + "\n}\n";
}

std::string trace_line(const NetworkSummary& network, std::size_t number,
                       const HypothesisRecord& hypothesis) {
  return detail::one_line(OrderedJson{{"hypothesis", number},
                                      {"states", hypothesis.dfa.size()},
                                      {"at_seconds", hypothesis.at_seconds},
                                      {"dfa", to_json(named(network, hypothesis.dfa))}}) +
         "\n";
}

}  // namespace rnnalf
