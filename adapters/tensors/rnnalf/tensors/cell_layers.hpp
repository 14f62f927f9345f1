#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/network/cells.hpp"
#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::tensors {

/// The layers of one of the cells of network/cells.hpp, found among named tensors.
struct CellLayers {
  const Cell* cell = nullptr;
  std::vector<std::string> modules{};  ///< with their dots, in order
  std::vector<CellTensors> layers{};
  std::set<std::string_view> names{};  ///< of all tensors that belong to them
};

/// Whether a name is one that a file with such layers has.
[[nodiscard]] bool is_cell_tensor(std::string_view name) noexcept;

/// None where the file has no layer of a cell that its names tell, or of the one that is asked for.
/// `numbers` reads a tensor. A tensor without numbers belongs to none.
[[nodiscard]] std::optional<CellLayers> find_cell_layers(
    const std::vector<Tensor>& tensors, std::optional<std::string_view> asked,
    const std::function<std::vector<double>(const Tensor&)>& numbers);

}  // namespace rnnalf::tensors
