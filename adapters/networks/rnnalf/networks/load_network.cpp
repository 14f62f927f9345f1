#include "rnnalf/networks/load_network.hpp"

#include <algorithm>
#include <span>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/keras/keras_reader.hpp"
#include "rnnalf/network/metadata.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "rnnalf/pytorch/state_dict_reader.hpp"
#include "rnnalf/safetensors/safetensors_reader.hpp"

namespace rnnalf {
namespace {

// A vocabulary or a list of probes.
constexpr std::size_t kLargestText = std::size_t{64} << 20U;

/// What a file that is no network looks like, in words.
std::string describe(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  const std::size_t looked_at = std::min<std::size_t>(bytes.size(), 512);
  const bool text =
      std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(looked_at),
                  [](char c) { return c == '\n' || c == '\r' || c == '\t' || c >= ' '; });
  if (bytes.starts_with("version https://git-lfs")) {
    return "a Git LFS pointer (fetch the file itself with: git lfs pull)";
  }
  return text ? "text" : "other data";
}

LoadedNetwork read(std::string_view content, const std::string& file, const ReadOptions& options) {
  const auto bytes = std::as_bytes(std::span(content));
  if (looks_like_keras(bytes)) return {NetworkFormat::Keras, read_keras(bytes, file, options)};
  // Before PyTorch: the length of a header, such as 640, can begin as a pickle does. The other way
  // round, no file of torch.save has a length and a brace there.
  if (looks_like_safetensors(bytes)) {
    return {NetworkFormat::Safetensors, read_safetensors(bytes, file, options)};
  }
  if (looks_like_state_dict(bytes)) {
    return {NetworkFormat::StateDict, read_state_dict(bytes, file, options)};
  }
  if (looks_like_onnx(bytes)) return {NetworkFormat::Onnx, read_onnx(bytes, file, options)};
  throw NetworkFileError(
      file, "expected a network (ONNX, PyTorch, safetensors or Keras), found " + describe(content));
}

}  // namespace

std::string kind_of(NetworkFormat format, const NetworkSpec& spec) {
  return spec.kind.empty() ? std::string(name(format)) : spec.kind;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::string_view name(NetworkFormat format) noexcept {
  switch (format) {
    case NetworkFormat::Onnx:
      return "ONNX";
    case NetworkFormat::StateDict:
      return "PyTorch state_dict";
    case NetworkFormat::Safetensors:
      return "safetensors";
    case NetworkFormat::Keras:
      return "Keras";
  }
  return "";
}

LoadedNetwork load_network(const std::filesystem::path& path, const ReadOptions& options) {
  ReadOptions given = options;
  if (given.folder.empty()) given.folder = folder_of(path);
  return parse_network(read_file(path, kLargestNetworkFile), path.string(), given);
}

LoadedNetwork parse_network(std::string_view bytes, const std::string& file,
                            const ReadOptions& options) {
  if (!options.vocabulary.empty() && options.alphabet) {
    throw OptionError("vocabulary: expected an alphabet or a vocabulary, found both");
  }
  LoadedNetwork network = read(bytes, file, options);
  if (!options.vocabulary.empty()) {
    const TextPlace place{options.vocabulary.string(), ""};
    const Vocabulary vocabulary =
        parse_vocabulary(read_file(options.vocabulary, kLargestText), place);
    NetworkSpec& spec = network.spec;
    spec.alphabet = alphabet_of(vocabulary, spec.symbol_count(), place, spec.assumed);
  }
  if (!options.probes.empty()) {
    std::vector<Probe> probes = parse_probes(read_file(options.probes, kLargestText),
                                             network.spec.alphabet, {options.probes.string(), ""});
    if (probes.empty()) {
      throw NetworkFileError(options.probes.string(), "expected probes, found none");
    }
    network.spec.probes.insert(network.spec.probes.end(), probes.begin(), probes.end());
  }
  flush_subnormals(network.spec);
  return network;
}

}  // namespace rnnalf
