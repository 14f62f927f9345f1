#include <array>
#include <chrono>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "graphviz.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "report_extras.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/certify/certify.hpp"
#include "rnnalf/libalf/extraction.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/text_report.hpp"
#include "terminal.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

struct Arguments {
  std::string file;
  NetworkOptions network;
  ExtractionOptions extraction;
  std::vector<std::string> sample;   // words
  std::vector<std::string> samples;  // files
  std::optional<std::string> target;
  std::optional<std::string> json, dot, alf, svg, trace, certify, report;
  PictureOptions picture;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
  std::string command;  // the command line again, without outputs
};

void declare(CommandLine& line, Arguments& arguments) {
  line.describe(
      "Learns the automaton a network has learned: membership queries run the network, "
      "equivalence queries are answered by a chain of oracles. Prints a summary and the "
      "counterexamples. Exit code 0: no oracle found a counterexample to the result; 3: a limit "
      "was reached, the last hypothesis is the result; 130: interrupted, likewise.",
      "  rnnalf extract examples/networks/tomita3_gru100.onnx\n"
      "  rnnalf extract examples/networks/bp_gru50.onnx --time-limit 20s --json run.json \\\n"
      "    --dot bp.dot\n"
      "  rnnalf extract model.pt --cell gru --alphabet ab --preset paper\n");
  line.operand("NET", arguments.file);
  line.options(NetworkOptions::table(), arguments.network);
  add_extraction_options(line, arguments.extraction);
  line.option("sample", "WORD", "a word tried at every equivalence query; may be repeated",
              arguments.sample);
  line.option("samples", "FILE", "such words from a file, one per line", arguments.samples);
  line.option("target", "DFA",
              "the language the network was meant to learn, as .dot, .json or .alf",
              arguments.target);
  line.option("json", "FILE", "write the whole run as JSON; - is standard output", arguments.json);
  line.option("dot", "FILE", "write the DFA for Graphviz, LearnLib and AALpy", arguments.dot);
  line.option("alf", "FILE", "write the DFA in libalf's text form", arguments.alf);
  line.option("svg", "FILE", "draw the DFA (needs Graphviz), parallel transitions as one arrow",
              arguments.svg);
  line.option("sinks", "M",
              "rejecting states that no word leaves are dimmed, hidden or shown in the SVG",
              Choice<Sinks>{
                  {{"dimmed", Sinks::Dimmed}, {"hidden", Sinks::Hidden}, {"shown", Sinks::Shown}}},
              arguments.picture.sinks);
  line.option("trace", "FILE", "write every hypothesis as it comes, one JSON object per line",
              arguments.trace);
  line.option(
      "certify", "FILE",
      "look for a proof that network and DFA agree on all words, in what is left of the time "
      "limit, and write the certificate; rnnalf-check checks it",
      arguments.certify);
  line.option("report", "FILE", "write a page to look at in a browser, all in one HTML file",
              arguments.report);
  add_progress_options(line,
                       {"auto: a live line on a terminal, plain lines in a pipe; plain; none",
                        "no summary, no progress"},
                       arguments.progress, arguments.quiet);
  line.check([&arguments] {
    if (arguments.certify) refuse_tokens(arguments.network.tokens);
  });
  line.check([&line, &arguments] {
    constexpr std::array<std::string_view, 10> outputs = {
        "json", "dot", "svg", "alf", "trace", "certify", "report", "sinks", "progress", "quiet"};
    arguments.command = line.again(outputs);
  });
}

std::vector<Word> given_samples(const Arguments& arguments, const Alphabet& alphabet) {
  std::vector<Word> samples;
  for (const std::string& text : arguments.sample) samples.push_back(alphabet.parse_word(text));
  const Budget no_limit;
  for (const std::string& file : arguments.samples) {
    const std::vector<Word> words = read_words(file, alphabet, no_limit);
    samples.insert(samples.end(), words.begin(), words.end());
  }
  return samples;
}

Exit exit_code(const Run& run) {
  switch (run.limit) {
    case Limit::None:
      return Exit::Done;
    case Limit::Interrupt:
      return Exit::Interrupted;
    default:
      return Exit::LimitReached;
  }
}

CertifyOptions certify_options(const Run& run) {
  CertifyOptions options;
  options.precision = run.precision;
  if (run.empty_word) options.empty_word = *run.empty_word == Answer::Accept;
  options.seed = run.options.seed;
  options.threads = static_cast<unsigned>(run.options.threads);
  return options;
}

constexpr std::size_t kPlottedRStates = 2500;
constexpr std::chrono::seconds kTimeForPicture{3};
constexpr std::chrono::milliseconds kTimeForReportPictures{700};

std::string report_page(const Run& run, const NetworkSpec& network, const Arguments& arguments) {
  return extraction_html(run, {.command = arguments.command,
                               .program = "rnnalf " RNNALF_VERSION,
                               .pictures = rung_pictures(run, kTimeForReportPictures),
                               .network = &network});
}

Exit run(const Arguments& arguments) {
  // Where Graphviz is missing, this fails before the extraction and not after it.
  if (arguments.svg) (void)run_graphviz("dot", "digraph {}", kTimeForPicture);
  const OpenNetwork open = open_network(arguments.file, arguments.network);
  const Network& network = open.network;
  if (arguments.certify) require_certifiable(open.spec);  // before the extraction, not after it
  const Alphabet& alphabet = network.summary.alphabet;
  std::optional<Dfa> target;
  if (arguments.target) target = open_dfa_for(network.summary, *arguments.target);
  ExtractionOptions options = arguments.extraction;
  options.samples = given_samples(arguments, alphabet);
  if (arguments.report) options.plotted_r_states = kPlottedRStates;

  std::optional<Output> traced;
  Extraction::Trace trace;
  if (arguments.trace) {
    traced.emplace(*arguments.trace);
    trace = [&](std::size_t number, const HypothesisRecord& hypothesis) {
      traced->write(trace_line(network.summary, number, hypothesis));
    };
  }
  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const Run result = [&] {
    const ProgressLine line(progress, options.time_limit, arguments.progress);
    const auto start = std::chrono::steady_clock::now();
    Run run = Extraction(network, options, target).run(budget, &progress, trace);
    if (arguments.certify) {
      progress.activity = "looking for a proof";
      Budget rest;
      rest.part_of(budget);
      rest.restrict_time(options.time_limit - (std::chrono::steady_clock::now() - start));
      rest.restrict_memory(options.memory_limit);
      run.proof = {certify_agreement(open.spec, run.dfa(), certify_options(run), rest, progress),
                   *arguments.certify};
    }
    return run;
  }();

  if (traced) traced->commit();
  Outputs outputs;
  const NamedDfa automaton = named(network.summary, result.dfa());
  outputs.write(arguments.json, [&] { return extraction_json(result); });
  outputs.write(arguments.dot, [&] { return format_dfa(automaton, DfaFormat::Dot); });
  outputs.write(arguments.alf, [&] { return format_dfa(automaton, DfaFormat::Alf); });
  if (result.proof) {
    const Certification& found = result.proof->outcome;
    const auto& certificate = found.certificate ? found.certificate : found.weaker;
    if (certificate) {
      outputs.write(arguments.certify, [&] { return format_certificate(*certificate); });
    }
  }
  outputs.write(arguments.svg, [&] {
    const PictureOptions& picture = arguments.picture;
    try {
      return svg_picture(automaton, picture, kTimeForPicture);
    } catch (const GraphvizError&) {  // too much for the time: fewer states can always be drawn
      return svg_picture(automaton, {.sinks = picture.sinks, .most_states = 30}, kTimeForPicture);
    }
  });
  outputs.write(arguments.report, [&] { return report_page(result, open.spec, arguments); });
  const bool stdout_taken = outputs.took_stdout() || arguments.trace == "-";
  if (!stdout_taken && !arguments.quiet) {
    write_output("-", extraction_text(result, text_style(1)));
  }
  return exit_code(result);
}

}  // namespace

Command extract_command() {
  return make_command("extract", "learn a DFA with the network as teacher", declare, run);
}

}  // namespace rnnalf::cli
