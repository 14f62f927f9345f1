#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/pytorch/bytes.hpp"
#include "rnnalf/pytorch/pickle.hpp"

namespace rnnalf::pytorch {

/// A tensor as a file of torch.save holds it: a strided view of a storage. Everything is checked:
/// each of its elements lies in the storage, and there are no more of them than the storage has.
struct Tensor {
  std::string_view name;
  ElementType element = ElementType::NotReal;
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> strides;  ///< in elements
  std::size_t offset = 0;            ///< in elements
  Bytes storage;

  [[nodiscard]] std::size_t count() const;
  /// `20 x 3`
  [[nodiscard]] std::string shape() const;
  /// All numbers, row-major.
  [[nodiscard]] std::vector<double> numbers() const;
};

/// Finds the state_dict of a recurrent network in a file of torch.save and returns its tensors of
/// real numbers in the file's order; names are views into `bytes`. Throws NetworkFileError.
[[nodiscard]] std::vector<Tensor> recurrent_state_dict(Bytes bytes, const std::string& file);

/// Whether the last part of a dotted name is one that torch gives to recurrent weights and biases.
[[nodiscard]] bool is_recurrent_name(std::string_view name) noexcept;

}  // namespace rnnalf::pytorch
