#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rnnalf/comparison/plan.hpp"
#include "rnnalf/study/study.hpp"

namespace rnnalf {

/// One process: an extraction, or the training of a network.
struct StudyJob {
  enum class Kind : std::uint8_t { Extract, Train };
  Kind kind = Kind::Extract;
  /// What is computed, as 32 hexadecimal digits: options, contents of the files, the program's
  /// bits. `train-NAME` for a training.
  std::string key = {};
  std::chrono::duration<double> time{0};  ///< it is ended after this
  std::uint64_t memory = 0;               ///< bytes; it gets no more

  std::size_t experiment = 0;  ///< position in the study
  std::string network = {};    ///< file, relative to the study's folder
  std::size_t way = 0;         ///< position in ways_to_extract
  std::uint64_t seed = 0;

  std::string name = {};  ///< of what is trained

  ComparisonCell cell = {};  ///< of an extraction: what it is; not written to plan files
};

/// What there is to do, in order.
struct StudyPlan {
  std::vector<StudyJob> trainings = {};  ///< networks that are not there yet
  /// Extractions; none while networks are missing, because what they are depends on their bytes.
  /// Where two experiments ask for the same one, it is here twice, with one key.
  std::vector<StudyJob> jobs = {};
  std::vector<std::filesystem::path> inputs = {};  ///< all files that were read, each once
  std::vector<std::string> notes = {};             ///< what users should be told about the files
  std::size_t networks = 0;                        ///< how many, in all experiments together
};

/// Reads every network and every other file of the study once. Throws FileError.
[[nodiscard]] StudyPlan plan_study(const Study& study);

/// The extraction of a job, with its network, read again: what the key promised, or FileError.
struct PlannedJob {
  ComparisonPlan plan;           ///< of this network alone
  PlannedExtraction extraction;  ///< of which this is one
};
[[nodiscard]] PlannedJob open_job(const Study& study, const StudyJob& job);

/// What identifies this extraction and its result.
[[nodiscard]] std::string job_key(const ComparisonCell& planned);

/// Where a training puts its network.
[[nodiscard]] std::filesystem::path trained_network(const Study& study, const std::string& name);

}  // namespace rnnalf
