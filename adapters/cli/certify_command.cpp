#include <fmt/core.h>

#include <tuple>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/product.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/certification_words.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

struct CertifyArguments {
  std::string file;
  std::vector<std::string> dfa;  ///< one at most
  std::optional<std::string> never, always, implies;
  NetworkOptions network;
  CertifyOptions certify;
  std::optional<std::string> out;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
};

/// What the automaton DFA is beside the property.
void check_claim(const CertifyArguments& arguments) {
  const bool given = !arguments.dfa.empty();
  const int properties = int(arguments.never.has_value()) + int(arguments.always.has_value()) +
                         int(arguments.implies.has_value());
  if (properties > 1 || arguments.dfa.size() > 1 ||
      (!given && (properties == 0 || arguments.implies))) {
    throw UsageError(
        "expected one claim: DFA, --never P, --always P or --implies P DFA; --never and --always "
        "may have a DFA too");
  }
}

void declare(CommandLine& line, CertifyArguments& arguments) {
  line.describe(
      "Proves that a network agrees with an automaton on every word, however long, or that it has "
      "a property; or finds a word that refutes it. The proof is a certificate: sets of R-states "
      "that the network maps into each other. rnnalf-check checks it and shares no code with the "
      "search. Automata are files, or regex:... over the symbols of the network. With --never and "
      "--always, DFA is optional: one that is near the network, such as an extracted one, helps to "
      "find the sets. Exit code 0: certified, or refuted by a word; 3: open, with what is known "
      "all the same; 130: interrupted.",
      "  rnnalf certify examples/networks/tomita4_proved.onnx \\\n"
      "    examples/networks/tomita4_proved.target.dot --out proof.json\n"
      "  rnnalf certify examples/networks/bp4_proved.onnx --never 'regex:[)].*'\n"
      "  rnnalf certify NET --implies 'regex:a.*' ends_with_b.dot\n");
  line.operand("NET", arguments.file);
  line.operands("DFA", 0, arguments.dfa);
  line.option("never", "P", "prove that the network accepts no word of automaton P",
              arguments.never);
  line.option("always", "P", "prove that the network accepts every word of P", arguments.always);
  line.option("implies", "P", "prove that every word of P that the network accepts is one of DFA",
              arguments.implies);
  line.options(NetworkOptions::table(), arguments.network);
  line.option("out", "FILE", "write the certificate; - is standard output", arguments.out);
  line.options(CertifyOptions::table(), arguments.certify);
  line.check([&arguments] { refuse_tokens(arguments.network.tokens); });
  line.check([&arguments] { check_claim(arguments); });
  add_progress_options(
      line, {"auto: a live line on a terminal, plain lines in a pipe; plain; none", "no progress"},
      arguments.progress, arguments.quiet);
}

Exit run(const CertifyArguments& arguments) {
  const auto& [never, always, implies] =
      std::tie(arguments.never, arguments.always, arguments.implies);
  const auto& words = never ? never : always ? always : implies;  // those of the property
  const auto dfa_name = arguments.dfa.empty() ? std::nullopt : std::optional(arguments.dfa[0]);
  Outputs outputs({{"--out", arguments.out}}, Inputs()
                                                  .add("NET", arguments.file)
                                                  .add(arguments.network)
                                                  .add("DFA", dfa_name)
                                                  .add("P", words));
  const LoadedNetwork loaded = load_network(arguments.file, arguments.network.read);
  const Alphabet& alphabet = loaded.spec.alphabet;
  require_certifiable(loaded.spec);
  const NetworkSummary shown = summary(loaded.spec);
  std::optional<Dfa> dfa;
  if (dfa_name) dfa = open_dfa_for(shown, *dfa_name);
  CertifyOptions options = arguments.certify;
  if (words) {
    const Dfa P = open_dfa_for(shown, *words);
    dfa = implies ? difference(P, *dfa) : dfa ? refined(P, *dfa) : P;
    options.property = always ? certify::Property::Always : certify::Property::Never;
  }
  options.precision = arguments.network.precision;
  if (const auto answer = answer_for_empty_word(arguments.network, loaded.spec)) {
    options.empty_word = *answer == Answer::Accept;
  }

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const Certification result = [&] {
    const ProgressLine line(progress, options.time_limit, arguments.progress);
    return certify_agreement(loaded.spec, *dfa, options, budget, progress);
  }();
  const auto& certificate = result.certificate ? result.certificate : result.weaker;
  if (certificate) {
    outputs.write(arguments.out, [&] { return format_certificate(*certificate); });
  }
  if (!outputs.took_stdout()) {
    const TextStyle style = text_style(1);
    outputs.attempt(
        [&] { print(certification_text(result, alphabet, style.width - 30, style.utf8)); });
  }
  outputs.finish();
  if (result.limit == Limit::Interrupt) return Exit::Interrupted;
  return result.verdict == Certification::Verdict::Open ? Exit::LimitReached : Exit::Done;
}

}  // namespace

Command certify_command() {
  return make_command<CertifyArguments>(
      "certify", "look for a proof that network and DFA agree on all words", declare, run);
}

}  // namespace rnnalf::cli
