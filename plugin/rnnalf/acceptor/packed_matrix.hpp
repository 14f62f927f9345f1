#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "rnnalf/acceptor/kernels.hpp"

namespace rnnalf::kernels {

/// Numbers aligned to cache lines, zero at first, with one panel of slack behind the last one: the
/// kernels work in whole panels.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    const std::size_t bytes = (padded<T>(size) + kPanelRows<T>)*sizeof(T);
    data_.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
    if (!data_) throw std::bad_alloc();
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) data_[i] = T(0);
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  /// At least `size` numbers; what was there before is lost if it grows.
  T* at_least(std::size_t size) {
    if (size > size_) *this = Buffer(size);
    return data();
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

/// A matrix with a bias, laid out for Kernels::multiply. Immutable.
template <class T>
class PackedMatrix {
 public:
  PackedMatrix() = default;

  /// `entry(row, col)` and `offset(row)` give weights and bias as doubles; rounded to T here.
  template <class Entry, class Offset>
  PackedMatrix(std::size_t rows, std::size_t cols, Entry entry, Offset offset)
      : rows_(rows), cols_(cols), values_(padded<T>(rows) * cols), bias_(padded<T>(rows)) {
    for (std::size_t row = 0; row < rows; ++row) {
      bias_[row] = static_cast<T>(offset(row));
      T* const panel = values_.data() + row / kPanelRows<T> * kPanelRows<T> * cols;
      for (std::size_t col = 0; col < cols; ++col) {
        panel[col * kPanelRows<T> + row % kPanelRows<T>] = static_cast<T>(entry(row, col));
      }
    }
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] PackedView<T> view() const {
    return {values_.data(), bias_.data(), padded<T>(rows_) / kPanelRows<T>, cols_};
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  Buffer<T> values_;
  Buffer<T> bias_;
};

}  // namespace rnnalf::kernels
