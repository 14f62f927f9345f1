#pragma once

#include <cstddef>

namespace rnnalf::onnx_impl {

/// Bounds what reading a file may cost, in numbers copied or looked at. A graph can use one tensor
/// any number of times, so that sizes checked one by one bound nothing; their sum does.
class Meter {
 public:
  /// An ordinary file reads each of its numbers (2 bytes or more) three or four times.
  explicit Meter(std::size_t file_bytes) : left_(65536 + 4 * file_bytes) {}

  /// Whether `count` more numbers are within bounds; once they are not, nothing is.
  [[nodiscard]] bool spend(std::size_t count) noexcept {
    if (count > left_) {
      left_ = 0;
      return false;
    }
    left_ -= count;
    return true;
  }

  /// A file that belongs to the first one.
  void add_file(std::size_t bytes) noexcept { left_ += 4 * bytes; }

  [[nodiscard]] std::size_t left() const noexcept { return left_; }

 private:
  std::size_t left_;
};

}  // namespace rnnalf::onnx_impl
