// Any bytes as a Keras file: a network that passes its checks, or a NetworkFileError of one line.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "../unit/pytorch/file_builders.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/keras/keras_reader.hpp"

namespace {

void read(std::span<const std::byte> bytes) {
  static_cast<void>(rnnalf::looks_like_keras(bytes));
  try {
    static_cast<void>(rnnalf::read_keras(bytes, "fuzz"));
  } catch (const rnnalf::NetworkFileError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

/// A changed entry of an archive mostly dies of its checksum. So `parts:`, a description, a zero
/// byte and weights become an archive in which all checksums are right.
std::string archive_of(std::string_view parts) {
  using rnnalf::test::ZipEntry;
  const std::size_t end = std::min(parts.find('\0'), parts.size());
  const std::string config(parts.substr(0, end));
  const std::string weights(parts.substr(std::min(end + 1, parts.size())));
  const bool old = parts.size() % 2 == 0;
  return rnnalf::test::zip({ZipEntry{.name = "metadata.json",
                                     .content = old ? "{\"keras_version\": \"2.15.0\"}"
                                                    : "{\"keras_version\": \"3.3.3\"}"},
                            ZipEntry{.name = "config.json", .content = config},
                            ZipEntry{.name = "model.weights.h5", .content = weights}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view mark = "parts:";
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  read(std::as_bytes(std::span(data, size)));
  if (input.starts_with(mark)) {
    const std::string archive = archive_of(input.substr(mark.size()));
    read(std::as_bytes(std::span(archive.data(), archive.size())));
  }
  return 0;
}
