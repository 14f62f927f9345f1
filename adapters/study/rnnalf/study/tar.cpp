#include "rnnalf/study/tar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameSize = 100;
constexpr std::size_t kPrefixAt = 345;
constexpr std::size_t kPrefixSize = 155;
constexpr std::size_t kChecksumAt = 148;

/// The sum of the header's bytes, those of the checksum counted as spaces.
unsigned checksum(std::string_view header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool own = i >= kChecksumAt && i < kChecksumAt + 8;
    sum += own ? static_cast<unsigned>(' ') : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

/// The name in two fields, divided at a slash.
std::pair<std::string, std::string> divided(const std::string& name) {
  if (name.size() <= kNameSize) return {"", name};
  for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
    if (at <= kPrefixSize && name.size() - at - 1 <= kNameSize) {
      return {name.substr(0, at), name.substr(at + 1)};
    }
  }
  throw FileError(name, "expected a name that fits into a tar archive, found a longer one");
}

std::string header_of(const std::string& name, std::size_t size) {
  const auto [prefix, last] = divided(name);
  std::string header(kBlock, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(0, last);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(156, "0");
  put(257, std::string("ustar\0", 6) + "00");
  put(kPrefixAt, prefix);
  put(kChecksumAt, fmt::format("{:06o}", checksum(header)) + std::string("\0 ", 2));
  return header;
}

std::string text_at(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view field = header.substr(at, size);
  return std::string(field.substr(0, field.find('\0')));
}

}  // namespace

std::string tar_archive(const std::vector<NamedBytes>& files) {
  std::string archive;
  for (const auto& [name, bytes] : files) {
    archive += header_of(name, bytes.size());
    archive += bytes;
    archive.resize((archive.size() + kBlock - 1) / kBlock * kBlock, '\0');
  }
  archive.resize(archive.size() + 2 * kBlock, '\0');
  return archive;
}

std::vector<NamedBytes> tar_files(std::string_view bytes, const std::string& archive) {
  std::vector<NamedBytes> files;
  for (std::size_t at = 0; at + kBlock <= bytes.size();) {
    const std::string_view header = bytes.substr(at, kBlock);
    if (header.find_first_not_of('\0') == std::string_view::npos) return files;
    const auto place = fmt::format("{}, byte {}", archive, at);
    const std::string sum = text_at(header, kChecksumAt, 8);
    const std::string size_text = text_at(header, 124, 12);
    unsigned long found = 0;
    unsigned long long size = 0;
    try {
      found = std::stoul(sum, nullptr, 8);
      size = std::stoull(size_text, nullptr, 8);
    } catch (const std::exception&) {
      throw FileError(place, "expected the header of a file in a tar archive, found other bytes");
    }
    if (found != checksum(header)) {
      throw FileError(place, "expected the header of a file in a tar archive, found a wrong sum");
    }
    at += kBlock;
    if (size > bytes.size() - at) {
      throw FileError(
          place, fmt::format("expected {} bytes of a file, found {}", size, bytes.size() - at));
    }
    const char type = header[156];
    const std::string prefix = text_at(header, kPrefixAt, kPrefixSize);
    const std::string name = (prefix.empty() ? "" : prefix + "/") + text_at(header, 0, kNameSize);
    if (type == '0' || type == '\0') files.emplace_back(name, std::string(bytes.substr(at, size)));
    at += (size + kBlock - 1) / kBlock * kBlock;
  }
  throw FileError(archive, "expected the end of a tar archive, found the end of the file");
}

}  // namespace rnnalf
