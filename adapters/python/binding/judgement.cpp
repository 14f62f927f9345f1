// What can be said about a network and a DFA: how far they are apart, and whether they are proved
// equal.
#include "convert.hpp"
#include "module.hpp"
#include "network.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/evaluate/evaluate_table.hpp"
#include "watched.hpp"

namespace rnnalf::python {
namespace {

py::dict pair_dict(const PairAgreement& agreement, bool with_target) {
  py::dict counts;
  counts["words"] = agreement.words;
  counts["accepted"] = agreement.accepted;
  counts["network_dfa"] = agreement.network_dfa;
  if (with_target) {
    counts["network_target"] = agreement.network_target;
    counts["dfa_target"] = agreement.dfa_target;
  }
  return counts;
}

py::object pair_dict(const std::optional<PairAgreement>& agreement, bool with_target) {
  if (!agreement) return py::none();
  return pair_dict(*agreement, with_target);
}

py::dict evaluation_dict(const Evaluation& found, const PyNetwork& network) {
  const Alphabet& alphabet = network.alphabet();
  const bool with_target = found.equal_to_target.has_value();
  py::dict result;
  py::list by_length;
  for (const LengthEvaluation& level : found.by_length) {
    py::dict counts = pair_dict(level.agreement, with_target);
    counts["length"] = level.length;
    by_length.append(counts);
  }
  result["by_length"] = by_length;
  result["given"] = pair_dict(found.given, with_target);
  result["pumped"] = pair_dict(found.pumped, with_target);
  result["exhaustive"] = pair_dict(found.exhaustive, with_target);
  result["exhaustive_length"] = found.exhaustive_length;
  result["equal_to_target"] = found.equal_to_target;
  result["separating_word"] = text_of(found.separating_word, alphabet);
  result["complete"] = found.complete;
  py::list disagreements;
  for (const Counterexample& one : found.disagreements) {
    py::dict entry;
    entry["word"] = text_of(WordView(one.word), alphabet);
    entry["network"] = answer_of(one.answer, network.answers());
    entry["probability"] = one.probability;
    entry["target"] = answer_of(one.target, network.answers());
    disagreements.append(entry);
  }
  result["disagreements"] = disagreements;
  return result;
}

py::dict evaluate_dfa(const PyNetwork& network, const NamedDfa& automaton,
                      const std::optional<NamedDfa>& target, const GivenOptions& given,
                      const py::object& words, const py::object& on_progress) {
  const Alphabet& alphabet = network.alphabet();
  const Dfa dfa = for_network(automaton, network.summary());
  std::optional<Dfa> meant;
  if (target) meant = for_network(*target, network.summary());
  EvaluateOptions options;
  read_options(evaluate_table(), given, options);
  options.words = words_of(words, alphabet);
  options.threads = network.threads(options.threads);
  Budget budget;
  Progress progress;
  const Evaluation found = watched_value(
      [&] {
        const Dfa* const target_dfa = meant ? &*meant : nullptr;
        return evaluate(network.network, dfa, target_dfa, options, budget, &progress);
      },
      budget, progress, on_progress);
  return evaluation_dict(found, network);
}

py::dict certify_dfa(const PyNetwork& network, const NamedDfa& automaton, const GivenOptions& given,
                     const py::object& on_progress) {
  require_certifiable(network.network);
  const Alphabet& alphabet = network.alphabet();
  const Dfa dfa = for_network(automaton, network.summary());
  CertifyOptions options;
  read_options(CertifyOptions::table(), given, options);
  options.precision = network.network.acceptor->precision();
  if (const auto& empty_word = network.network.empty_word) {
    options.empty_word = *empty_word == Answer::Accept;
  }
  options.threads = network.threads(options.threads);
  Budget budget;
  Progress progress;
  const Certification found = watched_value(
      [&] { return certify_agreement(*network.network.spec, dfa, options, budget, progress); },
      budget, progress, on_progress);
  return certification_dict(found, alphabet);
}

}  // namespace

void bind_judgement(py::module_& core) {
  core.def("evaluate", &evaluate_dfa);
  core.def("evaluation_options", [] { return described(evaluate_table()); });
  core.def("certify", &certify_dfa);
  core.def("certification_options", [] { return described(CertifyOptions::table()); });
}

}  // namespace rnnalf::python
