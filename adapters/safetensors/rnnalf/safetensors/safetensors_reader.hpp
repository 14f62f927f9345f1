#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Whether the bytes begin like a .safetensors file: the length of a header, and a JSON object.
[[nodiscard]] bool looks_like_safetensors(std::span<const std::byte> bytes);

/// Reads the tensors of a state_dict from a .safetensors file; how they become a network stands at
/// tensors::network_from_tensors. The format sorts tensors by name, so that their order says
/// nothing. `rnnalf.alphabet`, `rnnalf.classes` and `rnnalf.probes` may stand in its metadata, as
/// in ONNX files.
///
/// Work and memory stay within a small multiple of the file's size. Throws NetworkFileError; `file`
/// is the name its messages begin with.
[[nodiscard]] NetworkSpec read_safetensors(std::span<const std::byte> bytes,
                                           const std::string& file,
                                           const ReadOptions& options = {});

}  // namespace rnnalf
