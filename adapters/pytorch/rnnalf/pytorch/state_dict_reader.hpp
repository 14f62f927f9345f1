#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Whether the bytes begin like a file of `torch.save`: a zip archive or a pickle.
[[nodiscard]] bool looks_like_state_dict(std::span<const std::byte> bytes);

/// Reads `torch.save(model.state_dict(), file)`, in the zip form of torch 1.6 and later or in the
/// older one. The state_dict may also stand in a checkpoint, such as {"model": ..., "epoch": 3},
/// and the file may be of `torch.save(model, file)` or `torch.jit.save`: tensors, their names and
/// what is known of torch's own modules are taken, the rest is ignored. How tensors become a
/// network stands at tensors::network_from_tensors.
///
/// The file is read as data. Nothing in it can run, and the memory used is a small multiple of its
/// size. Throws NetworkFileError; `file` is the name its messages begin with.
[[nodiscard]] NetworkSpec read_state_dict(std::span<const std::byte> bytes, const std::string& file,
                                          const ReadOptions& options = {});

}  // namespace rnnalf
