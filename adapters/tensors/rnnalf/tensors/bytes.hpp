#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rnnalf/base/text.hpp"

namespace rnnalf::tensors {

using Bytes = std::span<const std::byte>;

/// The little-endian number in bytes[at .. at+width); the caller has checked that it is there.
[[nodiscard]] inline std::uint64_t little_endian(Bytes bytes, std::size_t at, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = width; i > 0; --i) {
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[at + i - 1]);
  }
  return number;
}

/// Whether bytes[at .. at+length) exists; no sum can overflow.
[[nodiscard]] inline bool within(Bytes bytes, std::uint64_t at, std::uint64_t length) {
  return at <= bytes.size() && length <= bytes.size() - at;
}

[[nodiscard]] inline std::string_view text_at(Bytes bytes, std::size_t at, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes.data()) + at, length};
}

/// A name out of a file, for messages.
[[nodiscard]] inline std::string quoted(std::string_view name) {
  return in_quotes(name);
}
/// The same: for a std::string std::quoted would be found as well.
[[nodiscard]] inline std::string quoted(const std::string& name) {
  return in_quotes(name);
}
[[nodiscard]] inline std::string quoted(std::string& name) {
  return in_quotes(name);
}

}  // namespace rnnalf::tensors
