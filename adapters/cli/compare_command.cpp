#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "command.hpp"
#include "extraction_arguments.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/comparison/compare.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/comparison_html.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

struct CompareArguments {
  ComparisonOptions comparison;
  std::optional<std::string> store;
  std::vector<std::string> columns;
  std::optional<std::string> csv, json, latex, report;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
  std::string command;  // the command line again, without outputs
};

/// What is compared.
void declare_varied(CommandLine& line, ComparisonOptions& options) {
  const auto repeated = [&options](std::string_view option) {
    OptionText text = extraction_option_text(option, options.extraction);
    text.help += "; may be repeated";
    return text;
  };
  line.option(
      repeated("learner"),
      [&options](std::string_view text) { options.learners.emplace_back(text); }, Repeat::Many);
  line.option(
      repeated("oracle"),
      [&options](std::string_view text) { options.oracles.push_back(parse_oracles(text)); },
      Repeat::Many);
  line.option(
      repeated("method"),
      [&options](std::string_view text) { options.methods.push_back(parse_method(text)); },
      Repeat::Many);
  OptionText preset = extraction_option_text("preset", options.extraction);
  preset.help =
      "the published method: lstar, samples and abstraction of depth 10; with --learner or "
      "--oracle, its loop with these instead";
  line.option(std::move(preset), [&options](std::string_view text) {
    field_of(ExtractionOptions::table(), "preset").read(options.extraction, text);
  });
  line.check([&options] { validate(options); });
}

void declare_words(CommandLine& line, ComparisonOptions& options) {
  line.option("sample", "WORD", "a word tried at every equivalence query; may be repeated",
              options.sample);
  line.option("samples", "FILE", "such words from a file, one per line", options.samples);
  line.option("words", "FILE",
              "words such as a training set, one per line: kmeans clusters them, rpni and biermann "
              "learn from them, and how far each result agrees on them is a column",
              options.words);
  line.option("milestone", "DFA",
              "a language that hypotheses may pass through, or a folder of them; may be repeated. "
              "A column says which was the last in this order that a hypothesis of the run was",
              options.milestones);
}

void read_columns(std::string_view text, std::vector<std::string>& columns) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    columns.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void check_columns(const std::vector<std::string>& columns,
                   const std::vector<std::size_t>& lengths) {
  const std::vector<std::string> known = comparison_columns(lengths);
  for (const std::string& column : columns) {
    if (std::find(known.begin(), known.end(), column) != known.end()) continue;
    throw UsageError(fmt::format("--columns: expected names among {}; found {}",
                                 fmt::join(known, ", "), in_quotes(column)));
  }
}

void declare_outputs(CommandLine& line, CompareArguments& arguments) {
  line.option("store", "FILE",
              "finished extractions are added to this file as they end, and not run again when "
              "program, options and contents of the files are the same",
              arguments.store);
  line.option({"columns", "A,B...",
               "columns of the table and of --latex, by the names that --csv has (default: those "
               "that fit)"},
              [&arguments](std::string_view text) { read_columns(text, arguments.columns); });
  line.check([&arguments] { check_columns(arguments.columns, arguments.comparison.lengths); });
  line.option("csv", "FILE", "a row per extraction; - is standard output", arguments.csv);
  line.option("json", "FILE", "the same as JSON", arguments.json);
  line.option("latex", "FILE", "the table for LaTeX (booktabs)", arguments.latex);
  line.option("report", "FILE", "write a page to look at in a browser, all in one HTML file",
              arguments.report);
  add_progress_options(
      line,
      {"auto: with a live line on a terminal; plain: a line per extraction; none", "no progress"},
      arguments.progress, arguments.quiet);
  line.check([&line, &arguments] {
    constexpr std::array<std::string_view, 7> outputs = {"json",  "csv",      "latex", "report",
                                                         "store", "progress", "quiet"};
    arguments.command = line.again(outputs);
  });
}

void declare(CommandLine& line, CompareArguments& arguments) {
  line.describe(
      "Extracts from every network with every learner and oracle given (--learner and --oracle "
      "may be repeated), then with every other --method, and prints one table. Every result is "
      "compared with its network on the same uniform words, and on those of --words. Repetitions "
      "are one row: medians, with the range where they differ. Where NAME.target.dot stands "
      "next to a network NAME.onnx, the table says whether the result is that target. Exit code "
      "0, whichever limits were reached; 130: interrupted, what was done is in the table.",
      "  rnnalf compare examples/networks/tomita*.onnx --learner lstar --learner ttt\n"
      "  rnnalf compare bp.onnx --oracle samples,abstraction --oracle samples,random \\\n"
      "    --time-limit 60s --repeat 3 --store bp.cells --report bp.html --latex bp.tex\n");
  ComparisonOptions& options = arguments.comparison;
  options.program = program_identity().text();
  line.operands("NET", 1, options.networks);
  line.options(NetworkOptions::table(), options.network);
  declare_varied(line, options);
  add_common_extraction_options(line, options.extraction);
  declare_words(line, options);
  line.options(ComparisonOptions::table(), options);
  declare_outputs(line, arguments);
}

/// Says on stderr which extraction begins, and how long the rest may take; shows a live line of its
/// progress on a terminal.
class Announcer : public ComparisonObserver {
 public:
  /// Plain progress lines of every extraction would hide those of the comparison.
  explicit Announcer(ProgressMode mode)
      : silent_(mode == ProgressMode::None), live_(mode == ProgressMode::Auto && is_terminal(2)) {}

  void planned(std::size_t total, std::size_t stored) override {
    total_ = total;
    left_ = total - stored;
    if (silent_ || stored == 0) return;
    say(fmt::format("rnnalf: {} of {} extractions are in the store; {} to run\n", stored, total,
                    left_));
  }

  Progress* begin(std::size_t number, const PlannedExtraction& extraction) override {
    if (silent_) return nullptr;
    const TextStyle style = text_style(2);
    std::string line = printable(announcement(number, extraction.cell), style.utf8);
    if (is_terminal(2) && style.utf8) line = cut_to_width(line, style.width);
    say(line + "\n");
    if (!live_) return nullptr;
    progress_.emplace();
    line_.emplace(*progress_, extraction.options.time_limit, ProgressMode::Auto);
    return &*progress_;
  }

  void end(std::chrono::duration<double> time) override {
    line_.reset();
    ++ran_;
    --left_;
    time_ += time;
  }

 private:
  [[nodiscard]] std::string announcement(std::size_t number, const ComparisonCell& cell) const {
    const double left =
        ran_ == 0 ? 0 : time_.count() / static_cast<double>(ran_) * static_cast<double>(left_);
    return fmt::format(
        "rnnalf: {} of {}{}: {}  {}  seed {}", number, total_,
        ran_ == 0 ? "" : fmt::format(", about {} left", format_seconds(left)), cell.network,
        cell.method.is_baseline() ? cell.method.text() : cell.learner + "  " + cell.oracle,
        cell.seed);
  }

  bool silent_;
  bool live_;
  std::size_t total_ = 0, left_ = 0, ran_ = 0;
  std::chrono::duration<double> time_{0};
  std::optional<Progress> progress_;
  std::optional<ProgressLine> line_;  // reads progress_
};

Outputs outputs_of(const CompareArguments& arguments) {
  const ComparisonOptions& options = arguments.comparison;
  return Outputs({{"--json", arguments.json},
                  {"--csv", arguments.csv},
                  {"--latex", arguments.latex},
                  {"--report", arguments.report}},
                 Inputs()
                     .add("NET", options.networks)
                     .add(options.network)
                     .add("--samples", options.samples)
                     .add("--words", options.words)
                     .add("--milestone", options.milestones)
                     .add("--store", arguments.store));
}

Exit run(const CompareArguments& arguments) {
  Outputs outputs = outputs_of(arguments);
  const ComparisonPlan plan = plan_comparison(arguments.comparison);
  for (const std::string& note : plan.notes) say("rnnalf: " + note + "\n");
  ComparisonStore store(arguments.store.value_or(""));
  for (const std::size_t line : store.damaged_lines()) {
    say(fmt::format(
        "rnnalf compare: {}:{}: a damaged line is not used; what it was for is run again\n",
        *arguments.store, line));
  }
  Budget budget;
  const InterruptOnSignal on_signal(budget);
  Announcer announcer(arguments.progress);
  const Comparison comparison{arguments.command, program_identity().text(),
                              compare(plan, store, budget, &announcer)};

  outputs.write(arguments.json, [&] { return comparison_json(comparison); });
  outputs.write(arguments.csv, [&] { return comparison_csv(comparison.cells); });
  outputs.write(arguments.latex,
                [&] { return comparison_latex(comparison.cells, arguments.columns); });
  outputs.write(arguments.report, [&] { return comparison_html(comparison); });
  if (!outputs.took_stdout()) {
    outputs.attempt(
        [&] { print(comparison_text(comparison.cells, arguments.columns, text_style(1))); });
  }
  outputs.finish();
  if (comparison.cells.size() == plan.extractions.size()) return Exit::Done;
  say(fmt::format("rnnalf compare: interrupted; {} of {} extractions are done\n",
                  comparison.cells.size(), plan.extractions.size()));
  return Exit::Interrupted;
}

}  // namespace

Command compare_command() {
  return make_command<CompareArguments>(
      "compare", "learners, oracles and methods over networks, as one table", declare, run);
}

}  // namespace rnnalf::cli
