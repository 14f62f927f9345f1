#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

enum class NetworkFormat : std::uint8_t { Onnx, StateDict };

/// `ONNX`, `PyTorch state_dict`.
[[nodiscard]] std::string_view name(NetworkFormat format) noexcept;

struct LoadedNetwork {
  NetworkFormat format = NetworkFormat::Onnx;
  NetworkSpec spec;
};

/// Reads a network file of any known format; the format is told from the content, not the name.
/// Subnormal numbers are read as 0 (see flush_subnormals); the spec counts them.
/// Throws FileError when the file cannot be read and NetworkFileError when it is not a network.
[[nodiscard]] LoadedNetwork load_network(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

}  // namespace rnnalf
