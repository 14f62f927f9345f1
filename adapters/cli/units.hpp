#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rnnalf::cli {

// Each throws UsageError that names the option, what was expected and what was found.

/// `90`, `1.5s`, `200ms`, `5m`, `2h`; a number without a unit is seconds.
[[nodiscard]] std::chrono::duration<double> parse_duration(std::string_view option,
                                                           std::string_view text);

/// `1000000`, `200MB`, `4GiB`; k, M, G, T are powers of 1000, Ki, Mi, Gi, Ti powers of 1024.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view option, std::string_view text);

/// A whole number from `least` to `most`.
[[nodiscard]] std::uint64_t parse_count(std::string_view option, std::string_view text,
                                        std::uint64_t least, std::uint64_t most);

/// Such numbers with commas between them, `10,50,100`.
[[nodiscard]] std::vector<std::size_t> parse_counts(std::string_view option, std::string_view text,
                                                    std::uint64_t least, std::uint64_t most);

/// A finite number from `least` to `most`.
[[nodiscard]] double parse_number(std::string_view option, std::string_view text, double least,
                                  double most);

}  // namespace rnnalf::cli
