#include "rnnalf/network/number_check.hpp"

#include <fmt/core.h>

#include <cmath>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {

void NumberCheck::refuse(const std::string& message) const {
  throw NetworkFileError(file_, message);
}

void NumberCheck::matrix(const Matrix& found, std::size_t rows, std::size_t cols,
                         const std::string& what) const {
  if (found.rows != rows || found.cols != cols || found.values.size() != rows * cols) {
    refuse(fmt::format("{}: expected {} x {}, found {} x {}", what, rows, cols, found.rows,
                       found.cols));
  }
  finite(found.values, what);
}

void NumberCheck::vector(const std::vector<double>& found, std::size_t size,
                         const std::string& what) const {
  if (!found.empty() && found.size() != size) {
    refuse(fmt::format("{}: expected {} numbers, found {}", what, size, found.size()));
  }
  finite(found, what);
}

void NumberCheck::finite(const std::vector<double>& values, const std::string& what) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Beyond float's range a weight would become infinite in float arithmetic.
    if (!(std::abs(values[i]) <= 3.4e38)) {
      refuse(
          fmt::format("{}: expected finite numbers, found {} at position {}", what, values[i], i));
    }
  }
}

}  // namespace rnnalf
