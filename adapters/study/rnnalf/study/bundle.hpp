#pragma once

#include <string>
#include <vector>

#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// Everything that another group needs to repeat a study, as a tar archive: the study file, every
/// file that it reads, the rows, and MANIFEST.sha256 (sha256sum -c). Files stand where they stand
/// relative to each other, and absolute names in the study file become relative ones, so that the
/// study runs from the unpacked folder as it is. Throws FileError, DamagedRow.
[[nodiscard]] std::string study_bundle(const Study& study, const StudyPlan& plan,
                                       const StudyResults& results);

/// The manifest of the bundle that a study file was unpacked from: in its folder or one above it.
[[nodiscard]] std::optional<std::filesystem::path> bundle_manifest(const Study& study);

/// Rows to compare: of a study file's results, of a folder of results, or of a bundle, whose hashes
/// are checked. Throws FileError.
[[nodiscard]] std::vector<StudyRow> rows_to_compare(const std::filesystem::path& source);

/// A pair of rows of the same extraction that are not the same.
struct RowDifference {
  std::string what = {};    ///< network, way, seed
  std::string fields = {};  ///< name: first, second; ...
  bool by_clock = false;    ///< one of them ended by a clock or for lack of memory
};

struct StudyDiff {
  std::size_t same = 0;
  std::vector<RowDifference> different = {};
  std::vector<std::string> only_first = {};
  std::vector<std::string> only_second = {};
  double seconds_first = 0;  ///< of the extractions that both have
  double seconds_second = 0;

  [[nodiscard]] bool agrees() const;  ///< no row is missing, none differs but for a clock
};

/// Compares what was counted, not how long it took or with which program: extractions are the same
/// when options, seed and contents of the files are.
[[nodiscard]] StudyDiff study_diff(const std::vector<StudyRow>& first,
                                   const std::vector<StudyRow>& second);

/// For people.
[[nodiscard]] std::string diff_text(const StudyDiff& diff);

}  // namespace rnnalf
