// The commands of a study that read its file and its rows and run nothing: check, keys, status,
// table, plot, report, bundle, diff. Each has a struct of arguments, a function that declares them
// and one that runs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <thread>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/comparison_table.hpp"
#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/report/text_table.hpp"
#include "rnnalf/study/bundle.hpp"
#include "rnnalf/study/figures.hpp"
#include "rnnalf/study/job.hpp"
#include "rnnalf/study/page.hpp"
#include "rnnalf/study/summary.hpp"
#include "study_files.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

namespace fs = std::filesystem;

// ---------------------------------------------------------------- check

struct CheckArguments {
  StudyArguments study;
};

struct KeysArguments {};

void declare_check(CommandLine& line, CheckArguments& arguments) {
  line.describe(
      "Reads a study file and every file that it names, and says what will be run. Nothing is run. "
      "rnnalf study keys explains every key that a study file may have.",
      "  rnnalf study check examples/studies/tomita.toml\n");
  declare_study(line, arguments.study);
}

/// A line for each way; learners and oracles apart where every learner asks every oracle.
std::string ways_text(const std::vector<ExtractionOptions>& ways) {
  std::vector<std::string> learners;
  std::vector<std::string> oracles;
  std::vector<std::string> learning;
  std::vector<std::string> others;
  const auto add = [](std::vector<std::string>& all, const std::string& one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (const ExtractionOptions& way : ways) {
    if (way.method.method != Method::AbstractionRefinement) {
      others.push_back(way.method.text());
      continue;
    }
    const std::string oracle = oracles_text(way.oracles, Parameters::GivenAlone);
    learning.push_back(way.learner + "  " + oracle);
    add(learners, way.learner);
    add(oracles, oracle);
  }
  TextTable table({Align::Left, Align::Left}, {.indent = 4, .width = text_style(1).width});
  if (learners.size() > 1 && oracles.size() > 1 &&
      learners.size() * oracles.size() == learning.size()) {
    table.row({counted(learners.size(), "learner", "learners"),
               fmt::format("{}", fmt::join(learners, ", "))});
    table.row({counted(oracles.size(), "oracle", "oracles"),
               fmt::format("{}", fmt::join(oracles, "; "))});
    learning.clear();
  }
  std::string text = table.text();
  for (const auto* const lines : {&learning, &others}) {
    for (const std::string& line : *lines) text += "    " + line + "\n";
  }
  return text;
}

std::string experiment_text(const Study& study, std::size_t number, const StudyPlan& plan) {
  const Experiment& experiment = study.experiments[number];
  std::set<std::string> networks;
  std::size_t jobs = 0;
  double seconds = 0;
  std::uint64_t memory = 0;
  for (const StudyJob& job : plan.jobs) {
    if (job.experiment != number) continue;
    ++jobs;
    networks.insert(job.network);
    seconds += experiment.options.extraction.time_limit.count();
    memory = std::max(memory, job.memory);
  }
  std::string text = experiment.name.empty() ? "" : fmt::format("{}:\n", experiment.name);
  const auto ways = ways_to_extract(experiment.options);
  if (jobs == 0) {
    return text + fmt::format("  {} and {} on networks that are to be trained first\n",
                              counted(ways.size(), "way", "ways"),
                              counted(experiment.seeds.size(), "seed", "seeds"));
  }
  text +=
      fmt::format("  {} x {} x {} = {}\n", counted(networks.size(), "network", "networks"),
                  counted(ways.size(), "way", "ways"),
                  counted(experiment.seeds.size(), "seed", "seeds"), counted(jobs, "job", "jobs"));
  text += ways_text(ways);
  std::vector<std::string> limits;
  const ExtractionOptions unset;
  for (const OptionField<ExtractionOptions>& field : ExtractionOptions::table()) {
    const bool limit = field.name.starts_with("max-") || field.name.ends_with("-limit");
    const std::string value = field.text(experiment.options.extraction);
    if (limit && value != "none") limits.push_back(field.name + " " + value);
  }
  return text +
         fmt::format("  limits: {}; by the time limit at most {} of one core; {} MiB for a job\n",
                     fmt::join(limits, ", "), format_seconds(seconds), memory >> 20U);
}

/// Every command that `study run` would start, and the one of [train] where it would start none.
std::string training_text(const Study& study, const StudyPlan& plan) {
  if (plan.trainings.empty()) {
    return fmt::format("All {} of [train] are there. Its command, which is not run:\n    {}\n",
                       counted(study.training->names.size(), "network", "networks"),
                       shown_training(study, "{name}"));
  }
  std::string text =
      fmt::format("{} to train first, each at most {}. rnnalf study run starts, in {}:\n",
                  counted(plan.trainings.size(), "network", "networks"),
                  format_seconds(study.training->time.count()), study.folder.string());
  for (const StudyJob& job : plan.trainings) {
    text += "    " + shown_training(study, job.name) + "\n";
  }
  return text;
}

Exit run_check(const CheckArguments& arguments) {
  const Study study = read_study(arguments.study.file);
  const StudyPlan plan = plan_study(study);
  for (const std::string& note : plan.notes) say("rnnalf: " + note + "\n");
  std::string text = study.title + "\n";
  if (study.training) text += training_text(study, plan);
  if (!study.slurm.options.empty()) {
    text += fmt::format("with --slurm: sbatch {}\n", fmt::join(study.slurm.options, " "));
  }
  for (std::size_t i = 0; i < study.experiments.size(); ++i) {
    text += experiment_text(study, i, plan);
  }
  std::set<std::string> keys;
  double seconds = 0;
  for (const StudyJob& job : plan.jobs) {
    if (!keys.insert(job.key).second) continue;
    seconds += study.experiments[job.experiment].options.extraction.time_limit.count();
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (!keys.empty()) {
    text += fmt::format("{} in all, by their time limits at most {} on {}\n",
                        counted(keys.size(), "job", "jobs"), format_seconds(seconds / cores),
                        counted(cores, "core", "cores"));
  }
  for (const TableSpec& table : study.tables) text += "table " + table.name + "\n";
  for (const FigureSpec& figure : study.figures) text += "figure " + figure.name + "\n";
  print(text);
  return Exit::Done;
}

void declare_keys(CommandLine& line, KeysArguments& /*arguments*/) {
  line.describe(
      "Every key of study files (TOML), section by section, with its meaning and default. Keys of "
      "[[experiment]] may stand at the top of the file instead: they hold for all experiments, and "
      "a study without [[experiment]] is one experiment. Files are relative to the study file.",
      "  rnnalf study keys\n");
}

Exit run_keys(const KeysArguments& /*arguments*/) {
  TextTable table({Align::Left, Align::Left}, {.indent = 0, .width = 100});
  std::string section = "-";
  for (const StudyKey& key : study_keys()) {
    if (key.section != section) {
      section = key.section;
      const std::string name = section.empty()           ? "at the top"
                               : section == "experiment" ? "[[experiment]], or at the top"
                                                         : fmt::format("[{}]", section);
      table.row({name});
    }
    table.row({fmt::format("  {} = {}", key.name, key.value),
               key.default_value.empty() || key.help.find("(default") != std::string::npos
                   ? key.help
                   : fmt::format("{} (default: {})", key.help, key.default_value)});
  }
  print(table.text());
  return Exit::Done;
}

// ---------------------------------------------------------------- status

struct StatusArguments {
  StudyArguments study;
};

void declare_status(CommandLine& line, StatusArguments& arguments) {
  line.describe(
      "How many jobs have a row, and which have no result, with the reason; before that, "
      "how many networks are trained.",
      "  rnnalf study status examples/studies/tomita.toml\n");
  declare_study(line, arguments.study);
}

/// While networks are missing there are no jobs to count.
std::string training_status(const OpenStudy& open, const std::string& file) {
  const std::size_t all = open.study.training->names.size();
  std::string text = fmt::format("{} of {} trained; rnnalf study run {} trains the others\n",
                                 all - open.plan.trainings.size(),
                                 counted(all, "network", "networks"), shell_quoted(file));
  for (const StudyJob& job : open.plan.trainings) {
    const auto row = open.results.row(job.key);
    if (row) text += fmt::format("{}: {}: {}\n", job.name, row->cell.verdict_name(), row->message);
  }
  return text;
}

Exit run_status(const StatusArguments& arguments) {
  const OpenStudy open = open_planned(arguments.study);
  if (!open.plan.trainings.empty()) {
    print(training_status(open, arguments.study.file));
    return Exit::Done;
  }
  TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
  table.row({"experiment", "jobs", "rows", "without result"});
  std::string why;
  for (std::size_t i = 0; i < open.study.experiments.size(); ++i) {
    const auto jobs = std::count_if(open.plan.jobs.begin(), open.plan.jobs.end(),
                                    [&](const StudyJob& job) { return job.experiment == i; });
    std::size_t rows = 0;
    std::size_t without = 0;
    for (const auto& [number, row] : open.rows) {
      if (number != i) continue;
      ++rows;
      if (row.cell.has_result()) continue;
      ++without;
      why +=
          fmt::format("{}, {}, seed {}: {}: {}\n", fs::path(row.cell.network).filename().string(),
                      row.cell.way(), row.cell.seed, row.cell.verdict_name(), row.message);
    }
    const std::string name = open.study.experiments[i].name;
    table.row({name.empty() ? open.study.title : name, std::to_string(jobs), std::to_string(rows),
               std::to_string(without)});
  }
  const std::size_t other = other_rows(open.plan, open.results);
  std::string text = table.text() + why;
  if (other > 0) {
    text += fmt::format("{} of other options, files or programs in the same folder\n",
                        counted(other, "row", "rows"));
  }
  print(text);
  return Exit::Done;
}

// ---------------------------------------------------------------- table

struct TableArguments {
  StudyArguments study;
  std::optional<std::string> table;
  std::optional<std::string> csv, json, latex, counterexamples;
};

void declare_table(CommandLine& line, TableArguments& arguments) {
  line.describe(
      "The tables of a study, from the rows there are: medians over the seeds, with the range "
      "where "
      "they differ. Below each stands where it came from: program, commit, machine, options.",
      "  rnnalf study table examples/studies/tomita.toml --csv tomita.csv --latex tomita.tex\n");
  declare_study(line, arguments.study);
  line.option("table", "NAME", "this table of the study alone", arguments.table);
  line.option("csv", "FILE", "a row per extraction; - is standard output", arguments.csv);
  line.option("json", "FILE", "the same as JSON", arguments.json);
  line.option("latex", "FILE", "the tables for LaTeX (booktabs)", arguments.latex);
  line.option("counterexamples", "FILE",
              "CSV of the counterexamples of every extraction, with the time each was found",
              arguments.counterexamples);
}

std::vector<TableSpec> tables_of(const Study& study, const std::optional<std::string>& wanted) {
  std::vector<TableSpec> tables = study.tables;
  if (tables.empty()) tables.push_back({});
  if (!wanted) return tables;
  std::vector<std::string_view> names;
  for (const TableSpec& table : tables) {
    if (table.name == *wanted) return {table};
    names.push_back(table.name);
  }
  throw UsageError(fmt::format("--table: expected a table of the study, found {}{}",
                               in_quotes(*wanted), suggestion("", *wanted, names)));
}

std::vector<ComparisonCell> cells_of(const std::vector<StudyRow>& rows) {
  std::vector<ComparisonCell> cells;
  for (const StudyRow& row : rows) cells.push_back(row.cell);
  return cells;
}

std::string counterexamples_csv(const OpenStudy& open) {
  std::string text =
      "experiment,network,method,learner,chain,seed,number,word,at_seconds,seconds,answer,target,"
      "oracle\n";
  for (const auto& [experiment, row] : open.rows) {
    const ComparisonCell& cell = row.cell;
    for (std::size_t i = 0; i < row.counterexamples.size(); ++i) {
      const FoundWord& word = row.counterexamples[i];
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                          open.study.experiments[experiment].name, csv_field(cell.network),
                          csv_field(cell.method.text()), cell.learner, csv_field(cell.oracle),
                          cell.seed, i + 1, csv_field(word.word), word.at_seconds, word.seconds,
                          csv_field(word.answer), csv_field(word.target.value_or("")),
                          csv_field(word.oracle));
    }
  }
  return text;
}

Exit run_table(const TableArguments& arguments) {
  Outputs outputs({{"--csv", arguments.csv},
                   {"--json", arguments.json},
                   {"--latex", arguments.latex},
                   {"--counterexamples", arguments.counterexamples}},
                  Inputs().add("the study", arguments.study.file));
  const OpenStudy open = open_study_with_rows(arguments.study);
  const std::vector<TableSpec> tables = tables_of(open.study, arguments.table);
  std::string text;
  std::string latex;
  for (const TableSpec& table : tables) {
    const std::vector<StudyRow> rows = rows_of_experiment(open, table.experiment);
    const std::vector<ComparisonCell> cells = cells_of(rows);
    if (tables.size() > 1) {
      text += (text.empty() ? "" : "\n") + table.name + "\n\n";
      // Without the blank line LaTeX would put them into one paragraph, side by side.
      latex += (latex.empty() ? "% " : "\n% ") + table.name + "\n";
    }
    if (!table.lists_extractions() && !rows.empty()) {
      const PlainTable plain = study_table(table, rows);
      text += plain_text(plain, text_style(1).width);
      latex += plain_latex(plain);
    } else {
      text += comparison_text(cells, table.columns, text_style(1));
      latex += comparison_latex(cells, table.columns);
    }
    for (const std::string& note : provenance(open.study, rows)) {
      for (const std::string& line : wrapped(note, text_style(1).width)) text += line + "\n";
      latex += "% " + printable(note, true) + "\n";
    }
  }
  const std::vector<ComparisonCell> all = cells_of(rows_of_experiment(open, ""));
  outputs.write(arguments.csv, [&] { return comparison_csv(all); });
  outputs.write(arguments.json, [&] {
    return comparison_json(
        {"rnnalf study run " + shell_quoted(arguments.study.file), program_identity().text(), all});
  });
  outputs.write(arguments.latex, [&] { return latex; });
  outputs.write(arguments.counterexamples, [&] { return counterexamples_csv(open); });
  if (!outputs.took_stdout()) outputs.attempt([&] { print(text); });
  outputs.finish();
  return Exit::Done;
}

// ---------------------------------------------------------------- plot

struct PlotArguments {
  StudyArguments study;
  std::string out = ".";
  std::optional<std::string> figure;
};

void declare_plot(CommandLine& line, PlotArguments& arguments) {
  line.describe(
      "The figures of a study as NAME.svg and NAME.pdf, from the rows there are; where the study "
      "asks for none: solved over time, agreement over length, and size over time. Below each "
      "stands where it came from: program, commit, machine, options.",
      "  rnnalf study plot examples/studies/tomita.toml --out figures\n");
  declare_study(line, arguments.study);
  line.option("out", "FOLDER", "where files go (default: here)", Text{}, arguments.out);
  line.option("figure", "NAME", "this figure of the study alone", arguments.figure);
}

Exit run_plot(const PlotArguments& arguments) {
  const OpenStudy open = open_study_with_rows(arguments.study);
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error) throw FileError(arguments.out, "cannot write: " + error.message());
  std::string written;
  bool found = false;
  for (const FigureSpec& figure : figures_of(open.study)) {
    if (arguments.figure && figure.name != *arguments.figure) continue;
    found = true;
    for (const auto& [name, script] :
         scripts_of(open.study, figure, rows_of_experiment(open, figure.experiment))) {
      for (const auto& [extension, text] :
           {std::pair{".svg", svg_figure(script)}, std::pair{".pdf", pdf_figure(script)}}) {
        const std::string file = (fs::path(arguments.out) / (name + extension)).string();
        write_output(file, text);
        written += file + "\n";
      }
    }
  }
  if (!found) {
    throw UsageError(fmt::format("--figure: expected a figure of the study, found {}",
                                 in_quotes(arguments.figure.value_or(""))));
  }
  print(written);
  return Exit::Done;
}

// ---------------------------------------------------------------- report, bundle

struct FileArguments {
  StudyArguments study;
  std::string out;
};

void declare_report(CommandLine& line, FileArguments& arguments) {
  line.describe(
      "One self-contained HTML page: all rows in a table that can be sorted, the study's figures, "
      "counterexamples with the time each was found, jobs without a result.",
      "  rnnalf study report examples/studies/tomita.toml --out tomita.html\n");
  declare_study(line, arguments.study);
  arguments.out = "-";
  line.option("out", "FILE", "the page", Text{}, arguments.out);
}

Exit run_report(const FileArguments& arguments) {
  const Outputs outputs({{"--out", arguments.out}},
                        Inputs().add("the study", arguments.study.file));
  const OpenStudy open = open_study_with_rows(arguments.study);
  write_output(arguments.out, study_html(open.study, open.rows,
                                         "rnnalf study run " + shell_quoted(arguments.study.file)));
  return Exit::Done;
}

void declare_bundle(CommandLine& line, FileArguments& arguments) {
  line.describe(
      "Packs study file, networks and all other files it reads, rows, and the hash of each into a "
      "tar archive, from which another group repeats the study; rnnalf study diff compares.",
      "  rnnalf study bundle examples/studies/tomita.toml --out tomita.tar\n");
  declare_study(line, arguments.study);
  arguments.out = "-";
  line.option("out", "FILE", "the archive", Text{}, arguments.out);
}

Exit run_bundle(const FileArguments& arguments) {
  const Outputs outputs({{"--out", arguments.out}},
                        Inputs().add("the study", arguments.study.file));
  const OpenStudy open = open_study(arguments.study);
  write_output(arguments.out, study_bundle(open.study, open.plan, open.results));
  return Exit::Done;
}

// ---------------------------------------------------------------- diff

struct DiffArguments {
  std::string first, second;
};

void declare_diff(CommandLine& line, DiffArguments& arguments) {
  line.describe(
      "Compares two runs of a study, extraction by extraction: everything that was counted, not "
      "how "
      "long it took. Each of the two is a study file, a folder of results or a bundle. Exit code "
      "0: the same, but for extractions that a clock ended; 1: not the same.",
      "  rnnalf study diff theirs.tar examples/studies/tomita.toml\n");
  line.operand("FIRST", arguments.first);
  line.operand("SECOND", arguments.second);
}

Exit run_diff(const DiffArguments& arguments) {
  const StudyDiff diff =
      study_diff(rows_to_compare(arguments.first), rows_to_compare(arguments.second));
  print(diff_text(diff));
  return diff.agrees() ? Exit::Done : Exit::Failure;
}

}  // namespace

Command study_check_command() {
  return make_command("study check", "what a study file asks for", declare_check, run_check);
}
Command study_keys_command() {
  return make_command("study keys", "every key that a study file may have", declare_keys, run_keys);
}
Command study_status_command() {
  return make_command("study status", "what is done, and what died of what", declare_status,
                      run_status);
}
Command study_table_command() {
  return make_command("study table", "its tables: text, CSV, JSON, LaTeX", declare_table,
                      run_table);
}
Command study_plot_command() {
  return make_command("study plot", "its figures: SVG and PDF", declare_plot, run_plot);
}
Command study_report_command() {
  return make_command("study report", "its HTML page", declare_report, run_report);
}
Command study_bundle_command() {
  return make_command("study bundle", "all that is needed to repeat it, in one file",
                      declare_bundle, run_bundle);
}
Command study_diff_command() {
  return make_command("study diff", "two runs of a study, compared", declare_diff, run_diff);
}

}  // namespace rnnalf::cli
