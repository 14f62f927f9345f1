#pragma once

#include <cstddef>
#include <memory>

namespace rnnalf {

/// Memory that is written before it is read; growing does not fill it and loses what was there.
template <class T>
class Scratchpad {
 public:
  T* at_least(std::size_t size) {
    if (size > size_) {
      data_ = std::make_unique_for_overwrite<T[]>(size);
      size_ = size;
    }
    return data_.get();
  }
  [[nodiscard]] T* data() { return data_.get(); }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
};

}  // namespace rnnalf
