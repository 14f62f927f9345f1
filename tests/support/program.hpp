#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace rnnalf::support {

/// What a shell command writes to standard output. Throws when the command fails.
inline std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string output;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) {
    output.append(part.data(), count);
  }
  if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return output;
}

}  // namespace rnnalf::support
