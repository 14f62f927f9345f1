#pragma once

#include <cstdint>
#include <string_view>

namespace rnnalf {

inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325U;
inline constexpr std::uint64_t kFnvPrime = 0x100000001b3U;

/// FNV-1a of these bytes, going on from an earlier hash: the same on every machine, which std::hash
/// is not. Not for keys that somebody may choose to collide.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes,
                                            std::uint64_t hash = kFnvStart) noexcept {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kFnvPrime;
  return hash;
}

}  // namespace rnnalf
