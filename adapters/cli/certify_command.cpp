#include <fmt/format.h>

#include <thread>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/certification_words.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

struct Arguments {
  std::string file;
  std::string dfa;
  NetworkOptions network;
  std::optional<std::string> out;
  std::optional<std::uint64_t> max_run;
  std::optional<std::uint64_t> max_length;
  std::optional<Alphabet> letters;
  std::optional<std::chrono::duration<double>> time_limit;
  std::optional<std::uint64_t> memory_limit;
  std::uint64_t threads = 0;
  std::uint64_t seed = 1;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
};

void declare(CommandLine& line, Arguments& arguments) {
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
  const Count words{.least = 1, .most = 1000};
  line.option("max-run", "N", "only words with no letter more than N times in a row", words,
              arguments.max_run);
  line.option("max-length", "N", "only words of up to N letters", words, arguments.max_length);
  line.option("letters", "L", "only words of these letters",
              [&arguments](std::string_view text) { arguments.letters = Alphabet::parse(text); });
  line.option("time-limit", "D", "give up after this time, such as 30s or 5min", Seconds{},
              arguments.time_limit);
  line.option("memory-limit", "B", "give up beyond this much memory, such as 2GB", Bytes{},
              arguments.memory_limit);
  line.option("threads", "N", "results do not depend on it; 0: one per core", Count{.most = 1024},
              arguments.threads);
  line.option("seed", "N", "of the sampled words", Count{}, arguments.seed);
  line.check([&arguments] { refuse_tokens(arguments.network.tokens); });
  add_progress_options(
      line, {"auto: a live line on a terminal, plain lines in a pipe; plain; none", "no progress"},
      arguments.progress, arguments.quiet);
}

CertifyOptions certify_options(const Arguments& arguments, const Alphabet& alphabet) {
  CertifyOptions options;
  options.precision = arguments.network.precision;
  if (arguments.network.empty_word) {
    options.empty_word = *arguments.network.empty_word == Answer::Accept;
  }
  options.claim.max_run =
      static_cast<decltype(options.claim.max_run)>(arguments.max_run.value_or(0));
  options.claim.max_length =
      static_cast<decltype(options.claim.max_length)>(arguments.max_length.value_or(0));
  options.seed = arguments.seed;
  options.threads = arguments.threads > 0 ? static_cast<unsigned>(arguments.threads)
                                          : std::max(1U, std::thread::hardware_concurrency());
  if (arguments.letters) {
    options.claim.letters.emplace();
    for (const std::string& letter : arguments.letters->names()) {
      const auto symbol = alphabet.find(letter);
      if (!symbol) {
        throw UsageError(
            fmt::format("--letters: expected letters of the network, found {}", in_quotes(letter)));
      }
      options.claim.letters->push_back(*symbol);
    }
  }
  return options;
}

Exit run(const Arguments& arguments) {
  const LoadedNetwork loaded = load_network(arguments.file, arguments.network.read);
  const Alphabet& alphabet = loaded.spec.alphabet;
  const Dfa dfa = over_alphabet(open_dfa(arguments.dfa), alphabet);
  const CertifyOptions options = certify_options(arguments, alphabet);

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  if (arguments.time_limit) budget.restrict_time(*arguments.time_limit);
  if (arguments.memory_limit) budget.restrict_memory(*arguments.memory_limit);
  Progress progress;
  const Certification result = [&] {
    const ProgressLine line(progress, arguments.time_limit, arguments.progress);
    return certify_agreement(loaded.spec, dfa, options, budget, progress);
  }();
  const auto& certificate = result.certificate ? result.certificate : result.weaker;
  if (arguments.out && certificate) write_output(*arguments.out, format_certificate(*certificate));
  if (arguments.out != "-") {
    const TextStyle style = text_style(1);
    write_output("-", certification_text(result, alphabet, style.width - 30, style.utf8));
  }
  if (result.limit == Limit::Interrupt) return Exit::Interrupted;
  return result.verdict == Certification::Verdict::Open ? Exit::LimitReached : Exit::Done;
}

}  // namespace

Command certify_command() {
  return make_command("certify", "look for a proof that network and DFA agree on all words",
                      declare, run);
}

}  // namespace rnnalf::cli
