#pragma once

#include <cstddef>

namespace rnnalf {

// What this process has used of the machine. For reports and limits on memory; no result depends
// on it. Each function may be called from any thread.

/// Processor time of all threads, user and system, in seconds.
[[nodiscard]] double cpu_seconds() noexcept;

/// Bytes of memory the process holds now; 0 where the system does not say.
[[nodiscard]] std::size_t resident_bytes() noexcept;

/// The most bytes of memory the process held at once; 0 where the system does not say.
///
/// On Linux this is VmHWM of /proc/self/status, which starts anew with the program. ru_maxrss of
/// getrusage does not: it survives exec, so a program started by a large process reports that one.
[[nodiscard]] std::size_t peak_memory_bytes() noexcept;

}  // namespace rnnalf
