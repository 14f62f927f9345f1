#include "rnnalf/report/run_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "rnnalf/report/answer_words.hpp"
#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/evidence_words.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf::detail {
OrderedJson word_json(const Alphabet& alphabet, WordView word) {
  OrderedJson symbols = OrderedJson::array();
  for (const Symbol symbol : word) symbols.push_back(alphabet.name(symbol));
  return symbols;
}

OrderedJson options_json(const std::vector<UsedOption>& options) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, value] : options) {
    const auto* const number = std::get_if<double>(&value);
    if (number != nullptr && *number == std::floor(*number) && std::abs(*number) < 0x1p53) {
      object[name] = static_cast<std::int64_t>(*number);
    } else {
      std::visit([&, &key = name](const auto& known) { object[key] = known; }, value);
    }
  }
  return object;
}

OrderedJson options_json(const Run& run) {
  std::vector<UsedOption> options = used_options(run.options, run.network.alphabet);
  options.emplace_back("empty-word", run.empty_word ? answer_name(*run.empty_word, run.network)
                                                    : std::string("network"));
  options.emplace_back("precision", run.precision == Precision::Float ? "float" : "double");
  return options_json(options);
}

OrderedJson network_json(const NetworkSummary& network) {
  return {{"file", network.file},
          {"cell", network.cell},
          {"layers", network.layers},
          {"hidden", network.hidden},
          {"state_size", network.state_size},
          {"classes", network.answers},
          {"class_names", network.classes.names()},
          {"alphabet", network.alphabet.names()},
          {"begin", network.begin},
          {"end", network.end},
          {"left_out", network.left_out},
          {"assumed", network.assumed},
          {"probes_passed", network.probes}};
}

OrderedJson evidence_json(const Evidence& evidence) {
  return {{"oracle", evidence.oracle},
          {"words_tested", evidence.words_tested},
          {"claim", claim(evidence)}};
}

OrderedJson answer_json(Answer answer, std::size_t answers) {
  return answers > 2 ? OrderedJson(index(answer)) : OrderedJson(answer == Answer::Accept);
}

OrderedJson answer_json(const std::optional<Answer>& answer, std::size_t answers) {
  return answer ? answer_json(*answer, answers) : OrderedJson(nullptr);
}

OrderedJson exception_json(const NetworkSummary& network, const Counterexample& record) {
  return {{"word", word_json(network.alphabet, record.word)},
          {"network", answer_json(record.answer, network.answers)},
          {"probability", record.probability.value_or(0)},
          {"target", answer_json(record.target, network.answers)}};
}

OrderedJson counterexample_json(const NetworkSummary& network, const Counterexample& record) {
  return {{"word", word_json(network.alphabet, record.word)},
          {"network", answer_json(record.answer, network.answers)},
          {"target", answer_json(record.target, network.answers)},
          {"oracle", record.oracle},
          {"how", record.pumped ? record.pumped->text(network.alphabet) : ""},
          {"at_seconds", record.at_seconds},
          {"seconds", record.seconds}};
}

OrderedJson symbol_classes_json(const Alphabet& alphabet, const Dfa& dfa) {
  const auto classes = symbol_classes(dfa);
  if (classes.size() == alphabet.size()) return nullptr;
  OrderedJson list = OrderedJson::array();
  for (const std::vector<Symbol>& symbols : classes) list.push_back(word_json(alphabet, symbols));
  return list;
}

OrderedJson symbol_groups_json(const Alphabet& alphabet, const SymbolGroups& groups) {
  OrderedJson list = OrderedJson::array();
  for (const std::vector<Symbol>& symbols : groups.members()) {
    list.push_back(word_json(alphabet, symbols));
  }
  return list;
}

OrderedJson agreement_json(const std::vector<LengthAgreement>& by_length) {
  OrderedJson object = OrderedJson::object();
  for (const LengthAgreement& at : by_length) {
    const bool shown =
        at.length <= 4 || (at.length <= 28 && at.length % 3 == 1) || at.length % 25 == 0;
    if (shown && at.words > 0) object[std::to_string(at.length)] = at.share();
  }
  return object;
}

OrderedJson family_json(const NetworkSummary& network, const Family& family) {
  const Alphabet& alphabet = network.alphabet;
  const PumpedWord shortest{family.prefix, family.loop, family.from, family.suffix};
  return {{"pattern", shortest.text(alphabet)},
          {"prefix", word_json(alphabet, family.prefix)},
          {"loop", word_json(alphabet, family.loop)},
          {"suffix", word_json(alphabet, family.suffix)},
          {"from", family.from},
          {"to", family.to ? OrderedJson(*family.to) : OrderedJson(nullptr)},
          {"tried", family.tried},
          {"network", answer_json(family.answer, network.answers)},
          {"state", index(family.state)},
          {"share", family.share},
          {"words", family.words}};
}

OrderedJson proof_json(const Alphabet& alphabet, const Run::Proof& proof) {
  using Verdict = Certification::Verdict;
  const Certification& found = proof.outcome;
  OrderedJson json{{"verdict", found.verdict == Verdict::Certified ? "certified"
                               : found.verdict == Verdict::Refuted ? "refuted"
                                                                   : "open"}};
  if (const auto& proved = found.certificate ? found.certificate : found.weaker; proved) {
    json["proved_for"] = claimed_words(proved->claim, alphabet);
    json["empty_word_included"] = proved->empty_word;
    json["sets"] = proved->sets.size();
    json["smallest_margin"] = proved->margin;
    json["slack_per_step"] = proved->slack;
    json["certificate"] = proof.file ? OrderedJson(*proof.file) : OrderedJson(nullptr);
  }
  if (found.counterexample) json["counterexample"] = word_json(alphabet, *found.counterexample);
  return json;
}

OrderedJson statistics_json(const RunStatistics& statistics) {
  return {{"membership_queries", statistics.membership_queries},
          {"equivalence_queries", statistics.equivalence_queries},
          {"rnn_steps", statistics.rnn_steps},
          {"rnn_steps_recomputed", statistics.rnn_steps_recomputed},
          {"refinements", statistics.refinements},
          {"failed_splits", statistics.failed_splits},
          {"a_states", statistics.a_states},
          {"peak_memory_bytes", statistics.peak_memory_bytes},
          {"seconds", statistics.seconds},
          {"seconds_cpu", statistics.seconds_cpu},
          {"seconds_learner", statistics.seconds_learner},
          {"seconds_oracle", statistics.seconds_oracle},
          {"seconds_network", statistics.seconds_network},
          {"seconds_svm", statistics.seconds_svm},
          {"rnn_steps_choosing", statistics.rnn_steps_choosing},
          {"seconds_choosing", statistics.seconds_choosing}};
}

std::string one_line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace rnnalf::detail
