#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Numbers as people read them.
namespace rnnalf {

/// `0.8 ms`, `12 s`, `4 min 10 s`, `3 h 5 min`.
[[nodiscard]] std::string format_seconds(double seconds);
/// `57`, `12,904`.
[[nodiscard]] std::string format_count(std::uint64_t count);
/// `99.9` for a share of 0.9999 and one digit: in percent, rounded down, so that 100 means all.
[[nodiscard]] std::string format_percent_down(double share, int digits);
/// `1 word`, `12,904 words`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular,
                                  std::string_view plural);

}  // namespace rnnalf
