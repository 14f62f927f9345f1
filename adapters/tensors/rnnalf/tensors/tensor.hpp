#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/tensors/bytes.hpp"

namespace rnnalf::tensors {

enum class ElementType : std::uint8_t { Float16, BFloat16, Float32, Float64, NotReal };

[[nodiscard]] std::size_t element_size(ElementType type) noexcept;

/// A tensor as a file holds it: a strided view of bytes. Each of its elements lies in the
/// storage, and there are no more of them than the storage has: who makes one checks that.
struct Tensor {
  std::string name{};
  ElementType element = ElementType::NotReal;
  std::vector<std::size_t> sizes{};
  std::vector<std::size_t> strides{};  ///< in elements
  std::size_t offset = 0;              ///< in elements
  Bytes storage{};

  [[nodiscard]] std::size_t count() const;
  /// `20 x 3`
  [[nodiscard]] std::string shape() const;
  /// All numbers, row-major.
  [[nodiscard]] std::vector<double> numbers() const;
  /// Lets the elements lie row by row, without gaps.
  void lay_out_in_rows();
};

/// What a file says of one of torch's modules besides its tensors; a state_dict says nothing.
struct Module {
  std::string path{};  ///< as in the names of its tensors, such as `head.1`
  std::string type{};  ///< such as `LayerNorm`
  std::string mode{};  ///< `RNN_TANH`, `relu`, ...: its mode, nonlinearity or approximation
  std::optional<double> number{};  ///< epsilon, slope or alpha
};

/// Whether the last part of a dotted name is one that torch gives to recurrent weights and biases.
[[nodiscard]] bool is_recurrent_name(std::string_view name) noexcept;

}  // namespace rnnalf::tensors
