#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "graphviz.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/certify/certificate.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/extraction/language_model_extraction.hpp"
#include "rnnalf/language_model/pdfa_file.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/html_report.hpp"
#include "rnnalf/report/json_report.hpp"
#include "rnnalf/report/language_model_report.hpp"
#include "rnnalf/report/page_pictures.hpp"
#include "rnnalf/report/text_report.hpp"
#include "rnnalf/study/process.hpp"
#include "terminal.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::uint64_t kPlottedRStates = 2500;  // on the page

struct ExtractArguments {
  std::string file;
  NetworkOptions network;
  ExtractionOptions extraction;
  std::vector<std::string> sample;   // words
  std::vector<std::string> samples;  // files
  std::optional<std::string> target;
  std::optional<std::string> json, dot, alf, trace, certificate, report;
  std::array<std::optional<std::string>, 3> pictures;  // by PictureFormat
  PictureOptions picture;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
  std::string command;  // the command line again, without outputs

  [[nodiscard]] std::optional<std::string>& picture_file(PictureFormat format) {
    return pictures.at(static_cast<std::size_t>(format));
  }
  [[nodiscard]] int wanted_pictures() const {
    return static_cast<int>(std::count_if(pictures.begin(), pictures.end(),
                                          [](const auto& one) { return one.has_value(); }));
  }
};

void declare(CommandLine& line, ExtractArguments& arguments) {
  line.describe(
      "Learns an automaton with the network as teacher. The network answers membership queries; a "
      "chain of oracles answers equivalence queries. Prints the automaton, its agreement with the "
      "network, and the words on which the two differ. The result is the hypothesis whose size is "
      "justified by its agreement; with --exact it is the last one. Exit code 0: learning ended by "
      "itself, because no oracle found a counterexample (verdict none-found) or because larger "
      "automata did not agree better (settled). 3: a limit was reached. 130: interrupted. The "
      "result is written in each of these cases.",
      "  rnnalf extract examples/networks/tomita3_gru100.onnx\n"
      "  rnnalf extract examples/networks/bp_gru50.onnx --time-limit 20s --json run.json \\\n"
      "    --dot bp.dot\n"
      "  rnnalf extract model.pt --cell gru --alphabet ab --preset paper\n"
      "  rnnalf extract names.onnx --language-model --begin '<s>' --end '</s>' --max-states 60\n");
  line.operand("NET", arguments.file);
  line.options(NetworkOptions::table(), arguments.network);
  add_extraction_options(line, arguments.extraction);
  line.option("sample", "WORD", "a word to try at every equivalence query; may be repeated",
              arguments.sample);
  line.option("samples", "FILE", "a file of such words, one per line", arguments.samples);
  line.option("target", "DFA",
              "the language the network was meant to learn, as .dot, .json or .alf",
              arguments.target);
  line.option("json", "FILE", "write the whole run as JSON; - is standard output", arguments.json);
  line.option("dot", "FILE", "write the DFA for Graphviz, LearnLib and AALpy", arguments.dot);
  line.option("alf", "FILE", "write the DFA in libalf's text form", arguments.alf);
  line.option(
      "svg", "FILE",
      "draw the DFA as SVG (needs Graphviz), parallel transitions as one arrow; of more than "
      "60 states, the 30 with the shortest access words",
      arguments.picture_file(PictureFormat::Svg));
  line.option("pdf", "FILE", "the same as PDF", arguments.picture_file(PictureFormat::Pdf));
  line.option("png", "FILE", "the same as PNG", arguments.picture_file(PictureFormat::Png));
  add_picture_options(line, arguments.picture);
  line.option("trace", "FILE", "write every hypothesis as it comes, one JSON object per line",
              arguments.trace);
  line.option("certificate", "FILE",
              "write the proof that was found, for rnnalf-check to check; implies --certify",
              arguments.certificate);
  line.option("report", "FILE", "write a page to look at in a browser, all in one HTML file",
              arguments.report);
  add_progress_options(line,
                       {"auto: a live line on a terminal, plain lines in a pipe; plain; none",
                        "no summary, no progress"},
                       arguments.progress, arguments.quiet);
  line.check([&arguments] {
    ExtractionOptions& extraction = arguments.extraction;
    if (arguments.certificate) extraction.certify = true;
    if (extraction.certify) refuse_tokens(arguments.network.tokens);
    if (arguments.report && extraction.given.count("plotted-r-states") == 0) {
      extraction.plotted_r_states = kPlottedRStates;
    }
  });
  line.check([&line, &arguments] {
    constexpr std::array<std::string_view, 13> outputs = {
        "json",    "dot",         "svg",    "pdf",   "png",      "alf",  "trace",
        "certify", "certificate", "report", "sinks", "progress", "quiet"};
    arguments.command = line.again(outputs);
  });
}

std::vector<Word> given_samples(const ExtractArguments& arguments, const Alphabet& alphabet) {
  std::vector<Word> samples;
  for (const std::string& text : arguments.sample) samples.push_back(alphabet.parse_word(text));
  const Budget no_limit;
  for (const std::string& file : arguments.samples) {
    const std::vector<Word> words = read_words(file, alphabet, no_limit);
    samples.insert(samples.end(), words.begin(), words.end());
  }
  const MethodSpec& method = arguments.extraction.method;
  if (samples.empty() && !arguments.samples.empty() && method.looks_at_words()) {
    refuse_no_words(arguments.samples.front(), method);  // else it would take random ones
  }
  return samples;
}

Exit exit_code(Limit limit) {
  switch (limit) {
    case Limit::None:
      return Exit::Done;
    case Limit::Interrupt:
      return Exit::Interrupted;
    default:
      return Exit::LimitReached;
  }
}

/// The time limit is one of the whole command: reading the network and writing what came out are in
/// it. Half a second more is for what is worth it, in the extraction and after it.
class CommandTime {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  explicit CommandTime(Seconds limit) : limit_(limit) {}

  [[nodiscard]] Seconds left() const { return limit_ - Seconds(Clock::now() - start_); }
  /// For the extraction: what is left, without a part for pictures where some are wanted.
  [[nodiscard]] Seconds to_extract(bool with_pictures) const {
    const Seconds pictures = with_pictures ? std::min(limit_ / 10, kBeyond) : Seconds(0);
    return std::max(left() - pictures, limit_ / 2) + kBeyond;
  }
  /// For a picture that is followed by this many more.
  [[nodiscard]] Seconds to_draw(Seconds most, int followed_by) const {
    const Seconds beyond = left() + kBeyond;
    return std::clamp(beyond / (followed_by + 1), kLeast, most);
  }

 private:
  static constexpr Seconds kBeyond{0.5};
  static constexpr Seconds kLeast{0.05};

  Seconds limit_;
  Clock::time_point start_ = Clock::now();
};

constexpr std::chrono::seconds kMostForPicture{3};
constexpr std::chrono::milliseconds kMostForReportPictures{700};

std::optional<std::string> drawn_by_graphviz(const std::string& dot,
                                             std::chrono::duration<double> time) {
  try {
    return run_graphviz("dot", dot, time);
  } catch (const ProgramError&) {
    return std::nullopt;  // the page draws this automaton itself
  }
}

std::string report_page(const Run& run, const NetworkSpec& network,
                        const ExtractArguments& arguments, const CommandTime& time) {
  return extraction_html(run, {.command = arguments.command,
                               .program = "rnnalf " RNNALF_VERSION,
                               .pictures = page_pictures(run, drawn_by_graphviz,
                                                         time.to_draw(kMostForReportPictures, 0)),
                               .network = &network});
}

bool is_file(const std::optional<std::string>& output) {
  return output && *output != "-";
}

/// Of what a picture does not show, where it is to be found.
void say_where_the_rest_is(PictureOptions& picture, const ExtractArguments& arguments,
                           const std::optional<std::string>& drawing) {
  const auto name = [](const std::string& file) {
    return std::filesystem::path(file).filename().string();
  };
  if (is_file(arguments.report)) {
    picture.rest = "All transitions are a table in " + name(*arguments.report) + ".";
    if (!drawing) return;
    // Relative, so that both can be moved together.
    const auto absolute = [](const std::string& file) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(file));
    };
    const std::filesystem::path from = absolute(*drawing).parent_path();
    picture.rest_link = absolute(*arguments.report).lexically_relative(from).string();
    picture.rest_link += "#transitions";
  } else if (is_file(arguments.dot) || is_file(arguments.json)) {
    picture.rest = "All transitions are in " +
                   name(is_file(arguments.dot) ? *arguments.dot : *arguments.json) + ".";
  } else {
    picture.rest = "rnnalf extract --report writes all transitions as a table, --dot as text.";
  }
}

Outputs outputs_of(const ExtractArguments& arguments) {
  return Outputs({{"--json", arguments.json},
                  {"--dot", arguments.dot},
                  {"--alf", arguments.alf},
                  {"--certificate", arguments.certificate},
                  {"--svg", arguments.pictures[0]},
                  {"--pdf", arguments.pictures[1]},
                  {"--png", arguments.pictures[2]},
                  {"--report", arguments.report},
                  {"--trace", arguments.trace}},
                 Inputs()
                     .add("NET", arguments.file)
                     .add(arguments.network)
                     .add("--samples", arguments.samples)
                     .add("--target", arguments.target));
}

/// Where the proof is that the summary speaks of.
std::string proof_note(const Run& run, const ExtractArguments& arguments) {
  const bool proved = run.proof && (run.proof->certificate || run.proof->weaker);
  if (!proved || !arguments.certificate) return "";
  return "rnnalf-check checks the proof in " + *arguments.certificate + ".\n";
}

/// What only an automaton that accepts and rejects has.
void refuse_for_language_models(const ExtractArguments& arguments) {
  const auto refuse = [](bool given, const char* option) {
    if (given) {
      throw UsageError(std::string(option) +
                       ": expected none with --language-model, which writes --json and --dot");
    }
  };
  refuse(arguments.alf.has_value(), "--alf");
  refuse(arguments.wanted_pictures() > 0, "--svg, --pdf, --png");
  refuse(arguments.report.has_value(), "--report");
  refuse(arguments.trace.has_value(), "--trace");
  refuse(arguments.target.has_value(), "--target");
  refuse(arguments.extraction.certify, "--certify");
}

Exit run_on_language_model(const ExtractArguments& arguments) {
  refuse_for_language_models(arguments);
  Outputs outputs = outputs_of(arguments);
  const LanguageModel model = open_language_model(arguments.file, arguments.network);
  ExtractionOptions options = arguments.extraction;
  options.samples = given_samples(arguments, model.alphabet());
  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const LanguageModelRun result = [&] {
    const ProgressLine line(progress, options.time_limit, arguments.progress);
    return extract_language_model(model, libalf_learners(), options, budget, &progress);
  }();
  outputs.write(arguments.json, [&] { return language_model_json(result); });
  outputs.write(arguments.dot, [&] {
    return format_pdfa({model.alphabet(), result.pdfa}, PdfaFormat::Dot);
  });
  if (!outputs.took_stdout() && !arguments.quiet) {
    outputs.attempt([&] { print(language_model_text(result, text_style(1))); });
  }
  outputs.finish();
  return exit_code(result.limit);
}

/// Draws a result that is too large to be printed: from a file that was written, where there is
/// one.
std::string command_that_draws(const ExtractArguments& arguments) {
  for (const auto& file : {arguments.dot, arguments.json}) {
    if (is_file(file)) return "rnnalf draw " + shell_quoted(*file) + " automaton.pdf";
  }
  return arguments.command + " --pdf automaton.pdf";
}

Exit run(const ExtractArguments& arguments) {
  if (arguments.network.language_model) return run_on_language_model(arguments);
  const CommandTime time(arguments.extraction.time_limit);
  Outputs outputs = outputs_of(arguments);
  // Where Graphviz is missing, this fails before the extraction and not after it.
  const int pictures = arguments.wanted_pictures();
  if (pictures > 0) (void)run_graphviz("dot", "digraph {}", kMostForPicture);
  const OpenNetwork open = open_network(arguments.file, arguments.network);
  const Network& network = open.network;
  const Alphabet& alphabet = network.summary.alphabet;
  std::optional<Dfa> target;
  if (arguments.target) target = open_dfa_for(network.summary, *arguments.target);
  ExtractionOptions options = arguments.extraction;
  options.samples = given_samples(arguments, alphabet);
  const Extraction extraction(network, libalf_learners(), options, target);

  std::optional<Output> traced;
  Extraction::Trace trace;
  if (arguments.trace) {
    traced.emplace(*arguments.trace);
    trace = [&](std::size_t number, const HypothesisRecord& hypothesis) {
      if (!traced) return;
      const bool written =
          outputs.attempt([&] { traced->write(trace_line(network.summary, number, hypothesis)); });
      if (!written) traced.reset();
    };
  }
  Budget budget(time.to_extract(pictures > 0 || arguments.report));
  const InterruptOnSignal on_signal(budget);
  Progress progress;
  const Run result = [&] {
    const ProgressLine line(progress, arguments.extraction.time_limit, arguments.progress);
    return extraction.run(budget, &progress, trace);
  }();

  if (traced) outputs.attempt([&] { traced->commit(); });
  const NamedDfa automaton = named(network.summary, result.dfa());
  outputs.write(arguments.json, [&] { return extraction_json(result, arguments.certificate); });
  outputs.write(arguments.dot, [&] { return format_dfa(automaton, DfaFormat::Dot); });
  outputs.write(arguments.alf, [&] { return format_dfa(automaton, DfaFormat::Alf); });
  if (result.proof) {
    const auto& certificate =
        result.proof->certificate ? result.proof->certificate : result.proof->weaker;
    if (certificate) {
      outputs.write(arguments.certificate, [&] { return format_certificate(*certificate); });
    }
  }
  int followed_by = pictures + (arguments.report ? 1 : 0);
  for (std::size_t format = 0; format < arguments.pictures.size(); ++format) {
    const std::optional<std::string>& file = arguments.pictures[format];
    if (file) --followed_by;
    outputs.write(file, [&] {
      PictureOptions picture = arguments.picture;
      say_where_the_rest_is(picture, arguments, is_file(file) ? file : std::nullopt);
      return picture_of_any(automaton, picture, time.to_draw(kMostForPicture, followed_by),
                            static_cast<PictureFormat>(format));
    });
  }
  outputs.write(arguments.report,
                [&] { return report_page(result, open.spec(), arguments, time); });
  if (!outputs.took_stdout() && !arguments.quiet) {
    TextStyle style = text_style(1);
    style.draw = command_that_draws(arguments);
    outputs.attempt([&] { print(extraction_text(result, style) + proof_note(result, arguments)); });
  }
  outputs.finish();
  return exit_code(result.limit);
}

}  // namespace

Command extract_command() {
  return make_command<ExtractArguments>("extract", "learn a DFA with the network as teacher",
                                        declare, run);
}

}  // namespace rnnalf::cli
