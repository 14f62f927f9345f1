#include "rnnalf/tensors/tensor_source.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::tensors {

SplitName split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {"", name};
  return {name.substr(0, dot + 1), name.substr(dot + 1)};
}

std::string_view path_of(std::string_view module) {
  return module.substr(0, module.empty() ? 0 : module.size() - 1);
}

std::string plain(std::string_view name) {
  const std::string text = quoted(name);
  return text.substr(1, text.size() - 2);
}

TensorSource::TensorSource(NamedTensors named, std::size_t file_size, const std::string& from,
                           const ReadOptions& given)
    : tensors(std::move(named.tensors)),
      modules(std::move(named.modules)),
      kind(std::move(named.kind)),
      format(std::move(named.format)),
      in_order(named.in_order),
      file(from),
      options(given),
      budget_(file_size) {
  for (const Tensor& tensor : tensors) by_name_.emplace(tensor.name, &tensor);
  for (const Module& module : modules) module_by_path_.emplace(module.path, &module);
  cells = find_cell_layers(tensors, options.cell,
                           [this](const Tensor& tensor) { return numbers(tensor); });
}

void TensorSource::refuse(const std::string& message) const {
  throw NetworkFileError(file, message);
}

void TensorSource::refuse(const Tensor& tensor, const std::string& message) const {
  refuse("tensor " + quoted(tensor.name) + ": " + message);
}

const Tensor* TensorSource::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const Module* TensorSource::module_at(std::string_view path) const {
  const auto found = module_by_path_.find(path);
  return found == module_by_path_.end() ? nullptr : found->second;
}

const Tensor* TensorSource::bias_of(const Tensor& weight) const {
  return find(std::string(split(weight.name).module) + "bias");
}

bool TensorSource::is_recurrent(const Tensor& tensor) const {
  return cells ? cells->names.contains(tensor.name) : is_recurrent_name(tensor.name);
}

bool TensorSource::is_before_recurrent(const Tensor& weight) const {
  if (!in_order) return is_called_embedding(weight);
  const auto first = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const Tensor& tensor) { return is_recurrent(tensor); });
  return &weight < &*first;
}

bool TensorSource::stands_between_recurrent(const Tensor& weight) const {
  const auto last = std::find_if(tensors.rbegin(), tensors.rend(),
                                 [&](const Tensor& tensor) { return is_recurrent(tensor); });
  return !is_before_recurrent(weight) && &weight < &*last;
}

void TensorSource::expect_matrix(const Tensor& tensor) const {
  if (tensor.sizes.size() != 2 || tensor.count() == 0) {
    refuse(tensor, "expected rows x columns of numbers, found " + tensor.shape());
  }
}

std::vector<double> TensorSource::numbers(const Tensor& tensor) {
  if (tensor.count() > budget_) {
    refuse(tensor, "expected no more numbers than the file has bytes, found tensors that share" +
                       std::string(" their storages beyond that"));
  }
  budget_ -= tensor.count();
  return tensor.numbers();
}

Matrix TensorSource::matrix(const Tensor& tensor) {
  expect_matrix(tensor);
  return Matrix{.rows = tensor.sizes[0], .cols = tensor.sizes[1], .values = numbers(tensor)};
}

std::vector<double> TensorSource::optional_vector(const Tensor* tensor) {
  if (tensor == nullptr) return {};
  if (tensor->sizes.size() != 1 || tensor->sizes[0] == 0) {
    refuse(*tensor, "expected a bias, a row of numbers, found " + tensor->shape());
  }
  return numbers(*tensor);
}

bool is_called_embedding(const Tensor& weight) {
  std::string lower;
  for (const char c : weight.name)
    lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower.find("emb") != std::string::npos;
}

}  // namespace rnnalf::tensors
