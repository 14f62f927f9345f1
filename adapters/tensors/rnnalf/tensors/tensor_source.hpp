#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/tensors/cell_layers.hpp"
#include "rnnalf/tensors/network_from_tensors.hpp"
#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::tensors {

/// `encoder.rnn.weight_ih_l0` is the tensor weight_ih_l0 of the module `encoder.rnn.`
struct SplitName {
  std::string_view module;  ///< with its dot, or empty
  std::string_view leaf;
};
[[nodiscard]] SplitName split(std::string_view name);

/// The path of a module, whose name has a dot at its end.
[[nodiscard]] std::string_view path_of(std::string_view module);

/// A name of the file for a sentence, without quotes.
[[nodiscard]] std::string plain(std::string_view name);

/// What to do with a network that a file of tensors does not describe.
inline constexpr const char* kExport =
    "export the network to ONNX, which describes it (torch.onnx.export; docs/networks.md has the "
    "call), or pass the live module to rnnalf.extract in Python, or a step function to "
    "rnnalf.acceptor";

/// The tensors of a file by name, what it says of modules, and how many numbers may still be read.
class TensorSource {
 public:
  /// File and options outlive the source.
  TensorSource(NamedTensors named, std::size_t file_size, const std::string& file,
               const ReadOptions& options);
  TensorSource(const TensorSource&) = delete;
  TensorSource& operator=(const TensorSource&) = delete;

  const std::vector<Tensor> tensors;
  const std::vector<Module> modules;
  const std::string kind;
  const std::string format;
  const bool in_order;
  const std::string& file;
  const ReadOptions& options;
  /// Layers of one of network/cells.hpp, where the file has such.
  std::optional<CellLayers> cells{};

  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuse(const Tensor& tensor, const std::string& message) const;

  /// Null if there is none.
  [[nodiscard]] const Tensor* find(const std::string& name) const;
  [[nodiscard]] const Module* module_at(std::string_view path) const;
  /// The bias that belongs to a weight, if it has one.
  [[nodiscard]] const Tensor* bias_of(const Tensor& weight) const;
  [[nodiscard]] bool is_recurrent(const Tensor& tensor) const;
  [[nodiscard]] bool is_before_recurrent(const Tensor& weight) const;
  /// Of several recurrent modules.
  [[nodiscard]] bool stands_between_recurrent(const Tensor& weight) const;

  void expect_matrix(const Tensor& tensor) const;
  /// Tensors may share a storage, but not so often that a small file becomes a large network.
  [[nodiscard]] std::vector<double> numbers(const Tensor& tensor);
  [[nodiscard]] Matrix matrix(const Tensor& tensor);
  [[nodiscard]] std::vector<double> optional_vector(const Tensor* tensor);
  [[nodiscard]] std::size_t budget() const { return budget_; }

 private:
  std::map<std::string_view, const Tensor*> by_name_;
  std::map<std::string_view, const Module*> module_by_path_;
  std::size_t budget_;  // numbers that may still be read
};

[[nodiscard]] bool is_called_embedding(const Tensor& weight);

}  // namespace rnnalf::tensors
