#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/option_table.hpp"
#include "rnnalf/network/read_options.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace rnnalf {

/// What can be said about a network beside its file.
struct NetworkOptions {
  ReadOptions read = {};
  Tokens tokens = {};                     ///< how words are shown to the network
  std::optional<Answer> empty_word = {};  ///< answer for the empty word; none: the network's own
  Precision precision = Precision::Float;

  [[nodiscard]] static const std::vector<OptionField<NetworkOptions>>& table();
};

/// A network as it was read, ready to be asked; its probes have passed.
struct OpenNetwork {
  NetworkFormat format = NetworkFormat::Onnx;
  NetworkSpec spec;
  Network network;
};

/// Throws FileError and NetworkFileError, as load_network and make_network do.
[[nodiscard]] OpenNetwork open_network(const std::filesystem::path& path,
                                       const NetworkOptions& options = {});

/// The same from bytes that were read already; `file` is used in messages.
[[nodiscard]] OpenNetwork open_network(std::string_view bytes, const std::string& file,
                                       const NetworkOptions& options);

}  // namespace rnnalf
