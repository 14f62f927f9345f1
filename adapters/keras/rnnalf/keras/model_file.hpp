#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::keras {

/// A Keras model as its file has it: the JSON that describes it, and the weights of its layers.
class ModelFile {
 public:
  virtual ~ModelFile() = default;
  /// Text of the JSON that describes the model.
  [[nodiscard]] virtual std::string config() const = 0;
  /// Of the Keras that wrote it, such as 2.11.0; empty when the file does not say it.
  [[nodiscard]] virtual std::string version() const = 0;
  /// Arrays of a layer in Keras' order. `position`: how many layers of the same class come before
  /// it, `is_recurrent`: whether the weights belong to a cell inside of it.
  [[nodiscard]] virtual std::vector<tensors::Tensor> weights(const std::string& name,
                                                             const std::string& class_name,
                                                             std::size_t position,
                                                             bool is_recurrent) const = 0;
};

/// An .h5 or .keras file. `bytes` must outlive it. Throws NetworkFileError.
[[nodiscard]] std::unique_ptr<ModelFile> open_model(tensors::Bytes bytes, const std::string& file);

}  // namespace rnnalf::keras
