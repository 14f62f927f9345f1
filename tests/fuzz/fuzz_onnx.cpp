// Any bytes are a network or a NetworkFileError whose message is one line. Tensors may say that
// their numbers lie in another file: there is one, `data`, in the folder that may be read.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/onnx/onnx_reader.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder with 4 KiB of small numbers, removed at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("rnnalf-fuzz-onnx-" + std::to_string(::getpid()));

  Folder() {
    fs::create_directories(path);
    std::ofstream file(path / "data", std::ios::binary);
    for (int i = 0; i < 1024; ++i) {
      const float number = static_cast<float>(i * 37 % 19) / 10.0F - 0.9F;
      file.write(reinterpret_cast<const char*>(&number), sizeof(number));
    }
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const auto bytes = std::as_bytes(std::span(data, size));
  static_cast<void>(rnnalf::looks_like_onnx(bytes));
  rnnalf::ReadOptions options;
  options.folder = folder.path;
  try {
    static_cast<void>(rnnalf::read_onnx(bytes, "fuzz.onnx", options));
  } catch (const rnnalf::NetworkFileError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
