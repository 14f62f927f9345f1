#include "rnnalf/study/plan.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/report/comparison_json.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyDigits = 32;

std::string in_folder(const Study& study, const std::string& file) {
  return fs::path(file).is_absolute() ? file : (study.folder / file).lexically_normal().string();
}

/// Files that match, as the pattern is written: relative to the study's folder, in order of names.
std::vector<std::string> existing(const Study& study, const std::string& pattern) {
  struct Found {
    glob_t paths{};
    ~Found() { ::globfree(&paths); }
  } found;
  // Not lexically normal: a .. after a link is the system's business.
  const bool absolute = fs::path(pattern).is_absolute();
  const std::string before = absolute ? "" : study.folder.string() + "/";
  // Special characters in the folder's own name are no part of the pattern.
  std::string quoted;
  for (const char c : before) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  std::vector<std::string> files;
  if (::glob((quoted + pattern).c_str(), 0, nullptr, &found.paths) != 0) return files;
  for (std::size_t i = 0; i < found.paths.gl_pathc; ++i) {
    files.push_back(std::string(found.paths.gl_pathv[i]).substr(before.size()));
  }
  return files;
}

/// The networks of an experiment, those to be trained included.
std::vector<std::string> networks_of(const Study& study, const Experiment& experiment) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& file) {
    if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(file);
  };
  for (const std::string& pattern : experiment.options.networks) {
    std::vector<std::string> files = existing(study, pattern);
    if (study.training) {
      for (const std::string& name : study.training->names) {
        const std::string file = (fs::path(study.training->folder) / (name + ".onnx")).string();
        if (::fnmatch(pattern.c_str(), file.c_str(), FNM_PATHNAME) == 0) files.push_back(file);
      }
      std::sort(files.begin(), files.end());
    }
    if (files.empty()) {
      throw FileError(study.file, fmt::format("networks: expected files that match {} in {}, found "
                                              "none",
                                              in_quotes(pattern), study.folder.string()));
    }
    for (const std::string& file : files) add(file);
  }
  return all;
}

/// The experiment's options for these networks, with the places of all files.
ComparisonOptions placed(const Study& study, const Experiment& experiment,
                         const std::vector<std::string>& networks) {
  ComparisonOptions options = experiment.options;
  options.networks = networks;
  for (auto* const files :
       {&options.networks, &options.words, &options.samples, &options.milestones}) {
    for (std::string& file : *files) file = in_folder(study, file);
  }
  for (auto& [name, file] : options.targets) file = in_folder(study, file);
  for (fs::path* const file : {&options.network.read.vocabulary, &options.network.read.probes}) {
    if (!file->empty()) *file = in_folder(study, file->string());
  }
  options.extraction.seed = experiment.seeds.front();
  options.repeat = 1;
  options.program = program_identity().text();
  return options;
}

/// All files that were read for the plan of these options.
void add_inputs(const ComparisonOptions& options, const ComparisonPlan& plan,
                std::set<fs::path>& inputs) {
  const auto add = [&](const fs::path& path) {
    if (!fs::is_directory(path)) {
      inputs.insert(path);
      return;
    }
    for (const auto& entry : fs::directory_iterator(path)) inputs.insert(entry.path());
  };
  for (const std::string& network : options.networks) {
    add(network);
    if (const auto target = target_file(network, options)) add(*target);
  }
  for (const ComparedNetwork& network : plan.networks) {
    for (const fs::path& file : network.beside) add(file);
  }
  for (const std::string& file : options.milestones) add(file);
  for (const auto* const files : {&options.words, &options.samples}) {
    for (const std::string& file : *files) {
      for (const std::string& network : options.networks) add(file_of_network(file, network));
    }
  }
  for (const fs::path& file : {options.network.read.vocabulary, options.network.read.probes}) {
    if (!file.empty()) add(file);
  }
}

/// Names of files are those of the study file: results do not depend on where the folder is.
ComparisonCell named_cell(ComparisonCell cell, const Experiment& experiment,
                          const std::string& network, std::uint64_t seed) {
  cell.network = network;
  cell.seed = seed;
  for (auto& [option, value] : cell.options) {
    if (option == "vocabulary") value = experiment.options.network.read.vocabulary.string();
  }
  return cell;
}

}  // namespace

fs::path trained_network(const Study& study, const std::string& name) {
  return in_folder(study, (fs::path(study.training->folder) / (name + ".onnx")).string());
}

std::string job_key(const ComparisonCell& planned) {
  return sha256(cell_key(planned)).substr(0, kKeyDigits);
}

StudyPlan plan_study(const Study& study) {
  StudyPlan result;
  std::vector<std::vector<std::string>> networks;
  for (const Experiment& experiment : study.experiments) {
    networks.push_back(networks_of(study, experiment));
    result.networks += networks.back().size();
  }
  if (study.training) {
    for (const std::string& name : study.training->names) {
      if (fs::exists(trained_network(study, name))) continue;
      StudyJob job;
      job.kind = StudyJob::Kind::Train;
      job.key = "train-" + name;
      job.name = name;
      job.time = study.training->time;
      job.memory = job_memory(study, {});
      result.trainings.push_back(std::move(job));
    }
    if (!result.trainings.empty()) return result;
  }
  std::set<fs::path> inputs;
  for (std::size_t e = 0; e < study.experiments.size(); ++e) {
    const Experiment& experiment = study.experiments[e];
    const ComparisonOptions options = placed(study, experiment, networks[e]);
    ComparisonPlan plan = plan_comparison(options);
    const std::size_t ways = plan.extractions.size() / plan.networks.size();
    for (std::size_t i = 0; i < plan.extractions.size(); ++i) {
      const PlannedExtraction& extraction = plan.extractions[i];
      for (const std::uint64_t seed : experiment.seeds) {
        StudyJob job;
        job.experiment = e;
        job.network = networks[e][extraction.network];
        job.way = i % ways;
        job.seed = seed;
        job.time = job_time(study, extraction.options);
        job.memory = job_memory(study, extraction.options);
        job.cell = named_cell(extraction.cell, experiment, job.network, seed);
        job.key = job_key(job.cell);
        result.jobs.push_back(std::move(job));
      }
    }
    add_inputs(options, plan, inputs);
    result.notes.insert(result.notes.end(), plan.notes.begin(), plan.notes.end());
  }
  result.inputs.assign(inputs.begin(), inputs.end());
  return result;
}

PlannedJob open_job(const Study& study, const StudyJob& job) {
  const Experiment& experiment = study.experiments.at(job.experiment);
  ComparisonPlan plan = plan_comparison(placed(study, experiment, {job.network}));
  PlannedExtraction extraction = plan.extractions.at(job.way);
  extraction.options.seed = job.seed;
  extraction.cell = named_cell(extraction.cell, experiment, job.network, job.seed);
  if (job_key(extraction.cell) != job.key) {
    throw FileError(in_folder(study, job.network),
                    "expected the network, the files next to it and the program as they were when "
                    "the study was planned, found others");
  }
  return {std::move(plan), std::move(extraction)};
}

}  // namespace rnnalf
