#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rnnalf::cli {

/// Where a command writes a result: standard output, or a file that is written completely or not at
/// all.
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
  /// Sends what was written to the reader of a pipe; a file still appears at `commit` only.
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

/// The outputs that a command was asked for, each by an option with the name of a file.
class Outputs {
 public:
  /// Writes what `text` returns, if the option was given; else does not call it.
  void write(const std::optional<std::string>& file, const std::function<std::string()>& text);

  /// Whether one of them was standard output, so that nothing else may go there.
  [[nodiscard]] bool took_stdout() const noexcept { return took_stdout_; }

 private:
  bool took_stdout_ = false;
};

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file we open becomes "standard
/// output" by accident when the caller closed it. Call first in main.
void claim_standard_descriptors();

}  // namespace rnnalf::cli
