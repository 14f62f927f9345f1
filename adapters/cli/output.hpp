#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/networks/open_network.hpp"

namespace rnnalf::cli {

/// Where a command writes a result: standard output, or a file that is written completely or not at
/// all.
///
/// A file is written under a temporary name beside its place; `commit` waits until it is on the
/// disk and renames it. Without `commit` nothing is left behind. Every failure to write, a full
/// disk or a closed standard output, is a FileError that names the file.
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
  bool to_terminal_ = false;  // data that nobody asked to see as they are
  std::string buffer_;
};

/// Writes a whole file at once.
void write_output(const std::string& path, std::string_view text);

/// A file that the command line names, and how it names it: `--json`, `NET`.
struct NamedFile {
  std::string name;
  std::optional<std::string> file;  ///< none: it was not given
};

/// What a command reads, to be handed to Outputs.
class Inputs {
 public:
  Inputs& add(const std::string& name, const std::optional<std::string>& file) {
    files_.push_back({name, file});
    return *this;
  }
  Inputs& add(const std::string& name, const std::vector<std::string>& files) {
    for (const std::string& file : files) files_.push_back({name, file});
    return *this;
  }
  /// The files that these options name.
  Inputs& add(const NetworkOptions& options);

  [[nodiscard]] const std::vector<NamedFile>& files() const { return files_; }

 private:
  std::vector<NamedFile> files_;
};

/// The outputs that a command was asked for, each by the name of a file.
///
/// Made before the work begins: what cannot be written, or would overwrite what the command reads,
/// is refused then. What fails later does not keep the others from being written.
class Outputs {
 public:
  /// Throws UsageError when an output is the file of an input or of another output, and FileError
  /// when one cannot be written. `-`, devices and pipes are never the same file.
  Outputs(std::initializer_list<NamedFile> outputs, const Inputs& inputs);

  /// Writes what `text` returns, if the option was given; else does not call it. A failure is
  /// remembered for `finish`.
  void write(const std::optional<std::string>& file, const std::function<std::string()>& text);
  /// Does part of an output; a failure is remembered for `finish`. False: it failed.
  bool attempt(const std::function<void()>& part);
  /// To be called last. Throws what failed, if anything did.
  void finish() const;

  /// Whether one of them is standard output, so that nothing else may go there.
  [[nodiscard]] bool took_stdout() const noexcept { return took_stdout_; }

 private:
  bool took_stdout_ = false;
  std::string failed_;  // messages
};

/// Removes the temporary file of every Output there is. Safe in a signal handler that ends the
/// program.
void remove_temporary_files() noexcept;

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file we open becomes "standard
/// output" by accident when the caller closed it. Call first in main.
void claim_standard_descriptors();

}  // namespace rnnalf::cli
