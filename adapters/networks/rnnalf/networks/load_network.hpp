#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

enum class NetworkFormat : std::uint8_t { Onnx, StateDict, Safetensors, Keras };

/// `ONNX`, `PyTorch state_dict`, `safetensors`, `Keras`.
[[nodiscard]] std::string_view name(NetworkFormat format) noexcept;

struct LoadedNetwork {
  NetworkFormat format = NetworkFormat::Onnx;
  NetworkSpec spec;
};

/// The format, and what kind of file of it this is: `PyTorch module`, `PyTorch checkpoint`,
/// `TorchScript`; the format's name where there is one kind.
[[nodiscard]] std::string kind_of(NetworkFormat format, const NetworkSpec& spec);

/// Reads a network file of any known format; the format is told from the content, not the name.
/// Every network passes through here: what holds for all formats (a vocabulary or probes beside the
/// file) is done here. Subnormal numbers are read as 0 (see flush_subnormals); the spec counts
/// them. Throws FileError when the file cannot be read and NetworkFileError when it is not a
/// network.
[[nodiscard]] LoadedNetwork load_network(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

/// The same from bytes that were read already; `file` is used in messages. Numbers that an ONNX
/// model has in a file beside it are read from the folder that options name.
[[nodiscard]] LoadedNetwork parse_network(std::string_view bytes, const std::string& file,
                                          const ReadOptions& options = {});

/// The folder that a file lies in.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

/// In bytes; protobuf itself reads no more.
inline constexpr std::size_t kLargestNetworkFile = std::size_t{2} << 30U;

}  // namespace rnnalf
