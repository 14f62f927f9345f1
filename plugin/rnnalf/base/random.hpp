#pragma once

#include <cstdint>

namespace rnnalf {

/// A seeded generator (xoshiro256**) whose numbers are the same on every machine and library;
/// the standard distributions are not, so the ones needed here are members.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept {
    // splitmix64 spreads any seed, zero included, over the state.
    for (std::uint64_t& part : state_) {
      seed += 0x9e3779b97f4a7c15U;
      std::uint64_t mixed = seed;
      mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
      mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
      part = mixed ^ (mixed >> 31U);
    }
  }

  [[nodiscard]] std::uint64_t bits() noexcept {
    const auto rotate = [](std::uint64_t x, unsigned k) { return (x << k) | (x >> (64U - k)); };
    const std::uint64_t result = rotate(state_[1] * 5U, 7U) * 9U;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45U);
    return result;
  }

  /// Uniform in [0, bound), without bias; bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (true) {
      const std::uint64_t value = bits();
      if (value >= threshold) return value % bound;
    }
  }

  /// Uniform in [0, 1).
  [[nodiscard]] double unit() noexcept { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_[4] = {};
};

}  // namespace rnnalf
