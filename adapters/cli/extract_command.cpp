#include <array>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "graphviz.hpp"
#include "interrupt.hpp"
#include "network_options.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "report_extras.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/libalf/extraction.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/text_report.hpp"
#include "terminal.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

std::vector<Word> given_samples(const Arguments& arguments, const Alphabet& alphabet) {
  std::vector<Word> samples;
  for (const std::string& text : arguments.values("sample"))
    samples.push_back(alphabet.parse_word(text));
  const Budget no_limit;
  for (const std::string& file : arguments.values("samples")) {
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

constexpr std::size_t kPlottedRStates = 2500;
constexpr std::chrono::seconds kTimeForPicture{3};
constexpr std::chrono::milliseconds kTimeForReportPictures{700};

Sinks parse_sinks(std::string_view text) {
  if (text == "dimmed") return Sinks::Dimmed;
  if (text == "hidden") return Sinks::Hidden;
  if (text == "shown") return Sinks::Shown;
  throw UsageError("--sinks: expected dimmed, hidden or shown, found '" + std::string(text) + "'");
}

std::string report_page(const Run& run, const Arguments& arguments) {
  constexpr std::array<std::string_view, 8> without = {"json",   "dot",   "svg",      "alf",
                                                       "report", "sinks", "progress", "quiet"};
  return extraction_html(run,
                         {.command = command_line(extract_command().syntax, arguments, without),
                          .program = "rnnalf " RNNALF_VERSION,
                          .pictures = hypothesis_pictures(run, kTimeForReportPictures)});
}

Exit run(const Arguments& arguments) {
  const NetworkOptions network_settings = network_options(arguments);
  ExtractionOptions options = extraction_options(arguments);
  ProgressMode mode = parse_progress_mode(arguments.value("progress").value_or("auto"));
  if (arguments.has("quiet")) mode = ProgressMode::None;
  const PictureOptions picture{.sinks = parse_sinks(arguments.value("sinks").value_or("dimmed"))};
  // Better said now than after the extraction.
  if (arguments.has("svg")) (void)run_graphviz("dot", "digraph {}", kTimeForPicture);
  const Network network = open_network(arguments.operands[0], network_settings).network;
  const Alphabet& alphabet = network.summary.alphabet;
  std::optional<Dfa> target;
  if (const auto file = arguments.value("target"))
    target = over_alphabet(open_dfa(*file), alphabet);
  options.samples = given_samples(arguments, alphabet);
  if (arguments.has("report")) options.plotted_r_states = kPlottedRStates;

  std::optional<Output> traced;
  Extraction::Trace trace;
  if (const auto file = arguments.value("trace")) {
    traced.emplace(*file);
    trace = [&](std::size_t number, const HypothesisRecord& hypothesis) {
      traced->write(trace_line(alphabet, number, hypothesis));
    };
  }
  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const Run result = [&] {
    const ProgressLine line(progress, options.time_limit, mode);
    return Extraction(network, options, target).run(budget, &progress, trace);
  }();

  if (traced) traced->commit();
  bool stdout_taken = traced && traced->is_stdout();
  const auto write = [&](std::string_view option, const auto& text) {
    const auto file = arguments.value(option);
    if (!file) return;
    stdout_taken = stdout_taken || *file == "-";
    write_output(*file, text());
  };
  const NamedDfa named{alphabet, result.dfa()};
  write("json", [&] { return extraction_json(result); });
  write("dot", [&] { return format_dfa(named, DfaFormat::Dot); });
  write("alf", [&] { return format_dfa(named, DfaFormat::Alf); });
  write("svg", [&] {
    try {
      return svg_picture(named, picture, kTimeForPicture);
    } catch (const GraphvizError&) {  // too much for the time: fewer states can always be drawn
      return svg_picture(named, {.sinks = picture.sinks, .most_states = 30}, kTimeForPicture);
    }
  });
  write("report", [&] { return report_page(result, arguments); });
  if (!stdout_taken && !arguments.has("quiet"))
    write_output("-", extraction_text(result, text_style(1)));
  return exit_code(result);
}

}  // namespace

Command extract_command() {
  return {
      {.name = "extract",
       .operands = "NET",
       .least_operands = 1,
       .most_operands = 1,
       .summary = "learn a DFA with the network as teacher",
       .description = "Learns the automaton a network has learned: membership queries run the "
                      "network, equivalence "
                      "queries are answered by a chain of oracles. Prints a summary and the "
                      "counterexamples. Exit code 0: "
                      "no oracle found a counterexample to the result; 3: a limit was reached, the "
                      "last hypothesis is the "
                      "result; 130: interrupted, likewise.",
       .options = with_extraction_options(
           {{"sample", "WORD", "a word tried at every equivalence query; may be repeated", true},
            {"samples", "FILE", "such words from a file, one per line", true},
            {"target", "DFA",
             "the language the network was meant to learn, as .dot, .json or .alf"},
            {"json", "FILE", "write the whole run as JSON; - is standard output"},
            {"dot", "FILE", "write the DFA for Graphviz, LearnLib and AALpy"},
            {"alf", "FILE", "write the DFA in libalf's text form"},
            {"svg", "FILE", "draw the DFA (needs Graphviz), parallel transitions as one arrow"},
            {"sinks", "M",
             "rejecting states that no word leaves are dimmed, hidden or shown in the SVG "
             "(default: dimmed)"},
            {"trace", "FILE", "write every hypothesis as it comes, one JSON object per line"},
            {"report", "FILE", "write a page to look at in a browser, all in one HTML file"},
            {"progress", "M",
             "auto: a live line on a terminal, plain lines in a pipe; plain; none (default: auto)"},
            {"quiet", "", "no summary, no progress"}}),
       .examples = "  rnnalf extract examples/networks/tomita3_gru100.onnx\n"
                   "  rnnalf extract examples/networks/bp_gru50.onnx --time-limit 20s --json "
                   "run.json --dot bp.dot\n"
                   "  rnnalf extract model.pt --cell gru --alphabet ab --preset paper\n"},
      run};
}

}  // namespace rnnalf::cli
