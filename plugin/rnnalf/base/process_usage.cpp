#include "rnnalf/base/process_usage.hpp"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <memory>

namespace rnnalf {
namespace {

struct CloseProcFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseProcFile>;

}  // namespace

double cpu_seconds() noexcept {
  std::timespec used{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

std::size_t resident_bytes() noexcept {
  // The second number of statm is resident pages.
  const File file(std::fopen("/proc/self/statm", "r"));
  unsigned long total = 0, resident = 0;
  if (!file || std::fscanf(file.get(), "%lu %lu", &total, &resident) != 2) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t peak_memory_bytes() noexcept {
  const File file(std::fopen("/proc/self/status", "r"));
  char line[256];
  while (file && std::fgets(line, sizeof line, file.get()) != nullptr) {
    unsigned long kilobytes = 0;
    if (std::sscanf(line, "VmHWM: %lu kB", &kilobytes) == 1) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace rnnalf
