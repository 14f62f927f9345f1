#include "rnnalf/comparison/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/report/comparison_json.hpp"

namespace rnnalf {
namespace {

constexpr std::string_view kFirstLine = R"({"format": "rnnalf.comparison-store/1"})";
constexpr std::size_t kChecksumDigits = 16;
constexpr std::size_t kLargestStore = std::size_t{1} << 32U;

/// `CHECKSUM CELL`, without a line feed.
std::string line_of(const ComparisonCell& cell) {
  const std::string json = cell_json(cell);
  Checksum checksum;
  checksum.add(json);
  return checksum.text() + " " + json;
}

std::optional<ComparisonCell> cell_of(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ') return std::nullopt;
  const std::string_view json = line.substr(kChecksumDigits + 1);
  Checksum checksum;
  checksum.add(json);
  if (checksum.text() != line.substr(0, kChecksumDigits)) return std::nullopt;
  return parse_cell(json);
}

/// Whether the file is empty or its first line is that of a store.
bool begins_as_store(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, std::strerror(errno));
  std::string first(kFirstLine.size() + 1, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  return first.empty() || first == std::string(kFirstLine) + "\n" || first == kFirstLine;
}

/// While it exists, no other process that asks for it has the file.
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { ::flock(descriptor_, LOCK_UN); }

 private:
  int descriptor_;
};

}  // namespace

ComparisonStore::ComparisonStore(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  // A file that is no store is not read to its end: it may have none.
  if (std::filesystem::exists(path_) && !begins_as_store(path_)) {
    throw FileError(path_ + ":1",
                    fmt::format("expected a file that rnnalf compare --store made, beginning with "
                                "{}, found something else",
                                kFirstLine));
  }
  std::string text;
  if (std::filesystem::exists(path_)) text = read_file(path_, kLargestStore);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line == kFirstLine || line.empty()) continue;  // two runs may have begun the file
    if (auto cell = cell_of(line)) {
      std::string key = cell_key(*cell);
      cells_[std::move(key)] = std::move(*cell);
    } else {
      damaged_.push_back(number);
    }
  }

  descriptor_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(path_, std::string("cannot write: ") + std::strerror(errno));
  if (text.empty()) append(std::string(kFirstLine) + "\n");
}

ComparisonStore::~ComparisonStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

const ComparisonCell* ComparisonStore::find(const ComparisonCell& cell) const {
  if (cells_.empty()) return nullptr;
  const auto found = cells_.find(cell_key(cell));
  return found == cells_.end() ? nullptr : &found->second;
}

void ComparisonStore::add(const ComparisonCell& cell) {
  if (descriptor_ >= 0) append(line_of(cell) + "\n");
}

void ComparisonStore::append(std::string line) {
  // One writer at a time: lines of several runs do not mix, and what one of them could not write to
  // the end (a full disk, a kill) is taken back, or ended before the next line begins.
  const FileLock lock(descriptor_);
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(descriptor_, &last, 1, size - 1) == 1 && last != '\n') line = "\n" + line;
  ssize_t written = 0;
  do {
    written = ::write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  int error = written < 0 ? errno : ENOSPC;
  if (written == static_cast<ssize_t>(line.size())) {
    // A row is done when it is on the disk, not when the system has heard of it.
    if (::fsync(descriptor_) == 0 || errno == EINVAL) return;  // a pipe or a device has no disk
    error = errno;
  }
  // Where the file cannot be cut either, half a line stays; readers know what that is.
  static_cast<void>(::ftruncate(descriptor_, size) == 0);
  throw FileError(path_, std::string("cannot write: ") + std::strerror(error));
}

void Checksum::add(std::string_view bytes) {
  // The size is where one part ends: "ab" and "c" are not "a" and "bc".
  hash_ = (fnv1a(bytes, hash_) ^ bytes.size()) * kFnvPrime;
}

std::string Checksum::text() const {
  return fmt::format("{:016x}", hash_);
}

}  // namespace rnnalf
