#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace rnnalf {

/// The bytes of a file or pipe. Throws FileError when it does not exist, is a directory, cannot be
/// read or is larger than `limit` bytes; the message says which.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace rnnalf
