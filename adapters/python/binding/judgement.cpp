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
                      const py::object& words, std::optional<double> time_limit,
                      std::uint64_t threads, const py::object& on_progress) {
  const Alphabet& alphabet = network.alphabet();
  const Dfa dfa = for_network(automaton, network.summary());
  std::optional<Dfa> meant;
  if (target) meant = for_network(*target, network.summary());
  EvaluateOptions options;
  read_options(evaluate_table(), given, options);
  check_all(evaluate_table(), options);
  options.words = words_of(words, alphabet);
  Budget budget;
  if (time_limit) budget.restrict_time(std::chrono::duration<double>(*time_limit));
  Progress progress;
  const Evaluation found = watched_value(
      [&] {
        StateTree tree(*network.network.acceptor, {.threads = network.threads(threads),
                                                   .empty_word = network.network.empty_word});
        tree.watch(progress);
        tree.announce("comparing");
        return evaluate(tree, dfa, meant ? &*meant : nullptr, options, budget);
      },
      budget, progress, on_progress);
  return evaluation_dict(found, network);
}

py::object certificate_text(const std::optional<certify::Certificate>& certificate) {
  if (!certificate) return py::none();
  return py::str(format_certificate(*certificate));
}

const char* verdict_name(Certification::Verdict verdict) {
  switch (verdict) {
    case Certification::Verdict::Certified:
      return "certified";
    case Certification::Verdict::Refuted:
      return "refuted";
    case Certification::Verdict::Open:
      break;
  }
  return "open";
}

py::dict certify_dfa(const PyNetwork& network, const NamedDfa& automaton,
                     std::optional<double> time_limit, std::size_t max_run, std::size_t max_length,
                     const std::optional<std::vector<std::string>>& letters, std::uint64_t seed,
                     std::uint64_t threads, const py::object& on_progress) {
  if (!network.spec) {
    throw OptionError(
        "certify: expected a network whose weights are known, found a Python function");
  }
  const Alphabet& alphabet = network.alphabet();
  if (!(alphabet == network.spec->alphabet && network.network.summary.begin.empty() &&
        network.network.summary.end.empty())) {
    throw OptionError(
        "certify: expected words as the network reads them, found begin, end or over; there are no "
        "certificates about these");
  }
  require_certifiable(*network.spec);
  const Dfa dfa = for_network(automaton, network.summary());
  CertifyOptions options;
  options.precision = network.network.acceptor->precision();
  if (const auto& empty_word = network.network.empty_word) {
    options.empty_word = *empty_word == Answer::Accept;
  }
  options.claim.max_run = max_run;
  options.claim.max_length = max_length;
  options.seed = seed;
  options.threads = network.threads(threads);
  if (letters) {
    options.claim.letters.emplace();
    for (const std::string& letter : *letters) {
      const auto symbol = alphabet.find(letter);
      if (!symbol) {
        throw OptionError("letters: expected letters of the network, found '" + letter + "'");
      }
      options.claim.letters->push_back(*symbol);
    }
  }
  Budget budget;
  if (time_limit) budget.restrict_time(std::chrono::duration<double>(*time_limit));
  Progress progress;
  const Certification found = watched_value(
      [&] { return certify_agreement(*network.spec, dfa, options, budget, progress); }, budget,
      progress, on_progress);
  py::dict result;
  result["verdict"] = verdict_name(found.verdict);
  result["certificate"] = certificate_text(found.certificate);
  result["counterexample"] = text_of(found.counterexample, alphabet);
  result["images"] = found.images;
  std::vector<std::size_t> open_states;
  for (const auto& [state, letter] : found.open) open_states.push_back(index(state));
  result["open_states"] = open_states;
  result["weaker"] = certificate_text(found.weaker);
  result["outside_weaker"] = text_of(found.outside_weaker, alphabet);
  result["agreed_length"] = found.agreed_length;
  result["limit"] = found.limit == Limit::None
                        ? py::object(py::none())
                        : py::object(py::str(std::string(name(found.limit))));
  return result;
}

}  // namespace

void bind_judgement(py::module_& core) {
  core.def("evaluate", &evaluate_dfa);
  core.def("evaluation_options", [] { return described(evaluate_table()); });
  core.def("certify", &certify_dfa);
}

}  // namespace rnnalf::python
