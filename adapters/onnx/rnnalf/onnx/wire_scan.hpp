#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace rnnalf::onnx_impl {

/// Takes a base-128 number off the front; none when the bytes end in it or it is too long.
[[nodiscard]] std::optional<std::size_t> take_varint(std::span<const std::byte>& bytes) noexcept;

/// Memory that messages and strings take once protobuf has parsed the bytes as an ONNX model,
/// without the numbers in them; none when they are no model. An empty message is two bytes on disk
/// and some hundred in memory, so this is asked before parsing.
[[nodiscard]] std::optional<std::size_t> parsed_size(std::span<const std::byte> bytes);

}  // namespace rnnalf::onnx_impl
