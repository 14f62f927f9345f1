#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Whether the bytes begin like a file of `torch.save`: a zip archive or a pickle.
[[nodiscard]] bool looks_like_state_dict(std::span<const std::byte> bytes) noexcept;

/// Reads `torch.save(model.state_dict(), file)`, in the zip form of torch 1.6 and later or in the
/// older one. The state_dict may also stand in a checkpoint, such as {"model": ..., "epoch": 3}.
///
/// Told from names and shapes, under any prefix: nn.RNN, nn.GRU, nn.LSTM and their cells, an
/// embedding in front, one dense layer behind. Outputs are read as logits. What a state_dict does
/// not say is never guessed: the error names what is missing and how to say it.
///
/// The file is read as data. Nothing in it can run, and the memory used is a small multiple of its
/// size. Throws NetworkFileError; `file` is the name its messages begin with.
[[nodiscard]] NetworkSpec read_state_dict(std::span<const std::byte> bytes, const std::string& file,
                                          const ReadOptions& options = {});

}  // namespace rnnalf
