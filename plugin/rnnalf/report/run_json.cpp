#include "rnnalf/report/run_json.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "rnnalf/report/certification_words.hpp"
#include "rnnalf/report/claims.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/symbol_class.hpp"

namespace rnnalf::detail {
namespace {

template <class Value>
OrderedJson value_or_null(const std::optional<Value>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

/// The data of each kind of evidence, its name first.
struct LookedAt {
  OrderedJson operator()(const WordsCompared& words) const {
    constexpr std::array kinds = {"samples",
                                  "random",
                                  "pumped",
                                  "walks",
                                  "walks-along-transitions",
                                  "random-w-method",
                                  "near-threshold",
                                  "all",
                                  "characterizing-set"};
    return {{"kind", kinds.at(static_cast<std::size_t>(words.kind))},
            {"longest", value_or_null(words.longest)},
            {"complete_to", value_or_null(words.complete_to)},
            {"states", value_or_null(words.states)}};
  }
  OrderedJson operator()(const LockstepWalk& walk) const {
    return {{"kind", "lockstep-walk"},
            {"a_states", walk.a_states},
            {"r_states", walk.r_states},
            {"depth", walk.depth},
            {"raised", walk.raised}};
  }
  OrderedJson operator()(const PacSample& pac) const {
    return {{"kind", "pac-sample"}, {"epsilon", pac.epsilon},
            {"delta", pac.delta},   {"lengths", pac.geometric ? "geometric" : "uniform"},
            {"length", pac.length}, {"differing", pac.differing},
            {"least", pac.least},   {"most", pac.most}};
  }
  OrderedJson operator()(const Quotient& quotient) const {
    return {{"kind", "quotient"},
            {"clusters", value_or_null(quotient.clusters)},
            {"a_states", quotient.a_states},
            {"expanded", quotient.expanded},
            {"agreed", value_or_null(quotient.agreed)}};
  }
  OrderedJson operator()(const Coverage& coverage) const {
    OrderedJson shares = OrderedJson::object();
    for (const auto& [length, share] : coverage.by_length) shares[std::to_string(length)] = share;
    return {{"kind", "coverage"}, {"complete", coverage.complete}, {"by_length", shares}};
  }
  OrderedJson operator()(const LabelledSample& sample) const {
    constexpr std::array fits = {"agrees", "not-smallest", "none"};
    return {{"kind", "labelled-sample"},
            {"accepted", sample.accepted},
            {"wanted", sample.wanted},
            {"fit", fits.at(static_cast<std::size_t>(sample.fit))}};
  }
  OrderedJson operator()(const AlikeSymbols& alike) const {
    return {{"kind", "alike-symbols"},
            {"symbols", alike.symbols},
            {"groups", alike.groups},
            {"differing", alike.differing}};
  }
};

}  // namespace

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

OrderedJson evidence_json(const Alphabet& alphabet, const Evidence& evidence) {
  constexpr std::array ends = {"none-found", "counterexample", "stopped"};
  OrderedJson json{
      {"oracle", evidence.oracle},
      {"words_tested", evidence.words_tested},
      {"claim", claim(evidence)},
      {"end", ends.at(static_cast<std::size_t>(evidence.end))},
      {"counterexample", evidence.counterexample ? word_json(alphabet, *evidence.counterexample)
                                                 : OrderedJson(nullptr)}};
  json.update(std::visit(LookedAt{}, evidence.looked_at));
  return json;
}

OrderedJson answer_json(Answer answer, std::size_t answers) {
  if (answer == Answer::None) return nullptr;
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
  return {{"pattern", family_pattern(alphabet, family)},
          {"prefix", word_json(alphabet, family.prefix)},
          {"loop", word_json(alphabet, family.loop)},
          {"suffix", word_json(alphabet, family.suffix)},
          {"from", family.from},
          {"to", value_or_null(family.to)},
          {"tried", family.tried},
          {"network", answer_json(family.answer, network.answers)},
          {"state", index(family.state)},
          {"share", family.share},
          {"words", family.words}};
}

OrderedJson proof_json(const Alphabet& alphabet, const Certification& found,
                       const std::optional<std::string>& file) {
  using Verdict = Certification::Verdict;
  OrderedJson json{{"verdict", found.verdict == Verdict::Certified ? "certified"
                               : found.verdict == Verdict::Refuted ? "refuted"
                                                                   : "open"}};
  if (const auto& proved = found.certificate ? found.certificate : found.weaker; proved) {
    json["proved_for"] = claimed_words(proved->claim, alphabet);
    json["empty_word_included"] = proved->empty_word;
    json["sets"] = proved->sets.size();
    json["smallest_margin"] = proved->margin;
    json["slack_per_step"] = proved->slack;
    json["certificate"] = value_or_null(file);
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
