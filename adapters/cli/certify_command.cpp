#include <cstdio>
#include <limits>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "network_options.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/report/shown_word.hpp"
#include "terminal.hpp"
#include "units.hpp"

namespace rnnalf::cli {
namespace {

CertifyOptions certify_options(const Arguments& arguments, const NetworkOptions& network,
                               const Alphabet& alphabet) {
  CertifyOptions options;
  options.precision = network.precision;
  options.empty_word = network.empty_word;
  const auto count = [&](const char* name, auto& value, std::uint64_t least, std::uint64_t most) {
    if (const auto text = arguments.value(name)) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(
          parse_count(name, *text, least, most));
    }
  };
  count("max-run", options.claim.max_run, 1, 1000);
  count("max-length", options.claim.max_length, 1, 1000);
  count("seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max());
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  count("threads", options.threads, 1, 1024);
  if (const auto text = arguments.value("letters")) {
    options.claim.letters.emplace();
    const Alphabet letters = Alphabet::parse(*text);
    for (const std::string& letter : letters.names()) {
      const auto symbol = alphabet.find(letter);
      if (!symbol) {
        throw UsageError("--letters: expected letters of the network, found '" + letter + "'");
      }
      options.claim.letters->push_back(*symbol);
    }
  }
  return options;
}

std::string which_words(const certify::Claim& claim, const Alphabet& alphabet) {
  std::string text = "all words";
  if (claim.letters) {
    text += " of the letters";
    for (const Symbol symbol : *claim.letters) text += " " + alphabet.name(symbol);
  }
  if (claim.max_run > 0) {
    text += " with no letter more than " + std::to_string(claim.max_run) + " times in a row";
  }
  if (claim.max_length > 0) text += " of up to " + std::to_string(claim.max_length) + " letters";
  return text;
}

std::string proved(const certify::Certificate& certificate, const Alphabet& alphabet) {
  std::size_t images = certificate.start.size();
  for (const auto& set : certificate.sets) images += set.tree.size();
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                "  %zu sets of R-states, %zu images; smallest margin %.3g, slack per step %.2g\n",
                certificate.sets.size(), images, certificate.margin, certificate.slack);
  return which_words(certificate.claim, alphabet) +
         (certificate.empty_word ? "" : ", the empty word left out") + "\n" + numbers;
}

std::string outcome_text(const Certification& result, const Alphabet& alphabet,
                         const TextStyle& style) {
  const auto shown = [&](const Word& word) {
    return shown_word(alphabet, word, style.width - 30, style.utf8);
  };
  switch (result.verdict) {
    case Certification::Verdict::Certified:
      return "certified: network and DFA agree, proved for " +
             proved(*result.certificate, alphabet);
    case Certification::Verdict::Refuted:
      return "refuted: network and DFA differ on " + shown(*result.counterexample) + "\n";
    case Certification::Verdict::Open:
      break;
  }
  std::string text = "open: no proof was found";
  if (result.limit != Limit::None) text += " (" + std::string(name(result.limit)) + ")";
  text += "\n";
  if (!result.open_states.empty()) {
    text += "  sets that did not close belong to the minimal DFA's states";
    for (const LState state : result.open_states) text += " " + std::to_string(index(state));
    text += "\n";
  }
  if (result.agreed_length) {
    text += "  all words of up to " + std::to_string(*result.agreed_length) +
            " letters were run: network and DFA agree on them\n";
  }
  if (result.weaker) {
    text += "  proved for " + proved(*result.weaker, alphabet) + "  not for " +
            shown(*result.outside_weaker) + "\n";
  }
  return text;
}

Exit run(const Arguments& arguments) {
  const NetworkOptions network_settings = network_options(arguments);
  ProgressMode mode = parse_progress_mode(arguments.value("progress").value_or("auto"));
  const std::optional<std::chrono::duration<double>> time =
      arguments.has("time-limit")
          ? std::optional(parse_duration("time-limit", *arguments.value("time-limit")))
          : std::nullopt;
  const LoadedNetwork loaded = load_network(arguments.operands[0], network_settings.read);
  const Alphabet& alphabet = loaded.spec.alphabet;
  const Dfa dfa = over_alphabet(open_dfa(arguments.operands[1]), alphabet);
  const CertifyOptions options = certify_options(arguments, network_settings, alphabet);

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  if (time) budget.restrict_time(*time);
  if (const auto text = arguments.value("memory-limit")) {
    budget.restrict_memory(parse_bytes("memory-limit", *text));
  }
  Progress progress;
  const Certification result = [&] {
    const ProgressLine line(progress, time, mode);
    return certify_agreement(loaded.spec, dfa, options, budget, progress);
  }();
  const auto& certificate = result.certificate ? result.certificate : result.weaker;
  const auto file = arguments.value("out");
  if (file && certificate) write_output(*file, format_certificate(*certificate));
  if (file != "-") write_output("-", outcome_text(result, alphabet, text_style(1)));
  if (result.limit == Limit::Interrupt) return Exit::Interrupted;
  return result.verdict == Certification::Verdict::Open ? Exit::LimitReached : Exit::Done;
}

}  // namespace

Command certify_command() {
  return {{.name = "certify",
           .operands = "NET DFA",
           .least_operands = 2,
           .most_operands = 2,
           .summary = "look for a proof that network and DFA agree on all words",
           .description =
               "Looks for sets of R-states that the network maps into each other, each with its "
               "DFA state. Where there are such sets, network and DFA agree on every word, however "
               "long; the certificate is checked by rnnalf-check, which shares no code with the "
               "search. Exit code 0: certified, or refuted by a word; 3: open, with what is known "
               "all the same; 130: interrupted.",
           .options = with_network_options(
               {{"out", "FILE", "write the certificate; - is standard output"},
                {"max-run", "N", "only words with no letter more than N times in a row"},
                {"max-length", "N", "only words of up to N letters"},
                {"letters", "L", "only words of these letters"},
                {"time-limit", "D", "give up after this time, such as 30s or 5min"},
                {"memory-limit", "B", "give up beyond this much memory, such as 2GB"},
                {"threads", "N", "threads; results do not depend on it (default: all cores)"},
                {"seed", "N", "of the sampled words (default: 1)"},
                {"progress", "M",
                 "auto: a live line on a terminal, plain lines in a pipe; plain; none (default: "
                 "auto)"}}),
           .examples = "  rnnalf certify examples/networks/tomita4_proved.onnx "
                       "examples/networks/tomita4_proved.target.dot --out proof.json\n"},
          run};
}

}  // namespace rnnalf::cli
