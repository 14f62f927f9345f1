#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Whether the bytes are an HDF5 file, or a zip archive with a Keras model in it.
[[nodiscard]] bool looks_like_keras(std::span<const std::byte> bytes);

/// Reads `model.save("x.h5")` or `model.save("x.keras")`: a Sequential model, or a functional one
/// that is a chain, of Embedding, SimpleRNN, GRU (both reset conventions), LSTM,
/// GlobalMaxPooling1D, GlobalAveragePooling1D, Dense, activations, BatchNormalization,
/// LayerNormalization and Dropout. With mask_zero symbol 0 is padding, which changes no state.
///
/// Throws NetworkFileError: one line with the file, the layer, expected and found. Nothing in the
/// file can run; work and memory stay within a small multiple of its size.
[[nodiscard]] NetworkSpec read_keras(std::span<const std::byte> bytes, const std::string& file,
                                     const ReadOptions& options = {});

}  // namespace rnnalf
