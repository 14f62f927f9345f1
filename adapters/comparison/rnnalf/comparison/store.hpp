#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/fnv.hpp"
#include "rnnalf/report/comparison.hpp"

namespace rnnalf {

/// A file to which finished cells are added as they end, so that a comparison
/// that was stopped continues where it was. A line of JSON each, with a checksum.
///
/// Several runs may add to one file at the same time: each line is written whole, by one at a time,
/// and is on the disk when `add` returns. Lines that are damaged are left alone; their cells are
/// run again. A file that is no store is refused and not touched.
class ComparisonStore {
 public:
  /// Reads what is there; a new file is created. No path: nothing is kept. Throws FileError.
  explicit ComparisonStore(std::string path);
  ComparisonStore(const ComparisonStore&) = delete;
  ComparisonStore& operator=(const ComparisonStore&) = delete;
  ~ComparisonStore();

  /// The numbers of the lines that cannot be used, the first line of the file is 1.
  [[nodiscard]] const std::vector<std::size_t>& damaged_lines() const { return damaged_; }

  /// The finished cell that was run in the same way on the same files; none: null.
  [[nodiscard]] const ComparisonCell* find(const ComparisonCell& cell) const;
  /// Throws FileError when it cannot be written, such as on a full disk.
  void add(const ComparisonCell& cell);

 private:
  void append(std::string line);

  std::string path_;
  int descriptor_ = -1;
  std::map<std::string, ComparisonCell> cells_;  // by key
  std::vector<std::size_t> damaged_;
};

/// A checksum that tells versions of files apart (FNV-1a, 64 bits); no protection against malice.
class Checksum {
 public:
  void add(std::string_view bytes);
  [[nodiscard]] std::string text() const;  ///< 16 hexadecimal digits

 private:
  std::uint64_t hash_ = kFnvStart;
};

}  // namespace rnnalf
