#include "rnnalf/comparison/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/report/comparison_json.hpp"

namespace rnnalf {
namespace {

constexpr std::string_view kFirstLine = R"({"format": "rnnalf.comparison-store/1"})";
constexpr std::size_t kChecksumDigits = 16;

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

}  // namespace

ComparisonStore::ComparisonStore(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::string text;
  if (std::filesystem::exists(path_)) {
    text = read_file(path_, std::numeric_limits<std::size_t>::max());
  }
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (number == 1 && line != kFirstLine) {
      throw FileError(
          path_ + ":1",
          fmt::format("expected a file that rnnalf compare --store made, beginning with "
                      "{}, found something else",
                      kFirstLine));
    }
    if (line == kFirstLine || line.empty()) continue;  // two runs may have begun the file
    if (auto cell = cell_of(line)) {
      std::string key = cell_key(*cell);
      cells_[std::move(key)] = std::move(*cell);
    } else {
      damaged_.push_back(number);
    }
  }

  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(path_, std::string("cannot write: ") + std::strerror(errno));
  // A run that was killed may have left half a line: ours begin on a fresh one.
  if (text.empty()) {
    append(std::string(kFirstLine) + "\n");
  } else if (text.back() != '\n') {
    append("\n");
  }
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

void ComparisonStore::append(const std::string& line) {
  // One call, to a file opened for appending: lines of several runs do not mix.
  ssize_t written = 0;
  do {
    written = ::write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) throw FileError(path_, std::string("cannot write: ") + std::strerror(errno));
  if (static_cast<std::size_t>(written) != line.size())
    throw FileError(path_, "cannot write: no space left on device");
}

void Checksum::add(std::string_view bytes) {
  // The size is where one part ends: "ab" and "c" are not "a" and "bc".
  hash_ = (fnv1a(bytes, hash_) ^ bytes.size()) * kFnvPrime;
}

std::string Checksum::text() const {
  return fmt::format("{:016x}", hash_);
}

}  // namespace rnnalf
