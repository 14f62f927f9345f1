#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rnnalf/tensors/bytes.hpp"

namespace rnnalf::tensors {

/// The entries of a zip archive as torch and Keras write it: stored, never compressed; zip64 where
/// large.
///
/// Why this reader is ours: entries are views, so a weight is not copied twice; each byte of the
/// file is checked once, so a hostile one costs no more than its size; and messages name the entry.
/// Entries are views into the file's bytes, which must outlive the archive.
class ZipArchive {
 public:
  /// Throws NetworkFileError when the directory is damaged; entries are checked when asked for.
  ZipArchive(Bytes bytes, std::string file);

  /// Content of an entry. Throws when there is none, when it is compressed or encrypted, leaves
  /// the file, or does not have the checksum that was written with it.
  [[nodiscard]] Bytes entry(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return entries_.contains(name); }
  /// The one entry whose name ends so; empty when there is none or more than one.
  [[nodiscard]] std::string_view unique_name_ending(std::string_view ending) const;

 private:
  struct Entry {
    std::uint64_t header = 0;  ///< where its local header starts
    std::uint64_t size = 0;
    std::uint64_t stored_size = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0;
    bool encrypted = false;
  };
  struct Directory {
    std::uint64_t start = 0;
    std::uint64_t count = 0;
  };

  [[nodiscard]] Directory find_directory() const;
  void read_directory(const Directory& directory);
  [[noreturn]] void refuse(const std::string& message) const;

  Bytes bytes_;
  std::string file_;
  std::map<std::string_view, Entry> entries_;
};

}  // namespace rnnalf::tensors
