#include "rnnalf/study/bundle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/comparison/program.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "rnnalf/report/quantities.hpp"
#include "rnnalf/study/figures.hpp"
#include "rnnalf/study/tar.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "MANIFEST.sha256";
constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

/// The folder that all of them are in.
fs::path common_folder(const std::vector<fs::path>& files) {
  fs::path common = files.front().parent_path();
  for (const fs::path& file : files) {
    while (file.lexically_relative(common).string().starts_with("..")) {
      common = common.parent_path();
    }
  }
  return common;
}

std::string repeat_text(const std::string& study, const std::vector<std::string>& provenance) {
  std::string text = fmt::format(
      "To repeat this study with rnnalf:\n\n"
      "  sha256sum --check {0}     the files are what they were\n"
      "  rnnalf study table {1}    the rows that came with it, with a program of the same bits\n"
      "  mv {2} theirs.results\n"
      "  rnnalf study run {1}      everything again\n"
      "  rnnalf study diff theirs.results {1}\n\n",
      kManifest, study, fs::path(study).replace_extension(".results").string());
  for (const std::string& note : provenance) text += note + "\n";
  return text;
}

std::vector<StudyRow> rows_in(const fs::path& results) {
  const StudyResults folder(results);
  std::vector<StudyRow> rows;
  for (const std::string& key : folder.keys()) {
    if (auto row = folder.row(key)) rows.push_back(std::move(*row));
  }
  if (rows.empty()) {
    throw FileError((results / "rows").string(), "expected rows of a study, found none");
  }
  return rows;
}

std::vector<StudyRow> rows_in_bundle(const fs::path& file) {
  const std::vector<NamedBytes> files = tar_files(read_file(file, kAnySize), file.string());
  std::map<std::string, std::string> hashes;
  std::vector<StudyRow> rows;
  for (const auto& [name, bytes] : files) {
    const std::string inside = name.substr(name.find('/') + 1);
    if (inside != kManifest) continue;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      if (end - at > 66) hashes[bytes.substr(at + 66, end - at - 66)] = bytes.substr(at, 64);
      at = end + 1;
    }
  }
  for (const auto& [name, bytes] : files) {
    const std::string inside = name.substr(name.find('/') + 1);
    if (inside == kManifest) continue;
    if (hashes[inside] != sha256(bytes)) {
      throw FileError(file.string(),
                      fmt::format("{}: expected the hash in {}, found another", inside, kManifest));
    }
    if (!inside.ends_with(".row")) continue;
    auto row = parse_row(bytes);
    if (!row) throw DamagedRow(fmt::format("{}, {}", file.string(), inside));
    rows.push_back(std::move(*row));
  }
  if (rows.empty()) throw FileError(file.string(), "expected rows of a study, found none");
  return rows;
}

/// What the extraction is. Does not depend on who ran it or where its files are.
std::string identity(const StudyRow& row) {
  ComparisonCell cell = row.cell;
  cell.program.clear();
  cell.network = fs::path(cell.network).filename().string();
  return cell_key(cell);
}

std::string shown(const StudyRow& row) {
  const ComparisonCell& cell = row.cell;
  return fmt::format("{}, {}, seed {}", fs::path(cell.network).filename().string(), cell.way(),
                     cell.seed);
}

bool ended_by_clock(const ComparisonCell& cell) {
  return !cell.has_result() || cell.verdict == RunVerdict::TimeLimit ||
         cell.verdict == RunVerdict::MemoryLimit;
}

/// Names and values of what differs.
std::string differing_fields(const StudyRow& first, const StudyRow& second) {
  constexpr std::array not_compared = {"network", "program", "seconds"};
  const Json a = Json::parse(cell_json(first.cell));
  const Json b = Json::parse(cell_json(second.cell));
  std::vector<std::string> fields;
  for (const auto& [name, value] : a.items()) {
    if (std::find(not_compared.begin(), not_compared.end(), name) != not_compared.end()) continue;
    if (b.at(name) == value) continue;
    const bool large = value.is_array() || value.is_object();
    fields.push_back(large ? name
                           : fmt::format("{} {} and {}", name, value.dump(), b[name].dump()));
  }
  // Rows of earlier programs have no automaton.
  const bool both = !first.dfa.empty() && !second.dfa.empty();
  if (both && first.dfa != second.dfa) fields.emplace_back("automaton");
  return fmt::format("{}", fmt::join(fields, ", "));
}

/// By identity; of several programs' rows in one folder this program's are taken, else the last.
std::map<std::string, const StudyRow*> by_identity(const std::vector<StudyRow>& rows) {
  std::map<std::string, const StudyRow*> result;
  for (const StudyRow& row : rows) {
    const auto [found, is_new] = result.emplace(identity(row), &row);
    if (!is_new && found->second->cell.program != program_identity().text()) found->second = &row;
  }
  return result;
}

/// Absolute names of files, made relative to a folder.
struct Relative {
  fs::path folder;

  [[nodiscard]] std::string name(const std::string& file) const {
    const fs::path path(file);
    return path.is_absolute() ? path.lexically_normal().lexically_relative(folder).string() : file;
  }

  [[nodiscard]] ComparisonCell cell(ComparisonCell cell) const {
    cell.network = name(cell.network);
    for (auto& [option, value] : cell.options) {
      if (option == "vocabulary") value = name(std::get<std::string>(value));
    }
    return cell;
  }

  /// The study file with relative names. All else stays as it is, comments too.
  [[nodiscard]] std::string text(const Study& study) const {
    std::string text = study.text;
    for (const std::string& file : absolute_files(study)) {
      for (const char quote : {'"', '\''}) {
        text = replaced(std::move(text), quote + file + quote, quote + name(file) + quote);
      }
    }
    const auto left = absolute_files(parse_study(text, study.file, study.folder));
    if (left.empty()) return text;
    throw FileError(study.file,
                    fmt::format("{} cannot be made relative to the study file. Write it "
                                "without escape sequences, or relative",
                                in_quotes(left.front())));
  }

 private:
  static std::vector<std::string> absolute_files(const Study& study) {
    std::vector<std::string> files;
    for (const Experiment& experiment : study.experiments) {
      const ComparisonOptions& options = experiment.options;
      for (const auto* const some :
           {&options.networks, &options.words, &options.samples, &options.milestones}) {
        files.insert(files.end(), some->begin(), some->end());
      }
      for (const auto& [network, file] : options.targets) files.push_back(file);
      files.push_back(options.network.read.vocabulary.string());
      files.push_back(options.network.read.probes.string());
    }
    if (study.training) files.push_back(study.training->folder);
    std::erase_if(files, [](const std::string& file) { return !fs::path(file).is_absolute(); });
    return files;
  }
};

}  // namespace

std::optional<fs::path> bundle_manifest(const Study& study) {
  for (fs::path folder = fs::weakly_canonical(study.folder);; folder = folder.parent_path()) {
    if (fs::exists(folder / kManifest)) return folder / kManifest;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

std::string study_bundle(const Study& study, const StudyPlan& plan, const StudyResults& results) {
  const fs::path study_file = (study.folder / fs::path(study.file).filename()).lexically_normal();
  const Relative relative{study_file.parent_path()};
  std::vector<fs::path> all = {study_file};
  for (const fs::path& file : plan.inputs) all.push_back(file.lexically_normal());
  const fs::path folder = common_folder(all);
  const auto place = [&](const fs::path& file) { return file.lexically_relative(folder).string(); };
  std::vector<NamedBytes> files;
  for (const fs::path& file : all) {
    files.emplace_back(place(file),
                       file == study_file ? relative.text(study) : read_file(file, kAnySize));
  }
  // Where the unpacked study file looks for them, wherever they are now.
  const StudyResults packed(results_folder(study_file));
  std::set<std::string> seen;
  std::vector<StudyRow> rows;
  for (const StudyJob& job : plan.jobs) {
    if (!seen.insert(job.key).second) continue;
    auto row = results.row(job.key);
    if (!row) continue;
    row->cell = relative.cell(std::move(row->cell));
    files.emplace_back(place(packed.row_file(job_key(relative.cell(job.cell)))), row_line(*row));
    rows.push_back(std::move(*row));
  }
  const std::string inside = place(study_file);
  files.emplace_back("REPEAT.txt", repeat_text(inside, provenance(study, rows)));
  std::sort(files.begin(), files.end());
  std::string manifest;
  for (const auto& [name, bytes] : files) manifest += fmt::format("{}  {}\n", sha256(bytes), name);
  files.emplace_back(kManifest, std::move(manifest));
  const std::string root = study_file.stem().string();
  for (auto& [name, bytes] : files) name = root + "/" + name;
  return tar_archive(files);
}

std::vector<StudyRow> rows_to_compare(const fs::path& source) {
  if (fs::is_directory(source)) return rows_in(source);
  if (source.extension() == ".toml") return rows_in(results_folder(source));
  return rows_in_bundle(source);
}

bool StudyDiff::agrees() const {
  return only_first.empty() && only_second.empty() &&
         std::all_of(different.begin(), different.end(),
                     [](const RowDifference& one) { return one.by_clock; });
}

StudyDiff study_diff(const std::vector<StudyRow>& first, const std::vector<StudyRow>& second) {
  StudyDiff diff;
  const auto others = by_identity(second);
  const auto ones = by_identity(first);
  for (const auto& [key, row] : ones) {
    const auto found = others.find(key);
    if (found == others.end()) {
      diff.only_first.push_back(shown(*row));
      continue;
    }
    const StudyRow& other = *found->second;
    diff.seconds_first += row->cell.seconds;
    diff.seconds_second += other.cell.seconds;
    const std::string fields = differing_fields(*row, other);
    if (fields.empty()) {
      ++diff.same;
    } else {
      diff.different.push_back(
          {shown(*row), fields, ended_by_clock(row->cell) || ended_by_clock(other.cell)});
    }
  }
  for (const auto& [key, row] : others) {
    if (!ones.contains(key)) diff.only_second.push_back(shown(*row));
  }
  return diff;
}

std::string diff_text(const StudyDiff& diff) {
  std::string text;
  for (const RowDifference& one : diff.different) {
    text += fmt::format("{}: {}{}\n", one.what, one.fields,
                        one.by_clock ? " (ended by a clock, or without a result)" : "");
  }
  for (const std::string& what : diff.only_first) text += what + ": in the first alone\n";
  for (const std::string& what : diff.only_second) text += what + ": in the second alone\n";
  const std::size_t both = diff.same + diff.different.size();
  text += fmt::format(
      "{} in both: {} the same in all that was counted, {} different; {} in the first alone, {} in "
      "the second alone. Extraction took {:.1f} and {:.1f} s.\n",
      counted(both, "extraction", "extractions"), diff.same, diff.different.size(),
      diff.only_first.size(), diff.only_second.size(), diff.seconds_first, diff.seconds_second);
  return text;
}

}  // namespace rnnalf
