// Zip archives as torch and Keras write them: entries are stored, not compressed. They are asked
// for by name and are views of the file, so that weights are not copied. Why this reader is ours:
// libarchive gives one entry after the other, as a stream.

#include "rnnalf/tensors/zip_archive.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <utility>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::tensors {
namespace {

constexpr std::uint64_t kLocalHeader = 0x04034b50;
constexpr std::uint64_t kDirectoryEntry = 0x02014b50;
constexpr std::uint64_t kEnd = 0x06054b50;
constexpr std::uint64_t kEnd64 = 0x06064b50;
constexpr std::uint64_t kEnd64Locator = 0x07064b50;
constexpr std::size_t kEndSize = 22;
constexpr std::uint64_t kIn64 = 0xffffffff;  // "see the zip64 field"

}  // namespace

ZipArchive::ZipArchive(Bytes bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  read_directory(find_directory());
}

void ZipArchive::refuse(const std::string& message) const {
  throw NetworkFileError(file_, message);
}

ZipArchive::Directory ZipArchive::find_directory() const {
  // The end record is followed by a comment of at most 65535 bytes that it states the length of.
  constexpr std::size_t longest_comment = 0xffff;
  for (std::size_t comment = 0; comment <= longest_comment; ++comment) {
    if (bytes_.size() < kEndSize + comment) break;
    const std::size_t end = bytes_.size() - kEndSize - comment;
    if (little_endian(bytes_, end, 4) != kEnd) continue;
    if (little_endian(bytes_, end + 20, 2) != comment) continue;

    Directory directory{little_endian(bytes_, end + 16, 4), little_endian(bytes_, end + 10, 2)};
    if (end >= 20 && little_endian(bytes_, end - 20, 4) == kEnd64Locator) {
      const std::uint64_t at = little_endian(bytes_, end - 12, 8);
      if (!within(bytes_, at, 56) || little_endian(bytes_, at, 4) != kEnd64) {
        refuse(
            fmt::format("zip archive: expected its zip64 end record at byte {}, found none", at));
      }
      directory = {little_endian(bytes_, at + 48, 8), little_endian(bytes_, at + 32, 8)};
    }
    return directory;
  }
  refuse("zip archive: expected a directory at its end, found none; the file is cut off");
}

void ZipArchive::read_directory(const Directory& directory) {
  std::uint64_t at = directory.start;
  std::uint64_t room = bytes_.size();
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    const auto damaged = [&]() {
      refuse(fmt::format("zip archive: expected directory entry {} of {} at byte {}, found none",
                         i + 1, directory.count, at));
    };
    if (!within(bytes_, at, 46) || little_endian(bytes_, at, 4) != kDirectoryEntry) damaged();
    const std::size_t name_size = little_endian(bytes_, at + 28, 2);
    const std::size_t extra_size = little_endian(bytes_, at + 30, 2);
    const std::size_t comment_size = little_endian(bytes_, at + 32, 2);
    if (!within(bytes_, at + 46, name_size + extra_size + comment_size)) damaged();

    Entry entry;
    entry.encrypted = (little_endian(bytes_, at + 8, 2) & 1U) != 0;
    entry.method = static_cast<std::uint16_t>(little_endian(bytes_, at + 10, 2));
    entry.checksum = static_cast<std::uint32_t>(little_endian(bytes_, at + 16, 4));
    entry.stored_size = little_endian(bytes_, at + 20, 4);
    entry.size = little_endian(bytes_, at + 24, 4);
    entry.header = little_endian(bytes_, at + 42, 4);

    // Extra field 1 holds, as 8 bytes each, those of the three numbers that say "see zip64".
    const std::uint64_t extra_end = at + 46 + name_size + extra_size;
    for (std::uint64_t extra = at + 46 + name_size; extra + 4 <= extra_end;) {
      const std::uint64_t kind = little_endian(bytes_, extra, 2);
      std::uint64_t from = extra + 4;
      extra = from + little_endian(bytes_, extra + 2, 2);
      if (kind != 1 || extra > extra_end) continue;
      for (std::uint64_t* number : {&entry.size, &entry.stored_size, &entry.header}) {
        if (*number == kIn64 && from + 8 <= extra) {
          *number = little_endian(bytes_, from, 8);
          from += 8;
        }
      }
    }

    const std::string_view name = text_at(bytes_, at + 46, name_size);
    // Entries that share bytes would let a small file ask for much more work than its size.
    if (entry.stored_size > room) {
      refuse(
          fmt::format("zip entry {}: expected at most {} bytes, what the other entries leave of "
                      "the file, found {}",
                      quoted(name), room, entry.stored_size));
    }
    room -= entry.stored_size;
    if (!entries_.emplace(name, entry).second) {
      refuse("zip archive: expected entries with different names, found " + quoted(name) +
             " twice");
    }
    at = extra_end + comment_size;
  }
}

Bytes ZipArchive::entry(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    refuse("zip archive: expected an entry " + quoted(name) + ", found none");
  }
  const Entry& entry = found->second;
  const std::string what = "zip entry " + quoted(name) + ": ";
  if (entry.encrypted) refuse(what + "expected plain data, found it encrypted");
  if (entry.method != 0 || entry.stored_size != entry.size) {
    refuse(
        fmt::format("{}expected stored data, as torch and Keras write it, found it compressed "
                    "(method {}); unpack the archive and pack it with zip -0 -r",
                    what, entry.method));
  }
  if (!within(bytes_, entry.header, 30) || little_endian(bytes_, entry.header, 4) != kLocalHeader) {
    refuse(fmt::format("{}expected its header at byte {}, found none", what, entry.header));
  }
  const std::uint64_t start = entry.header + 30 + little_endian(bytes_, entry.header + 26, 2) +
                              little_endian(bytes_, entry.header + 28, 2);
  if (!within(bytes_, start, entry.size)) {
    refuse(fmt::format("{}expected {} bytes from byte {}, found the end of the file at {}", what,
                       entry.size, start, bytes_.size()));
  }
  const Bytes content = bytes_.subspan(start, entry.size);
  // A flipped bit in a weight would otherwise be a different network that looks fine.
  if (crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) !=
      entry.checksum) {
    refuse(what + "its content does not have the checksum saved with it; the file is damaged" +
           " (or was saved with torch.serialization.set_crc32_options(False))");
  }
  return content;
}

std::string_view ZipArchive::unique_name_ending(std::string_view ending) const {
  std::string_view unique;
  for (const auto& [name, entry] : entries_) {
    if (!name.ends_with(ending)) continue;
    if (!unique.empty()) return {};
    unique = name;
  }
  return unique;
}

}  // namespace rnnalf::tensors
