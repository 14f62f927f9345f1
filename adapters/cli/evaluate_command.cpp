#include "command.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/evaluate/evaluate_table.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/evaluation_report.hpp"
#include "terminal.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

struct EvaluateArguments {
  std::string file;
  std::string dfa;
  NetworkOptions network;
  std::optional<std::string> target;
  EvaluateOptions evaluation;
  std::vector<std::string> words;  // files
  std::optional<std::string> json;
};

void declare(CommandLine& line, EvaluateArguments& arguments) {
  line.describe(
      "Compares a network and a DFA on uniform words by length, on words of a file, on pumped "
      "words p u^k s and on all words up to a length, and lists the shortest words on which they "
      "differ. With --target, all three distances: network and target, network and DFA, DFA and "
      "target (the last also exactly). Exit code 0: all of it was compared, whatever came out; 3: "
      "the time limit was reached first, what was compared until then is shown; 130: interrupted, "
      "the same.",
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
  line.option("json", "FILE", "write JSON; - is standard output, instead of the table",
              arguments.json);
}

Exit run(const EvaluateArguments& arguments) {
  Outputs outputs({{"--json", arguments.json}}, Inputs()
                                                    .add("NET", arguments.file)
                                                    .add(arguments.network)
                                                    .add("DFA", arguments.dfa)
                                                    .add("--target", arguments.target)
                                                    .add("--words", arguments.words));
  const Network network = open_network(arguments.file, arguments.network).network;
  const Alphabet& alphabet = network.summary.alphabet;
  const Dfa dfa = open_dfa_for(network.summary, arguments.dfa);
  std::optional<Dfa> target;
  if (arguments.target) target = open_dfa_for(network.summary, *arguments.target);

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  EvaluateOptions options = arguments.evaluation;
  if (options.time_limit) budget.restrict_time(*options.time_limit);  // reading words included
  for (const std::string& file : arguments.words) {
    const std::vector<Word> words = read_words(file, alphabet, budget);
    options.words.insert(options.words.end(), words.begin(), words.end());
  }
  EvaluationReport report{
      .network = network.summary,
      .dfa = {arguments.dfa, dfa.size()},
      .target = {},
      .seed = options.seed,
      .found = evaluate(network, dfa, target ? &*target : nullptr, options, budget)};
  if (target) report.target = {*arguments.target, target->size()};
  outputs.write(arguments.json, [&] { return evaluation_json(report); });
  if (!outputs.took_stdout()) {
    outputs.attempt([&] { print(evaluation_text(report, text_style(1))); });
  }
  outputs.finish();
  if (report.found.complete) return Exit::Done;
  return budget.limit() == Limit::Interrupt ? Exit::Interrupted : Exit::LimitReached;
}

}  // namespace

Command evaluate_command() {
  return make_command<EvaluateArguments>("evaluate", "how far a DFA is from a network", declare,
                                         run);
}

}  // namespace rnnalf::cli
