#include "command.hpp"
#include "extraction_arguments.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/certification_words.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

struct CertifyArguments {
  std::string file;
  std::string dfa;
  NetworkOptions network;
  CertifyOptions certify;
  std::optional<std::string> out;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
};

void declare(CommandLine& line, CertifyArguments& arguments) {
  line.describe(
      "Looks for sets of R-states that the network maps into each other, each with its DFA state. "
      "Where there are such sets, network and DFA agree on every word, however long; the "
      "certificate is checked by rnnalf-check, which shares no code with the search. Exit code 0: "
      "certified, or refuted by a word; 3: open, with what is known all the same; 130: "
      "interrupted.",
      "  rnnalf certify examples/networks/tomita4_proved.onnx \\\n"
      "    examples/networks/tomita4_proved.target.dot --out proof.json\n");
  line.operand("NET", arguments.file);
  line.operand("DFA", arguments.dfa);
  line.options(NetworkOptions::table(), arguments.network);
  line.option("out", "FILE", "write the certificate; - is standard output", arguments.out);
  line.options(CertifyOptions::table(), arguments.certify);
  line.check([&arguments] { refuse_tokens(arguments.network.tokens); });
  add_progress_options(
      line, {"auto: a live line on a terminal, plain lines in a pipe; plain; none", "no progress"},
      arguments.progress, arguments.quiet);
}

Exit run(const CertifyArguments& arguments) {
  Outputs outputs(
      {{"--out", arguments.out}},
      Inputs().add("NET", arguments.file).add(arguments.network).add("DFA", arguments.dfa));
  const LoadedNetwork loaded = load_network(arguments.file, arguments.network.read);
  const Alphabet& alphabet = loaded.spec.alphabet;
  const Dfa dfa = over_alphabet(open_dfa(arguments.dfa), alphabet);
  CertifyOptions options = arguments.certify;
  options.precision = arguments.network.precision;
  if (const auto answer = answer_for_empty_word(arguments.network, loaded.spec)) {
    options.empty_word = *answer == Answer::Accept;
  }

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const Certification result = [&] {
    const ProgressLine line(progress, options.time_limit, arguments.progress);
    return certify_agreement(loaded.spec, dfa, options, budget, progress);
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
