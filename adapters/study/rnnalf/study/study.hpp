#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/comparison/options.hpp"

namespace rnnalf {

/// A matrix of extractions: networks x ways x seeds. Files are as the study file names them, that
/// is relative to its folder; networks may be patterns.
struct Experiment {
  std::string name = {};  ///< empty: the study has one experiment without a name
  ComparisonOptions options = {};
  std::vector<std::uint64_t> seeds = {1};
};

/// What makes networks that are not there yet.
struct Training {
  std::string folder = {};                ///< where they go
  std::vector<std::string> names = {};    ///< NAME becomes folder/NAME.onnx
  std::vector<std::string> command = {};  ///< with {name} and {folder}, run in the study's folder
  std::chrono::duration<double> time{3600};
};

enum class FigureKind : std::uint8_t { Cactus, Agreement, Size, Scatter, Refuted };
enum class Cost : std::uint8_t { Seconds, Steps };
/// What is one line of a figure, or one row of a summary.
enum class By : std::uint8_t { Way, Learner, Oracle, Network };

struct TableSpec {
  std::string name = {};
  std::string experiment = {};            ///< empty: all of them
  std::vector<std::string> columns = {};  ///< none: those that fit
  std::optional<By> summary = {};         ///< a row for each of these, instead of each extraction
  std::optional<By> refutes = {};  ///< a row and a column for each: which finds what another missed
  std::optional<By> errors = {};   ///< the shortest error of each network that each of these found
  std::optional<std::uint64_t> words = {};  ///< the first counterexamples of each extraction

  /// A row for each extraction, and nothing else.
  [[nodiscard]] bool lists_extractions() const { return !summary && !refutes && !errors && !words; }
};

struct FigureSpec {
  std::string name = {};
  std::string experiment = {};  ///< empty: all of them
  FigureKind kind = FigureKind::Cactus;
  Cost over = Cost::Seconds;
  By by = By::Way;
  std::string x = {}, y = {};  ///< of a scatter plot: labels of two ways to extract
};

/// What every job may take, beside the limits of its extraction. Not part of what a result is.
struct JobLimits {
  /// None: twice its time limit, and 10 minutes in which its result is measured.
  std::optional<std::chrono::duration<double>> time = {};
  std::optional<std::uint64_t> memory = {};  ///< none: its memory limit and 1 GiB
};

struct SlurmSpec {
  std::vector<std::string> options = {};  ///< of sbatch, such as --partition=long
  std::uint64_t queued = 1000;            ///< jobs of the study in the queue at once
  std::uint64_t per_task = 1;  ///< jobs that one task runs, one after the other: for short ones
};

/// A study file, read.
struct Study {
  std::string file = {};  ///< its name, for messages
  std::string text = {};
  std::filesystem::path folder = {};  ///< that its files are relative to
  std::string title = {};
  std::vector<Experiment> experiments = {};
  std::optional<Training> training = {};
  std::vector<TableSpec> tables = {};
  std::vector<FigureSpec> figures = {};
  JobLimits job = {};
  SlurmSpec slurm = {};
};

/// Reads a study file. Opens no other file. Throws FileError with file, line, key, expected, found.
[[nodiscard]] Study read_study(const std::filesystem::path& file);
/// The same from its text; `folder` is what its files are relative to.
[[nodiscard]] Study parse_study(std::string text, const std::string& file,
                                const std::filesystem::path& folder);

/// A key of study files.
struct StudyKey {
  std::string section;  ///< `experiment` for those at the top and in [[experiment]]; `train`, ...
  std::string name;
  std::string value;  ///< what to write: `"D"`, `[N, ...]`
  std::string help;
  std::string default_value;
};

/// All of them, for `rnnalf study keys` and the documentation.
[[nodiscard]] std::vector<StudyKey> study_keys();

/// How long a job with these options may take, and how much memory.
[[nodiscard]] std::chrono::duration<double> job_time(const Study& study,
                                                     const ExtractionOptions& options);
[[nodiscard]] std::uint64_t job_memory(const Study& study, const ExtractionOptions& options);

}  // namespace rnnalf
