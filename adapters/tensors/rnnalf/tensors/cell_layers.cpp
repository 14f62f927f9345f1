#include "rnnalf/tensors/cell_layers.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rnnalf::tensors {
namespace {

using ByName = std::map<std::string, const Tensor*, std::less<>>;

/// The module, with its dot, in which `name` is the tensor `inside`; none where it is another one.
std::optional<std::string_view> module_of(std::string_view name, std::string_view inside) {
  if (!name.ends_with(inside)) return std::nullopt;
  const std::string_view module = name.substr(0, name.size() - inside.size());
  if (!module.empty() && !module.ends_with('.')) return std::nullopt;
  return module;
}

/// `a.10.` behind `a.2.`: a name with its numbers written as long as any.
std::string in_order(std::string_view name) {
  std::string key;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end > i && end - i < 20) key.append(20 - (end - i), '0');
    key += name.substr(i, std::max<std::size_t>(1, end - i));
    i = std::max(i + 1, end);
  }
  return key;
}

/// A tensor of a module by its name in a Cell: `../x` stands beside the module, `/x` anywhere and
/// once in the file.
const Tensor* find(const ByName& tensors, const std::string& module, std::string_view name) {
  std::string full = module + std::string(name);
  if (name.starts_with("../")) {
    const std::size_t dot =
        module.size() < 2 ? std::string::npos : module.rfind('.', module.size() - 2);
    const std::string outer = dot == std::string::npos ? "" : module.substr(0, dot + 1);
    full = outer + std::string(name.substr(3));
  }
  if (name.starts_with('/')) {
    for (const auto& [other, tensor] : tensors) {
      if (module_of(other, name.substr(1))) return tensor;
    }
    return nullptr;
  }
  const auto found = tensors.find(full);
  return found == tensors.end() ? nullptr : found->second;
}

/// The modules that have all tensors of a cell.
std::vector<std::string> modules_of(const Cell& cell, const ByName& tensors) {
  std::vector<std::string> modules;
  for (const auto& [name, tensor] : tensors) {
    const auto module = module_of(name, cell.tensors.front());
    if (!module) continue;
    const bool complete =
        std::all_of(cell.tensors.begin(), cell.tensors.end(), [&](const std::string_view wanted) {
          return find(tensors, std::string(*module), wanted) != nullptr;
        });
    if (complete) modules.emplace_back(*module);
  }
  std::sort(modules.begin(), modules.end(),
            [](const std::string& a, const std::string& b) { return in_order(a) < in_order(b); });
  return modules;
}

/// Vectors are columns; the axes behind the first are one.
Matrix matrix(const Tensor& tensor, std::vector<double> numbers) {
  const std::size_t rows = tensor.sizes.empty() ? 1 : tensor.sizes.front();
  return {rows, numbers.size() / rows, std::move(numbers)};
}

}  // namespace

bool is_cell_tensor(std::string_view name) noexcept {
  const std::span<const Cell> all = cells();
  return std::any_of(all.begin(), all.end(), [&](const Cell& cell) {
    return cell.is_told && module_of(name, cell.tensors.front());
  });
}

std::optional<CellLayers> find_cell_layers(
    const std::vector<Tensor>& tensors, std::optional<std::string_view> asked,
    const std::function<std::vector<double>(const Tensor&)>& numbers) {
  ByName by_name;
  for (const Tensor& tensor : tensors) {
    if (tensor.count() > 0) by_name.emplace(tensor.name, &tensor);
  }
  CellLayers found;
  for (const Cell& cell : cells()) {
    if (asked ? cell.name != *asked : !cell.is_told) continue;
    found.modules = modules_of(cell, by_name);
    found.cell = &cell;
    if (!found.modules.empty()) break;
  }
  if (found.modules.empty()) return std::nullopt;
  for (const std::string& module : found.modules) {
    CellTensors& layer = found.layers.emplace_back();
    const bool last = &module == &found.modules.back();
    for (const auto* names : {&found.cell->tensors, &found.cell->optional}) {
      for (const std::string_view name : *names) {
        if (name.starts_with('/') && !last) continue;
        const Tensor* const tensor = find(by_name, module, name);
        if (tensor == nullptr) continue;
        layer.emplace(name, matrix(*tensor, numbers(*tensor)));
        found.names.insert(tensor->name);
      }
    }
  }
  return found;
}

}  // namespace rnnalf::tensors
