#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rnnalf::cli {

/// Where a command writes a result: standard output, or a file that appears whole or not at all.
///
/// A file is written under a temporary name beside its place and renamed by `commit`; without
/// `commit` nothing is left behind. Every failure to write, a full disk or a closed standard
/// output, is a FileError that names the file.
class Output {
 public:
  /// `-` is standard output.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  [[nodiscard]] bool is_stdout() const noexcept { return name_ == "-"; }
  void write(std::string_view text);
  /// Hands what was written to the reader of a pipe; a file still waits for `commit`.
  void flush();
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string name_;
  std::filesystem::path target_;
  std::string temporary_;  // empty: written in place (standard output, devices, pipes)
  int descriptor_ = -1;
  std::string buffer_;
};

/// Writes a whole file at once.
void write_output(const std::string& path, std::string_view text);

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file we open becomes "standard
/// output" by accident when the caller closed it. Call first in main.
void claim_standard_descriptors();

}  // namespace rnnalf::cli
