#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

#include "command.hpp"
#include "comparison.hpp"
#include "extraction_settings.hpp"
#include "interrupt.hpp"
#include "open_dfa.hpp"
#include "output.hpp"
#include "rnnalf/evaluate/evaluate.hpp"
#include "rnnalf/report/quantities.hpp"
#include "units.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

/// How the results of all cells are measured against their network: the same words for all.
constexpr std::size_t kLengths[] = {10, 50, 100};
constexpr std::size_t kPerLength = 300;

/// A way to extract: the arguments of `extract` that stand for it.
struct Variant {
  Arguments arguments;
  ExtractionSettings settings;
};

/// All combinations of learners and oracles, then the other methods.
std::vector<Variant> variants(const Arguments& arguments) {
  const auto or_default = [](std::vector<std::string> values) {
    if (values.empty()) values.emplace_back();
    return values;
  };
  std::vector<Variant> result;
  const auto add = [&](const std::string& method, const std::string& learner,
                       const std::string& oracle) {
    Arguments one = arguments;
    for (const char* name : {"method", "learner", "oracle"}) one.options.erase(name);
    if (!method.empty()) one.options["method"] = {method};
    if (!learner.empty()) one.options["learner"] = {learner};
    if (!oracle.empty()) one.options["oracle"] = {oracle};
    const ExtractionSettings settings = extraction_settings(one);
    result.push_back({std::move(one), settings});
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
  return result;
}

/// The options that decide a result besides those with columns of their own.
std::string limits_text(const Arguments& arguments) {
  std::string text;
  for (const auto& [name, values] : arguments.options) {
    static constexpr std::string_view kNoMatter[] = {"method", "learner", "oracle",   "seed",
                                                     "repeat", "json",    "csv",      "latex",
                                                     "store",  "threads", "progress", "quiet"};
    if (std::find(std::begin(kNoMatter), std::end(kNoMatter), name) != std::end(kNoMatter))
      continue;
    for (const std::string& value : values) text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text;
}

/// Finished cells of earlier runs, and where new ones go as they end.
class Store {
 public:
  explicit Store(const std::optional<std::string>& path) {
    if (!path) return;
    path_ = *path;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      if (const auto cell = parse_cell(line)) cells_[cell->key()] = *cell;
    }
    file.close();
    file_.open(path_, std::ios::app);
    if (!file_) throw FileError(path_, "expected a file that can be written");
    // A run that was killed may have left half a line: ours begin on a fresh one.
    file_ << '\n' << std::flush;
  }

  [[nodiscard]] const ComparedCell* find(const ComparedCell& cell) const {
    const auto found = cells_.find(cell.key());
    return found == cells_.end() ? nullptr : &found->second;
  }

  void add(const ComparedCell& cell) {
    if (path_.empty()) return;
    file_ << cell_json(cell) << std::endl;
    if (!file_) throw FileError(path_, "the results could not be written");
  }

 private:
  std::string path_;
  std::ofstream file_;
  std::map<std::string, ComparedCell> cells_;
};

struct Subject {
  std::string file;
  Network network;
  std::optional<Dfa> target;
  std::vector<Word> samples;
};

Subject open_subject(const std::string& file, const Arguments& arguments) {
  Subject subject{file, open_network(file, network_options(arguments)), std::nullopt, {}};
  const Alphabet& alphabet = subject.network.spec.alphabet;
  std::filesystem::path target(file);
  target.replace_extension(".target.dot");
  if (std::filesystem::exists(target)) {
    subject.target = over_alphabet(open_dfa(target.string()), alphabet);
  }
  const Budget no_limit;
  for (const std::string& path : arguments.values("samples")) {
    const std::vector<Word> words = read_words(path, alphabet, no_limit);
    subject.samples.insert(subject.samples.end(), words.begin(), words.end());
  }
  return subject;
}

/// Runs the extraction and measures its result. False: interrupted, the cell is not whole.
bool run_cell(ComparedCell& cell, const Subject& subject, const ExtractionSettings& settings,
              const Budget& whole) {
  Budget budget;
  budget.part_of(whole);
  restrict(budget, settings);
  // The words of a file are for clustering and for measuring; the teacher searches its own samples.
  const bool clusters = settings.method.method == Method::KMeans;
  const Run run =
      run_extraction(subject.network, settings, clusters ? subject.samples : std::vector<Word>{},
                     subject.target, budget, nullptr);
  if (whole.spent()) return false;
  cell.verdict = verdict(run);
  cell.states = run.dfa().size();
  cell.last_states = run.hypotheses.back().dfa.size();
  cell.counterexamples = run.counterexamples.size();
  cell.membership_queries = run.statistics.membership_queries;
  cell.equivalence_queries = run.statistics.equivalence_queries;
  cell.rnn_steps = run.statistics.rnn_steps;
  cell.seconds = run.statistics.seconds;
  if (subject.target) cell.equals_target = equivalent(run.dfa(), *subject.target);

  StateTree tree(*subject.network.acceptor,
                 {.threads = settings.threads, .empty_word = subject.network.empty_word});
  EvaluateOptions options;
  options.lengths.assign(std::begin(kLengths), std::end(kLengths));
  options.per_length = kPerLength;
  options.pumped = 0;
  options.words = subject.samples;
  const Evaluation evaluation = evaluate(tree, run.dfa(), nullptr, options, whole);
  if (!evaluation.complete) return false;
  PairAgreement sum;
  for (const LengthEvaluation& level : evaluation.by_length) {
    sum.words += level.agreement.words;
    sum.network_dfa += level.agreement.network_dfa;
  }
  cell.agreement = sum.share(sum.network_dfa);
  if (evaluation.given)
    cell.words_agreement = evaluation.given->share(evaluation.given->network_dfa);
  return true;
}

Exit run(const Arguments& arguments) {
  const std::vector<Variant> ways = variants(arguments);
  const std::uint64_t repeat =
      arguments.value("repeat") ? parse_count("repeat", *arguments.value("repeat"), 1, 100000) : 1;
  const bool quiet = arguments.has("quiet");
  Store store(arguments.value("store"));
  Budget whole;
  const InterruptOnSignal on_signal(whole);

  std::vector<ComparedCell> cells;
  const std::size_t total = arguments.operands.size() * ways.size() * repeat;
  std::size_t number = 0, ran = 0;
  double seconds_ran = 0;
  for (const std::string& file : arguments.operands) {
    const Subject subject = open_subject(file, arguments);
    for (const Variant& way : ways) {
      for (std::uint64_t i = 0; i < repeat && !whole.spent(); ++i) {
        ExtractionSettings settings = way.settings;
        settings.seed += i;
        const bool baseline = settings.method.method != Method::AbstractionRefinement;
        ComparedCell cell;
        cell.network = file;
        cell.method = settings.method.text();
        cell.learner = baseline ? "" : settings.learner;
        cell.oracle = baseline ? "" : settings.oracles;
        cell.seed = settings.seed;
        cell.limits = limits_text(way.arguments);
        ++number;
        if (const ComparedCell* const known = store.find(cell)) {
          cells.push_back(*known);
          continue;
        }
        if (!quiet) {
          std::cerr << "rnnalf: " << number << " of " << total << "  " << file << "  "
                    << (baseline ? cell.method : cell.learner + "  " + cell.oracle) << "  seed "
                    << cell.seed;
          if (ran > 0) {
            const double left =
                seconds_ran / static_cast<double>(ran) * static_cast<double>(total - number + 1);
            std::cerr << "  about " << format_seconds(left) << " left";
          }
          std::cerr << std::endl;
        }
        const auto began = std::chrono::steady_clock::now();
        if (!run_cell(cell, subject, settings, whole)) break;
        seconds_ran +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        ++ran;
        store.add(cell);
        cells.push_back(std::move(cell));
      }
    }
  }

  bool stdout_taken = false;
  const auto write = [&](const char* option,
                         std::string (*text)(const std::vector<ComparedCell>&)) {
    const auto file = arguments.value(option);
    if (!file) return;
    stdout_taken = stdout_taken || *file == "-";
    write_output(*file, text(cells));
  };
  write("json", comparison_json);
  write("csv", comparison_csv);
  write("latex", comparison_latex);
  if (!stdout_taken) write_output("-", comparison_text(cells));
  return whole.spent() ? Exit::Interrupted : Exit::Done;
}

}  // namespace

Command compare_command() {
  std::vector<Option> options = with_extraction_options(
      {{"samples", "FILE",
        "words, one per line: clustered by kmeans, and the result's agreement on them is a column",
        true},
       {"repeat", "N", "repetitions with seeds S, S+1, ... (default: 1)"},
       {"store", "FILE",
        "finished extractions are added to this file as they end, and not run again when the "
        "same command is given again"},
       {"csv", "FILE", "a row per extraction; - is standard output"},
       {"json", "FILE", "the same as JSON"},
       {"latex", "FILE", "the table for LaTeX (booktabs)"},
       {"quiet", "", "no progress"}});
  for (Option& option : options) {
    if (option.name == "learner" || option.name == "oracle" || option.name == "method") {
      option.repeatable = true;
    }
  }
  return {{.name = "compare",
           .operands = "NET...",
           .least_operands = 1,
           .most_operands = 10000,
           .summary = "learners, oracles and methods over networks, as one table",
           .description =
               "Extracts from every network with every learner and oracle given (--learner and "
               "--oracle may be repeated), then with every other --method, and prints one table. "
               "Every result is compared with its network on the same 900 uniform words of lengths "
               "10, 50 and 100, and on the words of --samples. Where NAME.target.dot stands beside "
               "a network NAME.onnx, the table says whether the result is that target.",
           .options = options,
           .examples =
               "  rnnalf compare examples/networks/tomita*.onnx --learner lstar --learner ttt\n"
               "  rnnalf compare bp.onnx --oracle samples,abstraction --oracle samples,random \\\n"
               "    --time-limit 60s --store bp.cells --latex bp.tex\n"},
          run};
}

}  // namespace rnnalf::cli
