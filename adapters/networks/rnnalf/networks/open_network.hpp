#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/network.hpp"
#include "rnnalf/base/option_table.hpp"
#include "rnnalf/language_model/language_model.hpp"
#include "rnnalf/network/read_options.hpp"
#include "rnnalf/networks/load_network.hpp"

namespace rnnalf {

/// What can be said about a network beside its file.
struct NetworkOptions {
  ReadOptions read = {};
  Tokens tokens = {};                     ///< how words are shown to the network
  std::optional<Answer> empty_word = {};  ///< answer for the empty word; none: the network's own
  std::optional<GivenClass> empty_class = {};  ///< instead of `empty_word`: a class by its name
  Precision precision = Precision::Float;
  bool language_model = false;  ///< its outputs are the probabilities of the next symbol

  [[nodiscard]] static const std::vector<OptionField<NetworkOptions>>& table();
};

/// A network as it was read, ready to be asked; its probes have passed.
struct OpenNetwork {
  NetworkFormat format = NetworkFormat::Onnx;
  Network network;  ///< with its weights

  [[nodiscard]] const NetworkSpec& spec() const { return *network.spec; }
};

/// Answer for the empty word, with the class that a name means. Throws NetworkFileError.
[[nodiscard]] std::optional<Answer> answer_for_empty_word(const NetworkOptions& options,
                                                          const NetworkSpec& spec);

/// Throws FileError and NetworkFileError, as load_network and make_network do, and OptionError for
/// a language model, which neither accepts nor rejects.
[[nodiscard]] OpenNetwork open_network(const std::filesystem::path& path,
                                       const NetworkOptions& options = {});

/// The network as a language model, whatever `options.language_model` says.
[[nodiscard]] LanguageModel open_language_model(const std::filesystem::path& path,
                                                const NetworkOptions& options);

/// The same from bytes that were read already; `file` is used in messages.
[[nodiscard]] OpenNetwork open_network(std::string_view bytes, const std::string& file,
                                       const NetworkOptions& options);

}  // namespace rnnalf
