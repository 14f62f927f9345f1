#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16U;

/// Permissions a new file would get; mkstemp gives fewer.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Output::Output(const std::string& path) : name_(path) {
  if (name_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (name_.empty()) throw FileError("''", "expected the name of a file to write");
  // A link stays a link: what it points to is replaced.
  target_ = name_;
  std::error_code error;
  if (std::filesystem::is_symlink(target_, error)) {
    target_ = std::filesystem::weakly_canonical(target_, error);
    if (error) fail(error.value());
  }
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
    temporary_.clear();
    fail(errno);
  }
  ::fchmod(descriptor_, exists ? found.st_mode & 07777 : usual_mode());
}

Output::~Output() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  buffer_ += text;
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
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
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

void Outputs::write(const std::optional<std::string>& file,
                    const std::function<std::string()>& text) {
  if (!file) return;
  took_stdout_ = took_stdout_ || *file == "-";
  write_output(*file, text());
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
