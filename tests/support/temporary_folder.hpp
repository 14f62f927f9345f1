#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace rnnalf::support {

/// An empty folder of its own, removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device device;  // a name only: nothing that is tested depends on it
    path_ = std::filesystem::temp_directory_path() /
            ("rnnalf-test-" + std::to_string(device()) + std::to_string(device()));
    std::filesystem::create_directory(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file and gives its path.
  [[nodiscard]] std::filesystem::path file(const std::string& name,
                                           const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace rnnalf::support
