#pragma once

#include <sys/resource.h>

#include <csignal>

namespace rnnalf::support {

/// While it exists, this process cannot make a file larger than so many bytes: what a full disk
/// does, short writes included.
class FullDisk {
 public:
  explicit FullDisk(rlim_t most) {
    before_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{most, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_handler_);
  }

 private:
  rlimit before_{};
  void (*before_handler_)(int) = nullptr;
};

}  // namespace rnnalf::support
