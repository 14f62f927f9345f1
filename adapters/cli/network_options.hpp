#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/network/read_options.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace rnnalf::cli {

/// What every command that takes a network lets the user say about it.
struct NetworkOptions {
  ReadOptions read;
  std::optional<bool> empty_word;  ///< answer for the empty word; none: the network's own
  Precision precision = Precision::Float;
};

/// --alphabet, --vocabulary, --cell, --head-from, --activation, --probes, --accept-class,
/// --empty-word, --precision, followed by `more`.
[[nodiscard]] std::vector<Option> with_network_options(std::vector<Option> more);

/// Throws UsageError.
[[nodiscard]] NetworkOptions network_options(const Arguments& arguments);

/// A network as it was read, ready to be asked; its probes have passed.
struct OpenNetwork {
  NetworkFormat format = NetworkFormat::Onnx;
  NetworkSpec spec;
  Network network;
};

/// Reads the file and builds the acceptor.
[[nodiscard]] OpenNetwork open_network(const std::string& path, const NetworkOptions& options);

}  // namespace rnnalf::cli
