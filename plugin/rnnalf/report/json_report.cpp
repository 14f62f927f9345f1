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

}  // namespace

std::string extraction_json(const Run& run) {
  const Alphabet& alphabet = run.network.alphabet;
  std::string text = "{\n";
  const auto member = [&](const char* name, const std::string& value) {
    text += (text.size() > 2 ? ",\n  \"" : "  \"") + std::string(name) + "\": " + value;
  };
  const auto object = [&](const char* name, const OrderedJson& value) {
    member(name, detail::one_line(value));
  };
  object("format", "rnnalf.extraction/1");
  object("network", detail::network_json(run.network));
  object("options", detail::options_json(run));
  object("verdict", verdict(run));
  object("reproducible", is_reproducible(run));
  member("evidence", lines(run.evidence, detail::evidence_json));
  object("dfa", to_json(NamedDfa{alphabet, run.dfa()}));
  member("hypotheses", lines(run.hypotheses, [&](const HypothesisRecord& hypothesis) {
           const auto refuted_by = hypothesis.refuted_by;
           return OrderedJson{
               {"states", hypothesis.dfa.size()},
               {"at_seconds", hypothesis.at_seconds},
               {"refuted_by",
                refuted_by ? detail::word_json(alphabet, run.counterexamples.at(*refuted_by).word)
                           : OrderedJson(nullptr)},
               {"agreement", detail::agreement_json(hypothesis)},
               {"dfa", to_json(NamedDfa{alphabet, hypothesis.dfa})}};
         }));
  object("recommended", run.recommended);
  if (!run.coverage.by_length.empty()) {
    OrderedJson coverage = OrderedJson::object();
    for (const auto& [length, share] : run.coverage.by_length)
      coverage[std::to_string(length)] = share;
    object("coverage", coverage);
  }
  member("exceptions", lines(run.exceptions, [&](const Counterexample& record) {
           return detail::exception_json(alphabet, record);
         }));
  member("counterexamples", lines(run.counterexamples, [&](const Counterexample& record) {
           return detail::counterexample_json(alphabet, record);
         }));
  object("statistics", detail::statistics_json(run.statistics));
  return text + "\n}\n";
}

}  // namespace rnnalf
