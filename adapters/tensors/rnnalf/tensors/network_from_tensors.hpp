#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/tensors/tensor.hpp"

namespace rnnalf::tensors {

/// What a file of named tensors holds.
struct NamedTensors {
  std::vector<Tensor> tensors{};  ///< of real numbers, names all different, in the file's order
  std::vector<Module> modules{};  ///< what is known of modules, outer ones first
  std::string kind{};             ///< what to call it, such as "state_dict"
  std::string format{};           ///< see NetworkSpec::kind
  bool in_order = true;           ///< whether the order is that of the modules in Python
};

/// The refusal of a file without them, and what to do instead.
[[nodiscard]] std::string no_recurrent_weights();

/// The network that tensors with torch's names make, told from names and shapes, under any prefix:
/// nn.RNN, nn.GRU, nn.LSTM and their cells, an embedding in front, behind them a head of dense
/// layers and normalisations in the file's order. Outputs are read as logits, unless a module says
/// that a sigmoid or softmax stands behind them.
///
/// What names and shapes do not say is never guessed. Where networks are nearly always alike (the
/// head reads the last state; nothing stands between it and the first dense layer) it is assumed,
/// said in `assumed`, and options say otherwise; the rest is refused with what is missing.
///
/// No more numbers are read than the file has bytes. Throws NetworkFileError.
[[nodiscard]] NetworkSpec network_from_tensors(NamedTensors named, std::size_t file_size,
                                               const std::string& file, const ReadOptions& options);

}  // namespace rnnalf::tensors
