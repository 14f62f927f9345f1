#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "network_options.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "terminal.hpp"
#include "units.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostWords = 100'000'000;
constexpr std::uint64_t kLongest = 100'000;

EvaluateOptions evaluate_options(const Arguments& arguments) {
  EvaluateOptions options;
  if (const auto text = arguments.value("lengths"))
    options.lengths = parse_counts("lengths", *text, 0, kLongest);
  const auto count = [&](const char* name, std::size_t& value, std::uint64_t most) {
    if (const auto text = arguments.value(name)) value = parse_count(name, *text, 0, most);
  };
  count("per-length", options.per_length, kMostWords);
  count("pumped", options.pumped, kMostWords);
  count("pumped-length", options.pumped_length, kLongest);
  count("exhaustive", options.exhaustive, kLongest);
  count("seed", options.seed, std::numeric_limits<std::uint64_t>::max());
  return options;
}

// ---------------------------------------------------------------- text

std::string percent(double share) {
  // Rounded down, so that 100 % means all of them; the small number undoes rounding of the share.
  char text[16];
  std::snprintf(text, sizeof text, "%8.3f", std::floor(share * 1e5 + 1e-6) / 1e3);
  return text;
}

std::string text_row(const std::string& what, const PairAgreement& agreement, bool with_target) {
  std::string row = "  " + what;
  row.resize(std::max<std::size_t>(row.size() + 1, 26), ' ');
  std::string words = format_count(agreement.words);
  row += std::string(words.size() < 9 ? 9 - words.size() : 0, ' ') + words;
  row += "  " + percent(agreement.share(agreement.network_dfa));
  if (with_target) {
    row += "        " + percent(agreement.share(agreement.network_target));
    row += "    " + percent(agreement.share(agreement.dfa_target));
  }
  row += "  " + percent(agreement.share(agreement.accepted));
  return row + "\n";
}

std::string evaluation_text(const Evaluation& result, const Alphabet& alphabet,
                            const TextStyle& style) {
  const bool with_target = result.equal_to_target.has_value();
  std::string text = "Agreement in %               words  network=DFA";
  text += with_target ? "  network=target  DFA=target" : "";
  text += "  accepted\n";
  for (const LengthEvaluation& level : result.by_length) {
    text +=
        text_row("uniform, length " + std::to_string(level.length), level.agreement, with_target);
  }
  if (result.given) text += text_row("given words", *result.given, with_target);
  if (result.pumped) text += text_row("pumped words", *result.pumped, with_target);
  if (result.exhaustive) {
    text += text_row("all up to length " + std::to_string(*result.exhaustive_length),
                     *result.exhaustive, with_target);
  }
  const auto shown = [&](const Word& word) {
    return shown_word(alphabet, word, style.width - 40, style.utf8);
  };
  if (with_target) {
    text += *result.equal_to_target
                ? "\nDFA and target are equivalent.\n"
                : "\nDFA and target differ, first on " + shown(*result.separating_word) + "\n";
  }
  if (result.disagreements.empty()) {
    text += "\nNo word was found on which network and DFA differ.\n";
  } else {
    text += "\nNetwork and DFA differ, shortest found first:\n";
    for (const Counterexample& one : result.disagreements) {
      char probability[48];
      std::snprintf(probability, sizeof probability, "network %s, p = %.4f",
                    one.accepted ? "accepts" : "rejects", one.probability.value_or(0));
      text += "  " + shown(one.word) + "  " + probability;
      if (one.target) text += *one.target == one.accepted ? "" : ", unlike the target";
      text += "\n";
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
                            const EvaluateOptions& options, const Alphabet& alphabet,
                            const Dfa& dfa, const std::optional<Dfa>& target) {
  const bool with_target = target.has_value();
  Json json = {{"format", "rnnalf.evaluation/1"},
               {"network", {{"file", arguments.operands[0]}, {"alphabet", alphabet.names()}}},
               {"dfa", {{"file", arguments.operands[1]}, {"states", dfa.size()}}},
               {"target", nullptr},
               {"seed", options.seed},
               {"complete", result.complete}};
  if (with_target) {
    json["target"] = {{"file", *arguments.value("target")}, {"states", target->size()}};
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
                                     {"network", one.accepted},
                                     {"probability", one.probability.value_or(0)},
                                     {"target", one.target ? Json(*one.target) : Json(nullptr)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Exit run(const Arguments& arguments) {
  const NetworkOptions network_settings = network_options(arguments);
  EvaluateOptions options = evaluate_options(arguments);
  const auto time_limit =
      parse_duration("time-limit", arguments.value("time-limit").value_or("60"));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const auto threads = arguments.value("threads")
                           ? parse_count("threads", *arguments.value("threads"), 1, 1024)
                           : cores;
  const Network network = open_network(arguments.operands[0], network_settings).network;
  const Alphabet& alphabet = network.summary.alphabet;
  const Dfa dfa = over_alphabet(open_dfa(arguments.operands[1]), alphabet);
  std::optional<Dfa> target;
  if (const auto file = arguments.value("target")) {
    target = over_alphabet(open_dfa(*file), alphabet);
  }

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  budget.restrict_time(time_limit);
  for (const std::string& file : arguments.values("words")) {
    const std::vector<Word> words = read_words(file, alphabet, budget);
    options.words.insert(options.words.end(), words.begin(), words.end());
  }
  StateTree tree(*network.acceptor,
                 {.threads = static_cast<unsigned>(threads), .empty_word = network.empty_word});
  const Evaluation result = evaluate(tree, dfa, target ? &*target : nullptr, options, budget);

  const auto json = arguments.value("json");
  if (json) {
    write_output(*json, evaluation_json(result, arguments, options, alphabet, dfa, target));
  }
  if (json != "-") write_output("-", evaluation_text(result, alphabet, text_style(1)));
  if (result.complete) return Exit::Done;
  return budget.limit() == Limit::Interrupt ? Exit::Interrupted : Exit::LimitReached;
}

}  // namespace

Command evaluate_command() {
  return {
      {.name = "evaluate",
       .operands = "NET DFA",
       .least_operands = 2,
       .most_operands = 2,
       .summary = "how far a DFA is from a network",
       .description =
           "Compares a network and a DFA on uniform words by length, on words of a file, on pumped "
           "words p u^k s and on all words up to a length, and lists the shortest words on which "
           "they differ. With --target, all three distances: network and target, network and DFA, "
           "DFA and target (the last also exactly).",
       .options = with_network_options(
           {{"target", "DFA", "the language the network was meant to learn"},
            {"lengths", "N,N...", "lengths of uniform words (default: 1,4,...,28,50,100)"},
            {"per-length", "N", "uniform words of each length (default: 1000)"},
            {"words", "FILE", "compare on these words, one per line; may be repeated", true},
            {"pumped", "N", "pumped words (default: 2000)"},
            {"pumped-length", "N", "most symbols of a pumped word (default: 200)"},
            {"exhaustive", "N", "all words of up to N symbols (default: none)"},
            {"seed", "N", "the same seed gives the same words (default: 1)"},
            {"threads", "N", "threads of inference (default: all cores)"},
            {"time-limit", "D", "such as 30s or 5m (default: 60s)"},
            {"json", "FILE", "write JSON; - is standard output, instead of the table"}}),
       .examples = "  rnnalf evaluate examples/networks/tomita3_gru100.onnx "
                   "examples/networks/tomita3_gru100.target.dot\n"
                   "  rnnalf evaluate net.onnx extracted.dot --target meant.dot --exhaustive 12\n"},
      run};
}

}  // namespace rnnalf::cli
