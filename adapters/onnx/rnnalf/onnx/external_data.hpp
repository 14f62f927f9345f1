#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/onnx/meter.hpp"

namespace onnx {
class TensorProto;
}  // namespace onnx

namespace rnnalf::onnx_impl {

/// Files beside a model that hold the bytes of its tensors, as newer exporters write them:
/// FILE.onnx with the graph and FILE.onnx.data with the weights.
///
/// The model may come from elsewhere, and names the files it wants to be read. So only a plain file
/// in the model's own folder is: no path, no link that leads out of the folder.
class ExternalData {
 public:
  /// `folder`: of the model; empty: nothing may be read.
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  /// The `length` bytes of a tensor. The meter grows by the size of each file, when it is first
  /// used. Throws std::runtime_error "expected ..., found ...".
  [[nodiscard]] std::string bytes(const ::onnx::TensorProto& tensor, std::size_t length,
                                  Meter& meter);

  /// Of all files that were used.
  [[nodiscard]] std::size_t size() const { return total_; }
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  struct File {
    std::string path;
    std::size_t size = 0;
  };
  const File& open(const std::string& name, Meter& meter);

  std::string folder_;
  std::map<std::string, File> files_;
  std::size_t total_ = 0;
};

}  // namespace rnnalf::onnx_impl
