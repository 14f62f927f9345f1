#pragma once

#include <cstddef>
#include <vector>

namespace rnnalf {

/// Row-major numbers as a file gave them; double holds every float16, float32 and float64 exactly.
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> values{};  ///< rows * cols, row-major

  [[nodiscard]] double at(std::size_t row, std::size_t col) const {
    return values[row * cols + col];
  }
  bool operator==(const Matrix&) const = default;
};

}  // namespace rnnalf
