// A study file is TOML. Each section has a table of keys; a key has a name, a help text and a
// function that reads its value into the section's struct. Keys of an experiment come from the
// option tables of comparison, extraction and network, so that a study knows every option of the
// program. What a key's function throws gets file, line and key in front.

#include "rnnalf/study/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/option_names.hpp"
#include "rnnalf/base/suggestion.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/report/comparison_table.hpp"

namespace rnnalf {
namespace {

using std::chrono::duration;

constexpr std::size_t kLargestStudy = std::size_t{16} << 20U;

// ---------------------------------------------------------------- values

/// A scalar as the option tables read it.
std::string scalar_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto number = node.value_exact<double>()) return option_value::text(Number{}, *number);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  throw OptionError(fmt::format("expected a text, a number, true or false, found {}",
                                node.is_array()   ? "a list"
                                : node.is_table() ? "a table"
                                                  : "a date"));
}

/// A list of scalars; one scalar is a list too.
std::vector<std::string> texts_of(const toml::node& node) {
  const toml::array* const array = node.as_array();
  if (array == nullptr) return {scalar_text(node)};
  std::vector<std::string> texts;
  for (const toml::node& entry : *array) texts.push_back(scalar_text(entry));
  return texts;
}

/// `[1, 5, 7]` or `"1-10"`.
std::vector<std::uint64_t> seeds_of(const toml::node& node) {
  constexpr std::uint64_t most_seeds = 1'000'000;
  std::vector<std::uint64_t> seeds;
  for (const std::string& text : texts_of(node)) {
    const std::size_t dash = text.find('-', 1);
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    option_value::read(Count{}, text.substr(0, dash), first);
    last = first;
    if (dash != std::string::npos) option_value::read(Count{}, text.substr(dash + 1), last);
    if (last < first || last - first >= most_seeds) {
      throw OptionError(fmt::format("expected the smaller seed first, found {}", in_quotes(text)));
    }
    for (std::uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
  }
  std::set<std::uint64_t> distinct(seeds.begin(), seeds.end());
  if (seeds.empty() || distinct.size() != seeds.size()) {
    throw OptionError("expected one seed or more, each once");
  }
  return seeds;
}

/// Names become files and are read by people: letters, digits, - and _.
void check_name(std::string_view name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!plain) {
    throw OptionError(
        fmt::format("expected a name of letters, digits, - and _, found {}", in_quotes(name)));
  }
}

// ---------------------------------------------------------------- keys

/// A key of one section, which fills a Target.
template <class Target>
struct Key {
  std::string name;
  std::string value;
  std::string help;
  std::string default_value;
  std::function<void(Target&, const toml::node&)> read;
};

template <class Target>
Key<Target> list_key(std::string name, std::string value, std::string help,
                     std::vector<std::string> Target::*member) {
  return {std::move(name), std::move(value), std::move(help), "",
          [member](Target& target, const toml::node& node) { target.*member = texts_of(node); }};
}

template <class Target>
Key<Target> text_key(std::string name, std::string value, std::string help,
                     std::string Target::*member) {
  return {std::move(name), std::move(value), std::move(help), "",
          [member](Target& target, const toml::node& node) { target.*member = scalar_text(node); }};
}

template <class Target, class Kind, class Value>
Key<Target> kind_key(std::string name, std::string value, std::string help, Kind kind,
                     Value Target::*member) {
  const Target unset{};
  std::string otherwise = option_value::text(kind, unset.*member);
  if (otherwise == "none") otherwise.clear();
  return {std::move(name), std::move(value), std::move(help), std::move(otherwise),
          [kind, member](Target& target, const toml::node& node) {
            option_value::read(kind, scalar_text(node), target.*member);
          }};
}

Key<Experiment> list_key(std::string name, std::string value, std::string help,
                         std::vector<std::string> ComparisonOptions::*member) {
  return {std::move(name), std::move(value), std::move(help), "",
          [member](Experiment& experiment, const toml::node& node) {
            experiment.options.*member = texts_of(node);
          }};
}

/// The keys of an option table, some left out.
template <class Options, class Access>
void add_table(std::vector<Key<Experiment>>& keys, const std::vector<std::string_view>& without,
               Access access) {
  for (const OptionField<Options>& field : Options::table()) {
    if (std::find(without.begin(), without.end(), field.name) != without.end()) continue;
    std::string otherwise = field.text(Options{});
    if (otherwise == "none") otherwise.clear();
    std::string help = with_option_names(field.help, Spelling::Study);
    if (!field.range.empty()) help += fmt::format(" ({})", field.range);
    keys.push_back({field.name, field.value.empty() ? "true" : field.value, help, otherwise,
                    [&field, access](Experiment& experiment, const toml::node& node) {
                      field.read(access(experiment),
                                 fmt::format("{}", fmt::join(texts_of(node), ",")));
                    }});
  }
}

std::vector<Key<Experiment>> experiment_keys() {
  std::vector<Key<Experiment>> keys = {
      list_key("networks", "[\"FILE\", ...]",
               "network files, or patterns with * ? [], relative to the study file",
               &ComparisonOptions::networks),
      {"targets", "{NAME = \"DFA\"}",
       "the language that the network NAME was meant to learn, where it is not in NAME.target.dot",
       "",
       [](Experiment& experiment, const toml::node& node) {
         if (!node.is_table()) throw OptionError("expected a table {NAME = \"DFA\"}");
         for (const auto& [name, value] : *node.as_table()) {
           experiment.options.targets[std::string(name.str())] = scalar_text(value);
         }
       }},
      list_key("learners", "[\"NAME\", ...]", "learning algorithms; rnnalf list learners",
               &ComparisonOptions::learners),
      {"oracles", "[\"SPEC\", ...]", "chains of oracles; rnnalf list oracles", "",
       [](Experiment& experiment, const toml::node& node) {
         experiment.options.oracles.clear();
         for (const std::string& text : texts_of(node)) {
           experiment.options.oracles.push_back(parse_oracles(text));
         }
       }},
      {"methods", "[\"M\", ...]", "abstraction-refinement and baselines such as kmeans:k=10", "",
       [](Experiment& experiment, const toml::node& node) {
         experiment.options.methods.clear();
         for (const std::string& text : texts_of(node)) {
           experiment.options.methods.push_back(parse_method(text));
         }
       }},
      {"preset", "\"paper\"", "the published method; with learners or oracles, its loop with these",
       "",
       [](Experiment& experiment, const toml::node& node) {
         field_of(ExtractionOptions::table(), "preset")
             .read(experiment.options.extraction, scalar_text(node));
       }},
      {"seeds", "[N, ...] or \"N-N\"", "one extraction with each", "1",
       [](Experiment& experiment, const toml::node& node) { experiment.seeds = seeds_of(node); }},
      list_key("words", "[\"FILE\", ...]",
               "words such as a training set: kmeans clusters them, every result is measured on "
               "them; {name} in FILE stands for the network's name, for words of each network",
               &ComparisonOptions::words),
      list_key("milestones", "[\"DFA\", ...]", "languages, or folders of them, to pass through",
               &ComparisonOptions::milestones),
      list_key("sample", "[\"WORD\", ...]", "words tried at every equivalence query",
               &ComparisonOptions::sample),
      list_key("samples", "[\"FILE\", ...]", "files of such words", &ComparisonOptions::samples)};
  add_table<ComparisonOptions>(keys, {"repeat"},
                               [](Experiment& e) -> ComparisonOptions& { return e.options; });
  add_table<ExtractionOptions>(
      keys,
      {"learner", "oracle", "method", "preset", "seed", "threads", "certify", "plotted-r-states"},
      [](Experiment& e) -> ExtractionOptions& { return e.options.extraction; });
  add_table<NetworkOptions>(keys, {},
                            [](Experiment& e) -> NetworkOptions& { return e.options.network; });
  return keys;
}

std::vector<Key<Training>> training_keys() {
  return {text_key("folder", "\"FOLDER\"", "where trained networks go", &Training::folder),
          list_key("names", "[\"NAME\", ...]", "networks to train: NAME becomes FOLDER/NAME.onnx",
                   &Training::names),
          list_key("command", "[\"PROGRAM\", ...]",
                   "run in the study's folder for each; {name} and {folder} are replaced, and what "
                   "it leaves in {folder} is kept when it succeeds; of a study that came in a "
                   "bundle only with --allow-commands",
                   &Training::command),
          kind_key("time", "D", "for one network", Seconds{}, &Training::time)};
}

Choice<By> groups() {
  return {{{"way", By::Way},
           {"learner", By::Learner},
           {"oracle", By::Oracle},
           {"network", By::Network}}};
}

std::vector<Key<TableSpec>> table_keys() {
  return {
      kind_key("summary", "B",
               "a row for each way, learner, oracle or network: how many extractions were solved, "
               "at what price, what they missed, what nothing else refutes",
               groups(), &TableSpec::summary),
      kind_key("refutes", "B",
               "a row and a column for each of these: how many of the results that the column's "
               "runs ended with are refuted by words that the row's runs found",
               groups(), &TableSpec::refutes),
      kind_key(
          "errors", "B",
          "a row for each of these, a column for each network: the length of the shortest word "
          "that was found on which network and target differ",
          groups(), &TableSpec::errors),
      kind_key("words", "N",
               "the first N counterexamples of each extraction, with the time each was found in",
               Count{.least = 1, .most = 1000}, &TableSpec::words),
      text_key("experiment", "\"NAME\"", "rows of this experiment alone", &TableSpec::experiment),
      list_key("columns", "[\"NAME\", ...]",
               "by the names that the CSV has; seconds excluded, "
               "tables of studies whose limits are counts are the same on every machine",
               &TableSpec::columns)};
}

std::vector<Key<FigureSpec>> figure_keys() {
  return {
      kind_key("kind", "K",
               "cactus: solved over cost; agreement: over the length of words; size: states "
               "over time; scatter: two ways, network by network; refuted: which words refute "
               "which results",
               Choice<FigureKind>{{{"cactus", FigureKind::Cactus},
                                   {"agreement", FigureKind::Agreement},
                                   {"size", FigureKind::Size},
                                   {"scatter", FigureKind::Scatter},
                                   {"refuted", FigureKind::Refuted}}},
               &FigureSpec::kind),
      kind_key("over", "C", "cost of cactus and scatter: seconds or steps (of the network)",
               Choice<Cost>{{{"seconds", Cost::Seconds}, {"steps", Cost::Steps}}},
               &FigureSpec::over),
      text_key("experiment", "\"NAME\"", "rows of this experiment alone", &FigureSpec::experiment),
      kind_key("by", "B", "what one line is: way, learner, oracle or network", groups(),
               &FigureSpec::by),
      text_key("x", "\"WAY\"", "of a scatter plot: a way to extract, as the legends name it",
               &FigureSpec::x),
      text_key("y", "\"WAY\"", "the other one", &FigureSpec::y)};
}

std::vector<Key<JobLimits>> job_keys() {
  return {
      kind_key("time", "D",
               "a job is ended after this (default: twice its time-limit and 10 min, in which its "
               "result is measured)",
               Seconds{}, &JobLimits::time),
      kind_key("memory", "B", "a job gets no more (default: its memory-limit and 1 GiB)", Bytes{},
               &JobLimits::memory)};
}

std::vector<Key<SlurmSpec>> slurm_keys() {
  return {list_key("options", "[\"--OPTION\", ...]", "of sbatch, such as --partition=long",
                   &SlurmSpec::options),
          kind_key("per-task", "N",
                   "jobs that a task runs one after the other; for short ones: Slurm starts a task "
                   "per core and second",
                   Count{.least = 1, .most = 100'000}, &SlurmSpec::per_task),
          kind_key("queued", "N", "at most N jobs of the study in the queue at once",
                   Count{.least = 1, .most = 1'000'000}, &SlurmSpec::queued)};
}

// ---------------------------------------------------------------- the file

class StudyReader {
 public:
  explicit StudyReader(Study& study) : study_(study) {}

  void read() {
    const toml::table root = parsed();
    Experiment defaults;
    const auto keys = experiment_keys();
    std::vector<std::string_view> names = {"title",  "experiment", "train", "table",
                                           "figure", "job",        "slurm"};
    for (const auto& key : keys) names.push_back(key.name);
    for (const auto& member : root) {
      const std::string_view name = member.first.str();
      const toml::node& node = member.second;
      if (name == "title") {
        at(node, name, [&] { study_.title = scalar_text(node); });
      } else if (name == "train") {
        study_.training.emplace();
        section(node, name, training_keys(), *study_.training);
        check_training(node);
      } else if (name == "table") {
        named(node, name, table_keys(), study_.tables);
      } else if (name == "figure") {
        named(node, name, figure_keys(), study_.figures);
      } else if (name == "job") {
        section(node, name, job_keys(), study_.job);
      } else if (name == "slurm") {
        section(node, name, slurm_keys(), study_.slurm);
      } else if (name != "experiment") {
        entry(member.first, node, keys, names, defaults);
      }
    }
    if (const toml::node* const node = root.get("experiment")) {
      experiments(*node, keys, defaults);
    } else {
      finish(std::move(defaults), root);
    }
    check_references(root);
  }

 private:
  toml::table parsed() const {
    try {
      return toml::parse(study_.text, study_.file);
    } catch (const toml::parse_error& error) {
      std::string what(error.description());
      throw FileError(place(error.source()), "expected TOML: " + what);
    }
  }

  [[nodiscard]] std::string place(const toml::source_region& region) const {
    return region.begin.line == 0 ? study_.file
                                  : fmt::format("{}:{}", study_.file, region.begin.line);
  }

  /// Does something with a key; what it throws gets file, line and key.
  template <class Action>
  void at(const toml::node& node, std::string_view key, const Action& action) const {
    try {
      action();
    } catch (const OptionError& error) {
      throw FileError(place(node.source()), fmt::format("{}: {}", key, error.what()));
    }
  }

  template <class Target>
  void entry(const toml::key& key, const toml::node& node, const std::vector<Key<Target>>& keys,
             const std::vector<std::string_view>& known, Target& target) const {
    for (const Key<Target>& candidate : keys) {
      if (candidate.name != key.str()) continue;
      at(node, key.str(), [&] { candidate.read(target, node); });
      return;
    }
    const std::string hint = suggestion("", key.str(), known);
    throw FileError(place(key.source()),
                    fmt::format("expected a key that rnnalf study keys lists, found {}{}",
                                in_quotes(key.str()), hint));
  }

  template <class Target>
  void section(const toml::node& node, std::string_view name, const std::vector<Key<Target>>& keys,
               Target& target) const {
    at(node, name, [&] {
      if (!node.is_table()) throw OptionError(fmt::format("expected a table [{}]", name));
    });
    std::vector<std::string_view> known;
    for (const auto& key : keys) known.push_back(key.name);
    for (const auto& [key, value] : *node.as_table()) entry(key, value, keys, known, target);
  }

  /// Sections such as [table.NAME], in the order of the file.
  template <class Target>
  void named(const toml::node& node, std::string_view name, const std::vector<Key<Target>>& keys,
             std::vector<Target>& targets) const {
    at(node, name, [&] {
      if (!node.is_table()) throw OptionError(fmt::format("expected tables [{}.NAME]", name));
    });
    std::vector<std::pair<std::pair<toml::source_index, toml::source_index>, Target>> found;
    for (const auto& [key, value] : *node.as_table()) {
      Target target;
      target.name = key.str();
      at(value, name, [&] { check_name(target.name); });
      section(value, fmt::format("{}.{}", name, key.str()), keys, target);
      const toml::source_position& at_key = key.source().begin;
      found.emplace_back(std::pair(at_key.line, at_key.column), std::move(target));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, target] : found) targets.push_back(std::move(target));
  }

  void experiments(const toml::node& node, const std::vector<Key<Experiment>>& keys,
                   const Experiment& defaults) {
    const toml::array* const array = node.as_array();
    at(node, "experiment", [&] {
      if (array == nullptr) throw OptionError("expected tables [[experiment]]");
    });
    std::vector<std::string_view> names = {"name"};
    for (const auto& key : keys) names.push_back(key.name);
    for (const toml::node& one : *array) {
      at(one, "experiment", [&] {
        if (!one.is_table()) throw OptionError("expected tables [[experiment]]");
      });
      Experiment experiment = defaults;
      for (const auto& [key, value] : *one.as_table()) {
        if (key.str() == "name") {
          at(value, "name", [&, &value = value] {
            experiment.name = scalar_text(value);
            check_name(experiment.name);
          });
        } else {
          entry(key, value, keys, names, experiment);
        }
      }
      at(one, "name", [&] {
        if (experiment.name.empty()) throw OptionError("expected a name for each experiment");
        for (const Experiment& other : study_.experiments) {
          if (other.name != experiment.name) continue;
          throw OptionError(
              fmt::format("expected different names, found {} twice", in_quotes(other.name)));
        }
      });
      finish(std::move(experiment), one);
    }
  }

  /// What must hold of a whole experiment.
  void finish(Experiment experiment, const toml::node& node) {
    const std::string what = experiment.name.empty() ? "experiment" : experiment.name;
    at(node, what, [&] {
      if (experiment.options.networks.empty()) throw OptionError("networks: expected some");
      validate(experiment.options);
    });
    experiment.options.extraction.threads = 1;  // one process per job is the parallelism
    study_.experiments.push_back(std::move(experiment));
  }

  void check_training(const toml::node& node) const {
    const Training& training = *study_.training;
    at(node, "train", [&] {
      if (training.folder.empty()) throw OptionError("folder: expected a folder");
      if (training.names.empty()) throw OptionError("names: expected some");
      if (training.command.empty()) throw OptionError("command: expected a program");
      for (const std::string& name : training.names) check_name(name);
    });
  }

  /// Tables and figures name experiments and columns that exist.
  void check_references(const toml::table& root) const {
    std::set<std::size_t> lengths;  // of several experiments each once
    for (const Experiment& experiment : study_.experiments) {
      lengths.insert(experiment.options.lengths.begin(), experiment.options.lengths.end());
    }
    const std::vector<std::string> columns =
        comparison_columns(std::vector(lengths.begin(), lengths.end()));
    for (const TableSpec& table : study_.tables) {
      const toml::node& node = *root["table"][table.name].node();
      check_experiment(node, "table." + table.name, table.experiment);
      check_table(node, table, columns);
    }
    for (const FigureSpec& figure : study_.figures) {
      const toml::node& node = *root["figure"][figure.name].node();
      check_experiment(node, "figure." + figure.name, figure.experiment);
      if (figure.kind != FigureKind::Scatter || (!figure.x.empty() && !figure.y.empty())) continue;
      throw FileError(place(node.source()),
                      fmt::format("figure.{}: expected x and y, the two ways that a scatter plot "
                                  "compares",
                                  figure.name));
    }
  }

  /// It is of one kind, and its columns are among the known ones.
  void check_table(const toml::node& node, const TableSpec& table,
                   const std::vector<std::string>& known) const {
    if (int{!table.columns.empty()} + int{table.summary.has_value()} +
            int{table.refutes.has_value()} + int{table.errors.has_value()} +
            int{table.words.has_value()} >
        1) {
      throw FileError(place(node.source()),
                      fmt::format("table.{}: expected one of columns, summary, refutes, errors and "
                                  "words, found more than one",
                                  table.name));
    }
    const std::vector<std::string_view> names(known.begin(), known.end());
    for (const std::string& column : table.columns) {
      if (std::find(known.begin(), known.end(), column) != known.end()) continue;
      throw FileError(
          place(node.source()),
          fmt::format("table.{}: columns: expected names among {}; found {}{}", table.name,
                      fmt::join(known, ", "), in_quotes(column), suggestion("", column, names)));
    }
  }

  void check_experiment(const toml::node& node, const std::string& key,
                        const std::string& wanted) const {
    if (wanted.empty()) return;
    std::vector<std::string_view> names;
    for (const Experiment& experiment : study_.experiments) names.push_back(experiment.name);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return;
    throw FileError(place(node.source()),
                    fmt::format("{}: experiment: expected one of the study, found {}{}", key,
                                in_quotes(wanted), suggestion("", wanted, names)));
  }

  Study& study_;
};

template <class Target>
void add_keys(std::vector<StudyKey>& all, const std::string& section,
              const std::vector<Key<Target>>& keys) {
  for (const Key<Target>& key : keys) {
    all.push_back({section, key.name, key.value, key.help, key.default_value});
  }
}

}  // namespace

Study parse_study(std::string text, const std::string& file, const std::filesystem::path& folder) {
  Study study;
  study.file = file;
  study.text = std::move(text);
  study.folder = folder;
  StudyReader(study).read();
  if (study.title.empty()) study.title = std::filesystem::path(file).stem().string();
  return study;
}

Study read_study(const std::filesystem::path& file) {
  return parse_study(read_file(file, kLargestStudy), file.string(),
                     std::filesystem::absolute(file).parent_path());
}

std::vector<StudyKey> study_keys() {
  std::vector<StudyKey> all;
  all.push_back({"", "title", "\"TEXT\"", "what tables and figures are headed with", ""});
  add_keys(all, "experiment", experiment_keys());
  add_keys(all, "train", training_keys());
  add_keys(all, "table.NAME", table_keys());
  add_keys(all, "figure.NAME", figure_keys());
  add_keys(all, "job", job_keys());
  add_keys(all, "slurm", slurm_keys());
  return all;
}

duration<double> job_time(const Study& study, const ExtractionOptions& options) {
  // A thousand words of length 1000 take a network of hidden size 500 minutes.
  constexpr std::chrono::minutes to_measure(10);
  return study.job.time.value_or(2 * options.time_limit + to_measure);
}

std::uint64_t job_memory(const Study& study, const ExtractionOptions& options) {
  return study.job.memory.value_or(options.memory_limit + (std::uint64_t{1} << 30U));
}

}  // namespace rnnalf
