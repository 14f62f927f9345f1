#pragma once

#include <string>

#include "rnnalf/tensors/network_from_tensors.hpp"

namespace rnnalf::pytorch {

/// Finds the recurrent network in a file of torch.save or torch.jit.save: a state_dict or a module,
/// by itself or in a checkpoint. Returns its tensors of real numbers in the file's order, views
/// into `bytes`, with the names that a state_dict has. Throws NetworkFileError.
[[nodiscard]] tensors::NamedTensors recurrent_tensors(tensors::Bytes bytes,
                                                      const std::string& file);

}  // namespace rnnalf::pytorch
