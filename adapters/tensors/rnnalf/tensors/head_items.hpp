#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rnnalf/tensors/tensor_source.hpp"

namespace rnnalf::tensors {

/// One module of the head: a dense layer, or a normalisation (weight and bias are rows).
struct HeadItem {
  std::string module;  ///< with its dot, or empty
  const Tensor* weight = nullptr;
  const Tensor* bias = nullptr;
  const Tensor* mean = nullptr;      ///< of a batch normalisation
  const Tensor* variance = nullptr;  ///< the same

  [[nodiscard]] bool is_dense() const { return weight != nullptr && weight->sizes.size() == 2; }
};

/// What stands before and behind the recurrent layers.
struct OtherModules {
  const Tensor* embedding = nullptr;  ///< symbols x inputs; null if there is none
  std::vector<HeadItem> head{};       ///< in order; the last one is a dense layer
};

/// Everything that is no recurrent weight must be an embedding in front (symbols x inputs, no bias)
/// or belong to the head. The recurrent part takes `inputs` numbers and gives `size`; `chained`: it
/// has several modules. Throws NetworkFileError.
[[nodiscard]] OtherModules other_modules(const TensorSource& source, std::size_t inputs,
                                         std::size_t size, bool chained);

/// `head.` and 1 for `head.1.`; none when the last part is no number.
[[nodiscard]] std::optional<std::pair<std::string_view, std::size_t>> numbered(
    const std::string& module);

}  // namespace rnnalf::tensors
