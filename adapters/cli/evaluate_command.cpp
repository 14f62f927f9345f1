#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/evaluate/evaluate_table.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/answer_words.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "rnnalf/report/text_table.hpp"
#include "terminal.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string file;
  std::string dfa;
  NetworkOptions network;
  std::optional<std::string> target;
  EvaluateOptions evaluation;
  std::vector<std::string> words;  // files
  std::uint64_t threads = 0;
  std::chrono::duration<double> time_limit{60};
  std::optional<std::string> json;
};

void declare(CommandLine& line, Arguments& arguments) {
  line.describe(
      "Compares a network and a DFA on uniform words by length, on words of a file, on pumped "
      "words p u^k s and on all words up to a length, and lists the shortest words on which they "
      "differ. With --target, all three distances: network and target, network and DFA, DFA and "
      "target (the last also exactly).",
      "  rnnalf evaluate examples/networks/tomita3_gru100.onnx \\\n"
      "    examples/networks/tomita3_gru100.target.dot\n"
      "  rnnalf evaluate net.onnx extracted.dot --target meant.dot --exhaustive 12\n");
  line.operand("NET", arguments.file);
  line.operand("DFA", arguments.dfa);
  line.options(NetworkOptions::table(), arguments.network);
  line.option("target", "DFA", "the language the network was meant to learn", arguments.target);
  line.option("words", "FILE", "compare on these words, one per line; may be repeated",
              arguments.words);
  line.options(evaluate_table(), arguments.evaluation);
  line.option("threads", "N", "threads of inference; 0: one per core", Count{.most = 1024},
              arguments.threads);
  line.option("time-limit", "D", "wall time, such as 30s or 5m", Seconds{}, arguments.time_limit);
  line.option("json", "FILE", "write JSON; - is standard output, instead of the table",
              arguments.json);
}

// ---------------------------------------------------------------- text

/// Rounded down, so that 100 % means all of them; the small number undoes rounding of the share.
std::string percent(double share) {
  return fmt::format("{:.3f}", std::floor(share * 1e5 + 1e-6) / 1e3);
}

std::string agreement_table(const Evaluation& result, std::size_t answers) {
  const bool with_target = result.equal_to_target.has_value();
  std::vector<Align> columns(with_target ? 6 : 4, Align::Right);
  columns[0] = Align::Left;
  TextTable table(columns);
  std::vector<std::string> headings = {"Agreement in %", "words", "network=DFA"};
  if (with_target) headings.insert(headings.end(), {"network=target", "DFA=target"});
  headings.emplace_back(answers > 2 ? "commonest" : "accepted");
  table.row(headings);
  const auto row = [&](const std::string& what, const PairAgreement& agreement) {
    const auto share = [&](std::uint64_t words) { return percent(agreement.share(words)); };
    std::vector<std::string> entries = {"  " + what, format_count(agreement.words),
                                        share(agreement.network_dfa)};
    if (with_target) {
      entries.push_back(share(agreement.network_target));
      entries.push_back(share(agreement.dfa_target));
    }
    entries.push_back(share(agreement.accepted));
    table.row(entries);
  };
  for (const LengthEvaluation& level : result.by_length) {
    row(fmt::format("uniform, length {}", level.length), level.agreement);
  }
  if (result.given) row("given words", *result.given);
  if (result.pumped) row("pumped words", *result.pumped);
  if (result.exhaustive) {
    row(fmt::format("all up to length {}", *result.exhaustive_length), *result.exhaustive);
  }
  return table.text();
}

std::string evaluation_text(const Evaluation& result, const NetworkSummary& network,
                            const TextStyle& style) {
  const Alphabet& alphabet = network.alphabet;
  std::string text = agreement_table(result, network.answers);
  const auto shown = [&](const Word& word) {
    return shown_word(alphabet, word, style.width - 40, style.utf8);
  };
  if (result.equal_to_target) {
    text += *result.equal_to_target ? "\nDFA and target are equivalent.\n"
                                    : fmt::format("\nDFA and target differ, first on {}\n",
                                                  shown(*result.separating_word));
  }
  if (result.disagreements.empty()) {
    text += "\nNo word was found on which network and DFA differ.\n";
  } else {
    text += "\nNetwork and DFA differ, shortest found first:\n";
    for (const Counterexample& one : result.disagreements) {
      text += fmt::format("  {}  network {}, p = {:.4f}{}\n", shown(one.word),
                          printable(answer_verb(one.answer, network), style.utf8),
                          one.probability.value_or(0), one.is_error() ? ", unlike the target" : "");
    }
  }
  if (!result.complete) text += "\nStopped by a limit: what is missing above was not looked at.\n";
  return text;
}

// ---------------------------------------------------------------- JSON

Json word_json(const Alphabet& alphabet, const Word& word) {
  Json json = Json::array();
  for (const Symbol symbol : word) json.push_back(alphabet.name(symbol));
  return json;
}

Json agreement_json(const PairAgreement& agreement, bool with_target) {
  Json json = {{"words", agreement.words},
               {"accepted", agreement.share(agreement.accepted)},
               {"network_dfa", agreement.share(agreement.network_dfa)}};
  if (with_target) {
    json["network_target"] = agreement.share(agreement.network_target);
    json["dfa_target"] = agreement.share(agreement.dfa_target);
  }
  return json;
}

std::string evaluation_json(const Evaluation& result, const Arguments& arguments,
                            const NetworkSummary& network, const Dfa& dfa,
                            const std::optional<Dfa>& target) {
  const Alphabet& alphabet = network.alphabet;
  const auto answer = [&](Answer given) {
    return network.answers > 2 ? Json(index(given)) : Json(given == Answer::Accept);
  };
  const bool with_target = target.has_value();
  Json json = {{"format", "rnnalf.evaluation/1"},
               {"network",
                {{"file", arguments.file},
                 {"alphabet", alphabet.names()},
                 {"classes", network.answers},
                 {"class_names", network.classes.names()}}},
               {"dfa", {{"file", arguments.dfa}, {"states", dfa.size()}}},
               {"target", nullptr},
               {"seed", arguments.evaluation.seed},
               {"complete", result.complete}};
  if (with_target) {
    json["target"] = {{"file", *arguments.target}, {"states", target->size()}};
  }
  json["by_length"] = Json::array();
  for (const LengthEvaluation& level : result.by_length) {
    Json entry = {{"length", level.length}};
    entry.update(agreement_json(level.agreement, with_target));
    json["by_length"].push_back(std::move(entry));
  }
  const auto part = [&](const std::optional<PairAgreement>& agreement) {
    return agreement ? agreement_json(*agreement, with_target) : Json(nullptr);
  };
  json["given"] = part(result.given);
  json["pumped"] = part(result.pumped);
  json["exhaustive"] = part(result.exhaustive);
  if (result.exhaustive_length) json["exhaustive"]["max_length"] = *result.exhaustive_length;
  if (with_target) {
    json["dfa_equals_target"] = *result.equal_to_target;
    json["separating_word"] =
        result.separating_word ? word_json(alphabet, *result.separating_word) : Json(nullptr);
  }
  json["disagreements"] = Json::array();
  for (const Counterexample& one : result.disagreements) {
    json["disagreements"].push_back({{"word", word_json(alphabet, one.word)},
                                     {"network", answer(one.answer)},
                                     {"probability", one.probability.value_or(0)},
                                     {"target", one.target ? answer(*one.target) : Json(nullptr)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit run(const Arguments& arguments) {
  const Network network = open_network(arguments.file, arguments.network).network;
  const Alphabet& alphabet = network.summary.alphabet;
  const Dfa dfa = open_dfa_for(network.summary, arguments.dfa);
  std::optional<Dfa> target;
  if (arguments.target) target = open_dfa_for(network.summary, *arguments.target);

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  budget.restrict_time(arguments.time_limit);
  EvaluateOptions options = arguments.evaluation;
  for (const std::string& file : arguments.words) {
    const std::vector<Word> words = read_words(file, alphabet, budget);
    options.words.insert(options.words.end(), words.begin(), words.end());
  }
  const auto threads = arguments.threads > 0 ? static_cast<unsigned>(arguments.threads)
                                             : std::max(1U, std::thread::hardware_concurrency());
  StateTree tree(*network.acceptor, {.threads = threads, .empty_word = network.empty_word});
  const Evaluation result = evaluate(tree, dfa, target ? &*target : nullptr, options, budget);

  if (arguments.json) {
    write_output(*arguments.json, evaluation_json(result, arguments, network.summary, dfa, target));
  }
  if (arguments.json != "-")
    write_output("-", evaluation_text(result, network.summary, text_style(1)));
  if (result.complete) return Exit::Done;
  return budget.limit() == Limit::Interrupt ? Exit::Interrupted : Exit::LimitReached;
}

}  // namespace

Command evaluate_command() {
  return make_command("evaluate", "how far a DFA is from a network", declare, run);
}

}  // namespace rnnalf::cli
