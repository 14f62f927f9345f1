#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "support/message_of.hpp"

/// Files written by hand, byte for byte: what torch would write, and what it never would.
namespace rnnalf::test {

using namespace std::string_literals;  // NOLINT: "\0"s needs it, and only tests include this

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `width` bytes, little-endian.
inline std::string le(std::uint64_t number, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += static_cast<char>(number >> 8 * i & 0xffU);
  return text;
}

/// CRC-32, bit by bit.
inline std::uint32_t crc32(std::string_view text) {
  std::uint32_t sum = 0xffffffffU;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) sum = sum >> 1 ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

struct ZipEntry {
  std::string name;
  std::string content;
  unsigned method = 0;
  unsigned flags = 0;
  bool zip64 = false;  ///< sizes and position in a zip64 field
};

/// A zip archive; with `end64`, its directory is only found through the zip64 end record.
inline std::string zip(const std::vector<ZipEntry>& entries, bool end64 = false) {
  std::string file;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::uint64_t at = file.size();
    const std::uint64_t size = entry.content.size();
    const std::string common =
        le(entry.flags, 2) + le(entry.method, 2) + le(0, 4) + le(crc32(entry.content), 4);
    file += "PK\x03\x04"s + le(20, 2) + common + le(size, 4) + le(size, 4) +
            le(entry.name.size(), 2) + le(0, 2) + entry.name + entry.content;
    const std::string extra =
        entry.zip64 ? le(1, 2) + le(24, 2) + le(size, 8) + le(size, 8) + le(at, 8) : "";
    const std::uint64_t said = entry.zip64 ? 0xffffffff : size;
    directory += "PK\x01\x02"s + le(20, 2) + le(20, 2) + common + le(said, 4) + le(said, 4) +
                 le(entry.name.size(), 2) + le(extra.size(), 2) + le(0, 2) + le(0, 2) + le(0, 2) +
                 le(0, 4) + le(entry.zip64 ? 0xffffffff : at, 4) + entry.name + extra;
  }
  const std::uint64_t start = file.size();
  const std::uint64_t count = entries.size();
  file += directory;
  if (end64) {
    const std::uint64_t end = file.size();
    file += "PK\x06\x06"s + le(44, 8) + le(45, 2) + le(45, 2) + le(0, 4) + le(0, 4) + le(count, 8) +
            le(count, 8) + le(directory.size(), 8) + le(start, 8);
    file += "PK\x06\x07"s + le(0, 4) + le(end, 8) + le(1, 4);
  }
  return file + "PK\x05\x06"s + le(0, 4) + le(end64 ? 0xffff : count, 2) +
         le(end64 ? 0xffff : count, 2) + le(end64 ? 0xffffffff : directory.size(), 4) +
         le(end64 ? 0xffffffff : start, 4) + le(0, 2);
}

// ---- pickles

inline std::string text(std::string_view content) {
  return "X"s + le(content.size(), 4) + std::string(content);
}
inline std::string global(std::string_view module, std::string_view name) {
  return "c"s + std::string(module) + "\n"s + std::string(name) + "\n";
}
inline std::string number(std::int64_t value) {
  return "\x8a\x08"s + le(static_cast<std::uint64_t>(value), 8);
}
inline std::string pickle(const std::string& opcodes) {
  return "\x80\x02"s + opcodes + ".";
}

inline std::string storage(std::string_view key, std::int64_t count,
                           std::string_view type = "FloatStorage") {
  return "("s + text("storage") + global("torch", type) + text(key) + text("cpu") + number(count) +
         "tQ";
}
inline std::string tuple(const std::vector<std::int64_t>& numbers) {
  std::string items;
  for (const std::int64_t n : numbers) items += number(n);
  return "("s + items + "t";
}
inline std::string tensor(const std::string& of_storage, std::int64_t offset,
                          const std::vector<std::int64_t>& sizes,
                          const std::vector<std::int64_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") + "(" + of_storage + number(offset) +
         tuple(sizes) + tuple(strides) + "\x89"s + global("collections", "OrderedDict") + ")RtR";
}

/// What a call throws as NetworkFileError, or "accepted".
template <class Call>
std::string refusal(const Call& call) {
  return support::message_of<NetworkFileError>([&] { call(); });
}

}  // namespace rnnalf::test
