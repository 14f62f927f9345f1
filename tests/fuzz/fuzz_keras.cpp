// Any bytes as a Keras file: a network that passes its checks, or a NetworkFileError of one line.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/keras/keras_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  static_cast<void>(rnnalf::looks_like_keras(bytes));
  try {
    static_cast<void>(rnnalf::read_keras(bytes, "fuzz"));
  } catch (const rnnalf::NetworkFileError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
