#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rnnalf {

/// The candidate closest to a mistyped name, none when all are far from it.
[[nodiscard]] std::optional<std::string_view> closest(std::string_view name,
                                                      std::span<const std::string_view> candidates);

/// ", did you mean X?" or nothing.
[[nodiscard]] std::string suggestion(std::string_view prefix, std::string_view name,
                                     std::span<const std::string_view> candidates);

}  // namespace rnnalf
