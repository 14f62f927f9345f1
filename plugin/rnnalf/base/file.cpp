#include "rnnalf/base/file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(path.string(), std::strerror(errno));
  std::string bytes;
  std::size_t filled = 0;
  while (true) {
    // Grows with what is really there: a pipe has no size, and a size can be a lie.
    bytes.resize(filled + std::max<std::size_t>(filled, std::size_t{1} << 16U));
    filled += std::fread(bytes.data() + filled, 1, bytes.size() - filled, file.get());
    if (filled > limit) {
      throw FileError(path.string(),
                      fmt::format("expected at most {} MiB, found more", limit >> 20U));
    }
    if (std::ferror(file.get()) != 0) throw FileError(path.string(), std::strerror(errno));
    if (std::feof(file.get()) != 0) break;
  }
  bytes.resize(filled);
  bytes.shrink_to_fit();
  return bytes;
}

}  // namespace rnnalf
