#include "rnnalf/networks/load_network.hpp"

#include <algorithm>
#include <span>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"
#include "rnnalf/pytorch/state_dict_reader.hpp"

namespace rnnalf {
namespace {

// Protobuf itself reads no more.
constexpr std::size_t kLargestFile = std::size_t{2} << 30U;

/// What a file that is no network looks like, in words.
std::string describe(const std::string& bytes) {
  if (bytes.empty()) return "an empty file";
  const std::size_t looked_at = std::min<std::size_t>(bytes.size(), 512);
  const bool text =
      std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(looked_at),
                  [](char c) { return c == '\n' || c == '\r' || c == '\t' || c >= ' '; });
  if (bytes.starts_with("version https://git-lfs")) {
    return "a Git LFS pointer (fetch the file itself with: git lfs pull)";
  }
  if (bytes.starts_with("\x89HDF")) return "an HDF5 file (Keras); export it to ONNX";
  return text ? "text" : "other data";
}

LoadedNetwork read_network(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string file = path.string();
  const std::string content = read_file(path, kLargestFile);
  const auto bytes = std::as_bytes(std::span(content));
  if (looks_like_state_dict(bytes)) {
    return {NetworkFormat::StateDict, read_state_dict(bytes, file, options)};
  }
  if (looks_like_onnx(bytes)) return {NetworkFormat::Onnx, read_onnx(bytes, file, options)};
  throw NetworkFileError(
      file, "expected a network (ONNX or PyTorch state_dict), found " + describe(content));
}

}  // namespace

std::string_view name(NetworkFormat format) noexcept {
  return format == NetworkFormat::Onnx ? "ONNX" : "PyTorch state_dict";
}

LoadedNetwork load_network(const std::filesystem::path& path, const ReadOptions& options) {
  LoadedNetwork network = read_network(path, options);
  flush_subnormals(network.spec);
  return network;
}

}  // namespace rnnalf
