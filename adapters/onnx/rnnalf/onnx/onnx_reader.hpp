#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rnnalf/network/read_options.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// Whether the bytes are an ONNX model or the beginning of one: top-level fields of ONNX's schema
/// up to a graph. Says nothing about what is in the graph.
[[nodiscard]] bool looks_like_onnx(std::span<const std::byte> bytes);

/// Reads a recurrent classifier from the bytes of an ONNX file; `file` is used in messages only.
///
/// The graph is read by meaning, from its first output backwards: symbols (one-hot float input,
/// OneHot node, or an embedding) through RNN, GRU or LSTM nodes and the last time step into dense
/// layers that end in one score or in class scores. Nodes that only move axes are followed, sizes
/// and constants are computed; words are run one at a time, so a batch axis is one of length 1. A
/// loop over the word may be a Loop or Scan node, or written out with a copy of the step for every
/// symbol.
///
/// Metadata, both optional:
///   rnnalf.alphabet  JSON array of strings: the symbols in index order
///   rnnalf.classes   JSON array of strings: the names of the classes in the order of the outputs
///   rnnalf.probes    JSON array of pairs [word, probability]: the word an array of symbol strings,
///                    the probability of accept a number from 0 to 1, as the trainer computed it,
///                    e.g. [[["a","b"],0.93],[[],0.02]]; see parse_probes. Symbols are those of
///                    rnnalf.alphabet, or "0", "1", ... without one, whatever the options say.
///
/// Tensors may have their numbers in a file beside the model where options name its folder.
///
/// Throws NetworkFileError: one line with the file, the node or tensor, expected and found. Work
/// and memory stay within a small multiple of the file's size, whatever is in it. Thread-safe.
[[nodiscard]] NetworkSpec read_onnx(std::span<const std::byte> bytes, const std::string& file,
                                    const ReadOptions& options = {});

}  // namespace rnnalf
