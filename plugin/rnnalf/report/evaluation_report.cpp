#include "rnnalf/report/evaluation_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/run_json.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/text_table.hpp"

namespace rnnalf {
namespace {

using detail::OrderedJson;
using detail::word_json;

std::string agreement_table(const EvaluationReport& report) {
  const bool with_target = report.target.has_value();
  std::vector<Align> columns(with_target ? 6 : 4, Align::Right);
  columns[0] = Align::Left;
  TextTable table(columns);
  std::vector<std::string> headings = {"Agreement in %", "words", "network=DFA"};
  if (with_target) headings.insert(headings.end(), {"network=target", "DFA=target"});
  headings.emplace_back(report.network.answers > 2 ? "commonest" : "accepted");
  table.row(headings);
  const auto row = [&](const std::string& what, const PairAgreement& agreement) {
    const auto share = [&](std::uint64_t words) {
      return format_percent_down(agreement.share(words), 3);
    };
    std::vector<std::string> entries = {"  " + what, format_count(agreement.words),
                                        share(agreement.network_dfa)};
    if (with_target) {
      entries.push_back(share(agreement.network_target));
      entries.push_back(share(agreement.dfa_target));
    }
    entries.push_back(share(agreement.accepted));
    table.row(entries);
  };
  const Evaluation& found = report.found;
  for (const LengthEvaluation& level : found.by_length) {
    row(fmt::format("random words of {}", counted(level.length, "symbol", "symbols")),
        level.agreement);
  }
  if (found.given) row("given words", *found.given);
  if (found.pumped) row("pumped words", *found.pumped);
  if (found.exhaustive) {
    row(fmt::format("all words of up to {}",
                    counted(*found.exhaustive_length, "symbol", "symbols")),
        *found.exhaustive);
  }
  return table.text();
}

OrderedJson pair_json(const PairAgreement& agreement, bool with_target) {
  OrderedJson json = {{"words", agreement.words},
                      {"accepted", agreement.share(agreement.accepted)},
                      {"network_dfa", agreement.share(agreement.network_dfa)}};
  if (with_target) {
    json["network_target"] = agreement.share(agreement.network_target);
    json["dfa_target"] = agreement.share(agreement.dfa_target);
  }
  return json;
}

OrderedJson automaton_json(const EvaluationReport::Automaton& automaton) {
  return {{"file", automaton.file}, {"states", automaton.states}};
}

}  // namespace

std::string evaluation_text(const EvaluationReport& report, const TextStyle& style) {
  const NetworkSummary& network = report.network;
  const Evaluation& found = report.found;
  const auto shown = [&](const Word& word) {
    return shown_word(network.alphabet, word, style.width - 40, style.utf8);
  };
  std::string text = agreement_table(report);
  if (found.unanswered) {
    text += fmt::format(
        "\nThe network gives no answer on {} ({}), because its numbers are no longer finite. Such "
        "words are left out.\n",
        shown(*found.unanswered), counted(found.unanswered->size(), "symbol", "symbols"));
  }
  if (found.equal_to_target) {
    text += *found.equal_to_target
                ? "\nThe DFA is equivalent to the target.\n"
                : fmt::format("\nThe DFA differs from the target, first on {}.\n",
                              shown(*found.separating_word));
  }
  if (found.disagreements.empty()) {
    text += "\nNo word was found on which network and DFA differ.\n";
  } else {
    text += "\nThe network differs from the DFA on these words; the shortest found come first.\n";
    for (const Counterexample& one : found.disagreements) {
      text += fmt::format("  {}  network {}, p = {:.4f}{}\n", shown(one.word),
                          printable(answer_verb(one.answer, network), style.utf8),
                          one.probability.value_or(0), one.is_error() ? ", unlike the target" : "");
    }
  }
  if (!found.complete)
    text += "\nStopped by a limit: rows that are missing above were not measured.\n";
  return text;
}

std::string evaluation_json(const EvaluationReport& report) {
  const NetworkSummary& network = report.network;
  const Evaluation& found = report.found;
  const bool with_target = report.target.has_value();
  OrderedJson json = {
      {"format", "rnnalf.evaluation/1"},
      {"network",
       {{"file", network.file},
        {"alphabet", network.alphabet.names()},
        {"classes", network.answers},
        {"class_names", network.classes.names()}}},
      {"dfa", automaton_json(report.dfa)},
      {"target", with_target ? automaton_json(*report.target) : OrderedJson(nullptr)},
      {"seed", report.seed},
      {"complete", found.complete}};
  json["by_length"] = OrderedJson::array();
  for (const LengthEvaluation& level : found.by_length) {
    OrderedJson entry = {{"length", level.length}};
    entry.update(pair_json(level.agreement, with_target));
    json["by_length"].push_back(std::move(entry));
  }
  const auto part = [&](const std::optional<PairAgreement>& agreement) {
    return agreement ? pair_json(*agreement, with_target) : OrderedJson(nullptr);
  };
  json["given"] = part(found.given);
  json["pumped"] = part(found.pumped);
  json["exhaustive"] = part(found.exhaustive);
  if (found.exhaustive_length) json["exhaustive"]["max_length"] = *found.exhaustive_length;
  if (with_target) {
    json["dfa_equals_target"] = *found.equal_to_target;
    json["separating_word"] = found.separating_word
                                  ? word_json(network.alphabet, *found.separating_word)
                                  : OrderedJson(nullptr);
  }
  json["disagreements"] = OrderedJson::array();
  for (const Counterexample& one : found.disagreements) {
    json["disagreements"].push_back(detail::exception_json(network, one));
  }
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace rnnalf
