#include "rnnalf/report/run_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace rnnalf::detail {
namespace {

/// Options whose text stays text even when it looks like a number: the alphabet `10` is two
/// symbols.
constexpr std::array<std::string_view, 11> kTexts = {"alphabet", "sample", "samples", "target",
                                                     "json",     "dot",    "svg",     "alf",
                                                     "report",   "csv",    "latex"};

OrderedJson option_value(const std::string& name, const std::string& text) {
  if (std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end()) return text;
  const auto value = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_number() || value.is_boolean() ? value : OrderedJson(text);
}

}  // namespace

OrderedJson word_json(const Alphabet& alphabet, WordView word) {
  OrderedJson symbols = OrderedJson::array();
  for (const Symbol symbol : word) symbols.push_back(alphabet.name(symbol));
  return symbols;
}

OrderedJson options_json(const std::vector<UsedOption>& options) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, text] : options) {
    OrderedJson value = option_value(name, text);
    const auto found = object.find(name);
    if (found == object.end()) {
      object[name] = std::move(value);
    } else if (found->is_array()) {
      found->push_back(std::move(value));
    } else {
      *found = OrderedJson::array({*found, std::move(value)});
    }
  }
  return object;
}

OrderedJson network_json(const NetworkSummary& network) {
  return {{"file", network.file},
          {"cell", network.cell},
          {"layers", network.layers},
          {"hidden", network.hidden},
          {"state_size", network.state_size},
          {"alphabet", network.alphabet.names()}};
}

OrderedJson evidence_json(const Evidence& evidence) {
  return {{"oracle", evidence.oracle},
          {"words_tested", evidence.words_tested},
          {"claim", evidence.claim}};
}

OrderedJson exception_json(const Alphabet& alphabet, const ExceptionRecord& record) {
  return {{"word", word_json(alphabet, record.word)},
          {"network", record.accepted},
          {"probability", record.probability}};
}

OrderedJson counterexample_json(const Alphabet& alphabet, const CounterexampleRecord& record) {
  return {{"word", word_json(alphabet, record.word)},
          {"network", record.accepted},
          {"target", record.target ? OrderedJson(*record.target) : OrderedJson(nullptr)},
          {"oracle", record.oracle},
          {"how", record.how},
          {"at_seconds", record.at_seconds},
          {"seconds", record.seconds}};
}

OrderedJson agreement_json(const HypothesisRecord& hypothesis) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [length, share] : hypothesis.agreement) object[std::to_string(length)] = share;
  return object;
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
          {"seconds_svm", statistics.seconds_svm}};
}

std::string one_line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace rnnalf::detail
