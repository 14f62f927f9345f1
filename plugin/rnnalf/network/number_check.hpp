#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rnnalf/network/matrix.hpp"

namespace rnnalf {

/// Checks of the numbers of one network, with the file's name in front of every message. All of
/// them throw NetworkFileError.
class NumberCheck {
 public:
  explicit NumberCheck(const std::string& file) : file_(file.empty() ? "network" : file) {}

  [[noreturn]] void refuse(const std::string& message) const;
  /// Expects rows x cols finite numbers.
  void matrix(const Matrix& found, std::size_t rows, std::size_t cols,
              const std::string& what) const;
  /// An empty vector stands for zeros.
  void vector(const std::vector<double>& found, std::size_t size, const std::string& what) const;

 private:
  void finite(const std::vector<double>& values, const std::string& what) const;

  std::string file_;
};

}  // namespace rnnalf
