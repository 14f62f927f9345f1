#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <limits>
#include <utility>

#include "command.hpp"
#include "comparison_store.hpp"
#include "extraction_arguments.hpp"
#include "interrupt.hpp"
#include "network_options.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/libalf/extraction.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/report/comparison_html.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "terminal.hpp"
#include "units.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 32U;
constexpr std::string_view kProgram = "rnnalf " RNNALF_VERSION;

// ---------------------------------------------------------------- what is compared

/// All combinations of learners and oracles, then the other methods.
std::vector<ExtractionOptions> ways_to_extract(const Arguments& arguments) {
  const auto or_default = [](std::vector<std::string> values) {
    if (values.empty()) values.emplace_back();
    return values;
  };
  std::vector<ExtractionOptions> ways;
  const auto add = [&](const std::string& method, const std::string& learner,
                       const std::string& oracle) {
    Arguments one = arguments;
    for (const char* name : {"method", "learner", "oracle"}) one.options.erase(name);
    if (!method.empty()) {
      for (const std::string_view name : kForLearners) one.options.erase(std::string(name));
      one.options["method"] = {method};
    }
    if (!learner.empty()) one.options["learner"] = {learner};
    if (!oracle.empty()) one.options["oracle"] = {oracle};
    ways.push_back(extraction_options(one, PresetDecides::AllButLearnerAndOracles));
  };
  std::vector<std::string> methods = arguments.values("method");
  if (methods.empty()) methods = {"abstraction-refinement"};
  for (const std::string& method : methods) {
    if (parse_method(method).method != Method::AbstractionRefinement) {
      add(method, "", "");
      continue;
    }
    for (const std::string& learner : or_default(arguments.values("learner"))) {
      for (const std::string& oracle : or_default(arguments.values("oracle"))) {
        add("", learner, oracle);
      }
    }
  }
  return ways;
}

struct NamedText {
  std::string file;
  std::string text;
};

/// Read once, whatever it is: a pipe gives its bytes only once.
NamedText read_text(const std::string& file) {
  return {file, read_file(file == "-" ? "/dev/stdin" : file, kLargestFile)};
}

struct Milestone {
  std::string name;
  std::string text;
  DfaFile dfa;
};

/// Files as they are given, the files of a folder in order of their names.
std::vector<Milestone> open_milestones(const Arguments& arguments) {
  std::vector<Milestone> milestones;
  const auto add = [&](const std::filesystem::path& file) {
    milestones.push_back(
        {file.stem().string(), read_text(file.string()).text, open_dfa(file.string())});
  };
  for (const std::string& given : arguments.values("milestone")) {
    if (!std::filesystem::is_directory(given)) {
      add(given);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(given)) files.push_back(entry);
    if (files.empty()) throw FileError(given, "expected a folder of DFA files, found an empty one");
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add(file);
  }
  return milestones;
}

/// What is the same for all networks.
struct Setup {
  NetworkOptions network;
  std::vector<UsedOption> network_text;  ///< what was said about the networks
  std::vector<ExtractionOptions> ways;
  std::vector<std::string> sample;
  std::vector<NamedText> samples;
  std::vector<NamedText> words;
  std::vector<Milestone> milestones;
  std::vector<std::size_t> lengths = {10, 50, 100, 1000};
  std::size_t per_length = 300;
};

Setup setup_of(const Arguments& arguments) {
  Setup setup;
  setup.network = network_options(arguments);
  for (const char* name : {"alphabet", "cell", "accept-class"}) {
    if (const auto value = arguments.value(name)) setup.network_text.emplace_back(name, *value);
  }
  setup.ways = ways_to_extract(arguments);
  setup.sample = arguments.values("sample");
  if (const auto text = arguments.value("lengths"))
    setup.lengths = parse_counts("lengths", *text, 0, 100'000);
  if (const auto text = arguments.value("per-length"))
    setup.per_length = parse_count("per-length", *text, 1, 1'000'000);
  for (const std::string& file : arguments.values("samples"))
    setup.samples.push_back(read_text(file));
  for (const std::string& file : arguments.values("words")) setup.words.push_back(read_text(file));
  setup.milestones = open_milestones(arguments);
  return setup;
}

/// A network and all that is read for it.
struct Subject {
  Network network;
  std::optional<Dfa> target;
  std::vector<Word> samples;  ///< tried at every equivalence query
  std::vector<Word> words;    ///< clustered, and measured
  std::vector<Dfa> milestones;
  std::string inputs;  ///< checksum of all files
};

Subject open_subject(const std::string& file, const Setup& setup) {
  Subject subject;
  Checksum inputs;
  inputs.add(read_text(file).text);
  subject.network = open_network(file, setup.network).network;
  const Alphabet& alphabet = subject.network.summary.alphabet;
  std::filesystem::path target(file);
  target.replace_extension(".target.dot");
  if (std::filesystem::exists(target)) {
    subject.target = over_alphabet(open_dfa(target.string()), alphabet);
    inputs.add(read_text(target.string()).text);
  }
  for (const std::string& text : setup.sample) {
    subject.samples.push_back(alphabet.parse_word(text));
    inputs.add(text);
  }
  const auto add_words = [&](const std::vector<NamedText>& files, std::vector<Word>& to) {
    inputs.add("words of files");  // so that no file takes another one's place
    for (const auto& [name, text] : files) {
      const std::vector<Word> words = parse_words(text, name, alphabet);
      to.insert(to.end(), words.begin(), words.end());
      inputs.add(text);
    }
  };
  add_words(setup.samples, subject.samples);
  add_words(setup.words, subject.words);
  for (const Milestone& milestone : setup.milestones) {
    subject.milestones.push_back(over_alphabet(milestone.dfa, alphabet));
    inputs.add(milestone.name);
    inputs.add(milestone.text);
  }
  subject.inputs = inputs.text();
  return subject;
}

/// What the cell of an extraction is, before it is run.
ComparisonCell planned_cell(const std::string& file, const Subject& subject, const Setup& setup,
                            const ExtractionOptions& settings) {
  const bool baseline = settings.method.method != Method::AbstractionRefinement;
  ComparisonCell cell;
  cell.network = file;
  cell.method = settings.method.text();
  cell.learner = baseline ? "" : settings.learner;
  cell.oracle = baseline ? "" : oracles_text(settings.oracles, Parameters::GivenAlone);
  cell.seed = settings.seed;
  cell.inputs = subject.inputs;
  cell.program = kProgram;
  // What has a place of its own, and what does not decide results.
  constexpr std::array<std::string_view, 6> not_here = {"method", "learner", "oracle",
                                                        "seed",   "threads", "sample"};
  for (const auto& option : used_options(settings, subject.network.summary.alphabet)) {
    if (std::find(not_here.begin(), not_here.end(), option.first) == not_here.end())
      cell.options.push_back(option);
  }
  const auto& empty_word = subject.network.empty_word;
  cell.options.emplace_back("empty-word",
                            empty_word ? (*empty_word ? "accept" : "reject") : "network");
  cell.options.emplace_back(
      "precision", subject.network.acceptor->precision() == Precision::Float ? "float" : "double");
  cell.options.insert(cell.options.end(), setup.network_text.begin(), setup.network_text.end());
  if (!subject.samples.empty())
    cell.options.emplace_back("samples", counted(subject.samples.size(), "word", "words"));
  std::string lengths;
  for (const std::size_t length : setup.lengths)
    lengths += (lengths.empty() ? "" : ",") + std::to_string(length);
  cell.options.emplace_back("lengths", lengths);
  cell.options.emplace_back("per-length", std::uint64_t{setup.per_length});
  return cell;
}

// ---------------------------------------------------------------- what came out

/// Words with the network's answers: the same for all results of a network.
struct Yardstick {
  std::vector<std::pair<std::size_t, AnsweredWords>> by_length;
  std::optional<AnsweredWords> given;
};

/// None: interrupted.
std::optional<Yardstick> yardstick(const Subject& subject, const Setup& setup, unsigned threads,
                                   const Budget& budget) {
  StateTree tree(*subject.network.acceptor,
                 {.threads = threads, .empty_word = subject.network.empty_word});
  Yardstick result;
  for (const std::size_t length : setup.lengths) {
    Random random(length);  // the same words of a length, whatever the other lengths
    std::vector<Word> words;
    for (std::size_t i = 0; i < setup.per_length; ++i) {
      words.push_back(uniform_word(tree.symbol_count(), length, random));
    }
    auto of_length = answered(tree, std::move(words), budget);
    if (!of_length) return std::nullopt;
    result.by_length.emplace_back(length, std::move(*of_length));
  }
  if (!subject.words.empty()) {
    result.given = answered(tree, subject.words, budget);
    if (!result.given) return std::nullopt;
  }
  return result;
}

MeasuredWords measure(const Run& run, const AnsweredWords& answered) {
  MeasuredWords measured;
  measured.words = answered.words.size();
  for (std::size_t i = 0; i < answered.words.size(); ++i) {
    const Word& word = answered.words[i];
    const bool agreed = !answered.differs(run.dfa(), i);
    const bool covered = !run.covered || run.covered->accepts(word);
    measured.agreed += agreed ? 1 : 0;
    measured.covered += covered ? 1 : 0;
    measured.agreed_covered += agreed && covered ? 1 : 0;
  }
  return measured;
}

/// The last milestone that a hypothesis of the run was; empty: none.
std::string last_milestone(const Run& run, const Subject& subject, const Setup& setup) {
  for (std::size_t m = subject.milestones.size(); m-- > 0;) {
    for (const HypothesisRecord& hypothesis : run.hypotheses) {
      if (equivalent(hypothesis.dfa, subject.milestones[m])) return setup.milestones[m].name;
    }
  }
  return "";
}

void fill_in(ComparisonCell& cell, const Run& run, const Subject& subject, const Setup& setup,
             const Yardstick& words) {
  // A baseline asks no oracle, so it cannot say that none found anything.
  const bool asked = !cell.learner.empty();
  cell.verdict = run.limit == Limit::None && !asked ? "complete" : verdict(run);
  cell.states = run.dfa().size();
  cell.last_states = run.hypotheses.back().dfa.size();
  cell.a_states = run.statistics.a_states;
  cell.counterexamples = run.counterexamples.size();
  cell.membership_queries = run.statistics.membership_queries;
  cell.equivalence_queries = run.statistics.equivalence_queries;
  cell.rnn_steps = run.statistics.rnn_steps;
  cell.seconds = run.statistics.seconds;
  for (const auto& [length, answered] : words.by_length)
    cell.by_length.emplace_back(length, measure(run, answered));
  if (words.given) cell.given = measure(run, *words.given);
  if (subject.target) cell.equals_target = equivalent(run.dfa(), *subject.target);
  if (!subject.milestones.empty()) cell.milestone = last_milestone(run, subject, setup);
}

// ---------------------------------------------------------------- the run

/// One line for each extraction that is begun, with the time that the rest may take.
class Announcer {
 public:
  Announcer(std::size_t total, std::size_t to_run, bool silent)
      : total_(total), left_(to_run), silent_(silent) {
    if (silent_ || to_run == total) return;
    std::cerr << "rnnalf: " << total - to_run << " of " << total
              << " extractions are in the store; " << to_run << " to run\n";
  }

  void begin(std::size_t number, const ComparisonCell& cell) const {
    if (silent_) return;
    std::string line = "rnnalf: " + std::to_string(number) + " of " + std::to_string(total_);
    if (ran_ > 0) {
      const double each = seconds_ / static_cast<double>(ran_);
      line += ", about " + format_seconds(each * static_cast<double>(left_)) + " left";
    }
    line += ": " + cell.network + "  " +
            (cell.learner.empty() ? cell.method : cell.learner + "  " + cell.oracle) + "  seed " +
            std::to_string(cell.seed);
    const TextStyle style = text_style(2);
    line = printable(line, style.utf8);
    if (is_terminal(2) && style.utf8) line = cut_to_width(line, style.width);
    std::cerr << line << std::endl;
  }

  void end(double seconds) {
    ++ran_;
    --left_;
    seconds_ += seconds;
  }

 private:
  std::size_t total_, left_;
  bool silent_;
  std::size_t ran_ = 0;
  double seconds_ = 0;
};

struct Job {
  std::size_t network = 0;  ///< of the operands
  ExtractionOptions settings;
  ComparisonCell cell;
  bool done = false;
};

/// All extractions, those of earlier runs done. Opens every network, so that a file that cannot be
/// read is found before hours have passed.
std::vector<Job> plan(const Arguments& arguments, const Setup& setup, std::uint64_t repeat,
                      const ComparisonStore& store) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < arguments.operands.size(); ++i) {
    const std::string& file = arguments.operands[i];
    const Subject subject = open_subject(file, setup);
    for (const ExtractionOptions& way : setup.ways) {
      for (std::uint64_t repetition = 0; repetition < repeat; ++repetition) {
        Job job{i, way, {}, false};
        job.settings.seed += repetition;
        job.cell = planned_cell(file, subject, setup, job.settings);
        if (const ComparisonCell* const known = store.find(job.cell)) {
          job.cell = *known;
          job.done = true;
        }
        jobs.push_back(std::move(job));
      }
    }
  }
  return jobs;
}

/// Runs what is not done yet; stops when interrupted.
void run_jobs(std::vector<Job>& jobs, const Arguments& arguments, const Setup& setup,
              ComparisonStore& store, ProgressMode mode, const Budget& whole) {
  const auto to_run = static_cast<std::size_t>(
      std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return !job.done; }));
  Announcer announcer(jobs.size(), to_run, mode == ProgressMode::None);
  // Plain lines of every run would drown those of the comparison.
  const bool live = mode == ProgressMode::Auto && is_terminal(2);
  std::optional<std::size_t> open;
  Subject subject;
  std::optional<Yardstick> words;
  for (std::size_t number = 0; number < jobs.size() && !whole.spent(); ++number) {
    Job& job = jobs[number];
    if (job.done) continue;
    announcer.begin(number + 1, job.cell);
    const auto began = std::chrono::steady_clock::now();
    if (open != job.network) {
      subject = open_subject(arguments.operands[job.network], setup);
      words =
          yardstick(subject, setup,
                    static_cast<unsigned>(std::max<std::uint64_t>(1, job.settings.threads)), whole);
      open = job.network;
    }
    if (!words) return;
    ExtractionOptions options = job.settings;
    const bool clusters = options.method.method == Method::KMeans && !subject.words.empty();
    options.samples = clusters ? subject.words : subject.samples;
    Progress progress;
    const Run run = [&] {
      const ProgressLine line(progress, options.time_limit, live ? mode : ProgressMode::None);
      return Extraction(subject.network, options, subject.target).run(whole, &progress);
    }();
    if (whole.spent()) return;  // what was stopped is no result
    fill_in(job.cell, run, subject, setup, *words);
    job.done = true;
    store.add(job.cell);
    announcer.end(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
}

std::vector<std::string> chosen_columns(const Arguments& arguments, const Setup& setup) {
  std::vector<std::string> columns;
  const auto given = arguments.value("columns");
  if (!given) return columns;
  const std::vector<std::string> known = comparison_columns(setup.lengths);
  for (std::size_t begin = 0; begin <= given->size();) {
    const std::size_t end = std::min(given->find(',', begin), given->size());
    columns.push_back(given->substr(begin, end - begin));
    begin = end + 1;
    if (std::find(known.begin(), known.end(), columns.back()) != known.end()) continue;
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    throw UsageError("--columns: expected names among " + names + "; found '" + columns.back() +
                     "'");
  }
  return columns;
}

Exit run(const Arguments& arguments) {
  ProgressMode mode = parse_progress_mode(arguments.value("progress").value_or("auto"));
  if (arguments.has("quiet")) mode = ProgressMode::None;
  const std::uint64_t repeat =
      arguments.value("repeat") ? parse_count("repeat", *arguments.value("repeat"), 1, 100000) : 1;
  const Setup setup = setup_of(arguments);
  const std::vector<std::string> columns = chosen_columns(arguments, setup);
  ComparisonStore store(arguments.value("store").value_or(""));
  Budget whole;
  const InterruptOnSignal on_signal(whole);
  std::vector<Job> jobs = plan(arguments, setup, repeat, store);
  run_jobs(jobs, arguments, setup, store, mode, whole);

  constexpr std::array<std::string_view, 7> without = {"json",  "csv",      "latex", "report",
                                                       "store", "progress", "quiet"};
  Comparison comparison{
      command_line(compare_command().syntax, arguments, without), std::string(kProgram), {}};
  for (Job& job : jobs) {
    if (job.done) comparison.cells.push_back(std::move(job.cell));
  }
  bool stdout_taken = false;
  const auto write = [&](std::string_view option, const auto& text) {
    const auto file = arguments.value(option);
    if (!file) return;
    stdout_taken = stdout_taken || *file == "-";
    write_output(*file, text());
  };
  write("json", [&] { return comparison_json(comparison); });
  write("csv", [&] { return comparison_csv(comparison.cells); });
  write("latex", [&] { return comparison_latex(comparison.cells, columns); });
  write("report", [&] { return comparison_html(comparison); });
  if (!stdout_taken) write_output("-", comparison_text(comparison.cells, columns, text_style(1)));
  if (comparison.cells.size() == jobs.size()) return Exit::Done;
  std::cerr << "rnnalf compare: interrupted; " << comparison.cells.size() << " of " << jobs.size()
            << " extractions are done\n";
  return Exit::Interrupted;
}

}  // namespace

Command compare_command() {
  std::vector<Option> options = with_extraction_options(
      {{"sample", "WORD", "a word tried at every equivalence query; may be repeated", true},
       {"samples", "FILE", "such words from a file, one per line", true},
       {"words", "FILE",
        "words such as a training set, one per line: kmeans clusters them, and how far each result "
        "agrees on them is a column",
        true},
       {"lengths", "N,N...", "lengths of the uniform words (default: 10,50,100,1000)"},
       {"per-length", "N", "uniform words of each length (default: 300)"},
       {"milestone", "DFA",
        "a language that hypotheses may pass through, or a folder of them; may be repeated. A "
        "column says which was the last in this order that a hypothesis of the run was",
        true},
       {"repeat", "N", "repetitions with seeds S, S+1, ... (default: 1)"},
       {"store", "FILE",
        "finished extractions are added to this file as they end, and not run again when "
        "program, options and contents of the files are the same"},
       {"columns", "A,B...",
        "columns of the table and of --latex, by the names that --csv has (default: those that "
        "fit)"},
       {"csv", "FILE", "a row per extraction; - is standard output"},
       {"json", "FILE", "the same as JSON"},
       {"latex", "FILE", "the table for LaTeX (booktabs)"},
       {"report", "FILE", "write a page to look at in a browser, all in one HTML file"},
       {"progress", "M",
        "auto: with a live line on a terminal; plain: a line per extraction; none (default: auto)"},
       {"quiet", "", "no progress"}});
  for (Option& option : options) {
    if (option.name == "learner" || option.name == "oracle" || option.name == "method") {
      option.repeatable = true;
    }
    if (option.name == "preset") {
      option.help =
          "the published method: lstar, samples and abstraction of depth 10; with "
          "--learner or --oracle, its loop with these instead";
    }
  }
  return {
      {.name = "compare",
       .operands = "NET...",
       .least_operands = 1,
       .most_operands = 10000,
       .summary = "learners, oracles and methods over networks, as one table",
       .description =
           "Extracts from every network with every learner and oracle given (--learner and "
           "--oracle may be repeated), then with every other --method, and prints one table. "
           "Every result is compared with its network on the same uniform words, and on those "
           "of --words. Repetitions are one row: medians, with the range where they differ. "
           "Where NAME.target.dot stands beside a network NAME.onnx, the table says whether "
           "the result is that target. Exit code 0, whichever limits were reached; 130: "
           "interrupted, what was done is in the table.",
       .options = options,
       .examples =
           "  rnnalf compare examples/networks/tomita*.onnx --learner lstar --learner ttt\n"
           "  rnnalf compare bp.onnx --oracle samples,abstraction --oracle samples,random \\\n"
           "    --time-limit 60s --repeat 3 --store bp.cells --report bp.html --latex bp.tex\n"},
      run};
}

}  // namespace rnnalf::cli
