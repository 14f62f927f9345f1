#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/base/text.hpp"
#include "usage.hpp"

namespace rnnalf::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 16U;

/// Permissions a new file would get; mkstemp gives fewer.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Where a path leads through links, the last of which may lead to nothing: a link stays a link,
/// and what it points to is written.
fs::path behind_links(fs::path path, std::error_code& error) {
  constexpr int kMostLinks = 40;  // as Linux has it
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    if (links == kMostLinks) {
      error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
      return path;
    }
    const fs::path to = fs::read_symlink(path, error);
    if (error) return path;
    path = path.parent_path() / to;  // an absolute one replaces what is before it
  }
  error.clear();
  return path;
}

/// Temporary files by the names a signal handler finds them under. Those of a program that writes
/// more at once than there are places for stay when a signal ends it.
class TemporaryFiles {
 public:
  void add(const char* name) noexcept { exchange(nullptr, name); }
  void remove(const char* name) noexcept { exchange(name, nullptr); }
  /// Safe in a signal handler.
  void unlink_all() noexcept {
    for (auto& place : names_) {
      if (const char* const name = place.load()) ::unlink(name);
    }
  }

 private:
  void exchange(const char* from, const char* to) noexcept {
    for (auto& place : names_) {
      const char* expected = from;
      if (place.compare_exchange_strong(expected, to)) return;
    }
  }

  static_assert(std::atomic<const char*>::is_always_lock_free, "used in a signal handler");
  std::array<std::atomic<const char*>, 16> names_{};
};

TemporaryFiles temporary_files;

}  // namespace

void remove_temporary_files() noexcept {
  temporary_files.unlink_all();
}

Output::Output(const std::string& path) : name_(path) {
  if (name_ == "-") {
    descriptor_ = STDOUT_FILENO;
    to_terminal_ = ::isatty(descriptor_) == 1;
    return;
  }
  if (name_.empty()) throw FileError("''", "expected the name of a file to write");
  std::error_code error;
  target_ = behind_links(name_, error);
  if (error) fail(error.value());
  struct stat found {};
  const bool exists = ::stat(target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(found.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  temporary_ = (target_.parent_path() / ".rnnalf-XXXXXX").string();
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    const int reason = errno;
    temporary_.clear();
    fail(reason);
  }
  temporary_files.add(temporary_.c_str());
  ::fchmod(descriptor_, exists ? found.st_mode & 07777 : usual_mode());
}

Output::~Output() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  temporary_files.remove(temporary_.c_str());
}

void Output::write(std::string_view text) {
  buffer_ += to_terminal_ ? terminal_text(text, Colours::Ours) : text;
  if (buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  std::size_t written = 0;
  while (written < buffer_.size()) {
    const ssize_t count = ::write(descriptor_, buffer_.data() + written, buffer_.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      buffer_.clear();
      fail(errno);
    }
  }
  buffer_.clear();
}

void Output::commit() {
  flush();
  if (descriptor_ == STDOUT_FILENO) return;
  // On the disk before it has its name: after a power failure the name stands for the whole file,
  // or for the old one.
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_files.remove(temporary_.c_str());
  temporary_.clear();
}

void Output::fail(int error) const {
  throw FileError(is_stdout() ? "standard output" : name_,
                  fmt::format("cannot write: {}", std::strerror(error)));
}

void write_output(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

namespace {

/// A file by where it is, so that two names of it are seen to be one.
struct Place {
  fs::path path;
  std::optional<std::pair<dev_t, ino_t>> number;  // none: it does not exist yet
};

/// None for what two may share: standard input and output, devices, pipes.
std::optional<Place> place_of(const std::string& file) {
  if (file == "-" || file.empty()) return std::nullopt;
  std::error_code error;
  fs::path path = behind_links(file, error);
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    return Place{fs::weakly_canonical(fs::absolute(path, error), error), std::nullopt};
  }
  if (!S_ISREG(found.st_mode)) return std::nullopt;
  return Place{std::move(path), std::pair(found.st_dev, found.st_ino)};
}

bool is_same(const Place& a, const Place& b) {
  if (a.number || b.number) return a.number == b.number;
  return a.path == b.path;
}

void refuse_same_file(const NamedFile& output, const NamedFile& other) {
  if (!output.file || !other.file) return;
  const auto to = place_of(*output.file);
  const auto from = place_of(*other.file);
  if (!to || !from || !is_same(*to, *from)) return;
  throw UsageError(fmt::format("{} and {} are the same file, {}. Give {} another name.",
                               output.name, other.name, in_quotes(*output.file), output.name));
}

/// Tries what can be tried without a reader of a pipe noticing.
void require_writable(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
    return;
  }
  const Output attempt(file);
}

}  // namespace

Inputs& Inputs::add(const NetworkOptions& options) {
  for (const auto& [name, file] : {std::pair{"--vocabulary", options.read.vocabulary},
                                   std::pair{"--probes", options.read.probes}}) {
    if (!file.empty()) add(name, file.string());
  }
  return *this;
}

Outputs::Outputs(std::initializer_list<NamedFile> outputs, const Inputs& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (const NamedFile& input : inputs.files()) refuse_same_file(*output, input);
    for (auto other = outputs.begin(); other != output; ++other) refuse_same_file(*output, *other);
    took_stdout_ = took_stdout_ || output->file == "-";
  }
  for (const NamedFile& output : outputs) {
    if (output.file) require_writable(*output.file);
  }
}

bool Outputs::attempt(const std::function<void()>& part) {
  try {
    part();
    return true;
  } catch (const Error& error) {
    failed_ += (failed_.empty() ? "" : "; ") + std::string(error.what());
    return false;
  }
}

void Outputs::write(const std::optional<std::string>& file,
                    const std::function<std::string()>& text) {
  if (!file) return;
  attempt([&] { write_output(*file, text()); });
}

void Outputs::finish() const {
  if (!failed_.empty()) throw Error(failed_);
}

void claim_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // Opened for the wrong direction, so that using it is still an error. open() returns the lowest
    // free number, which is this descriptor.
    const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
}

}  // namespace rnnalf::cli
