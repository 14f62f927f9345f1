#pragma once

#include <cstddef>

namespace rnnalf::test {

/// How many bytes the program took at most, beyond what it had, since the last call of `begin`.
///
/// A program that links `counted_memory.cpp` has operators new and delete that count. Under the
/// address sanitizer, which keeps operators of its own, nothing is counted: `taken` is 0.
struct CountedMemory {
  static void begin();
  [[nodiscard]] static std::size_t taken();
};

}  // namespace rnnalf::test
