#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace rnnalf {

/// Whether a study file is JSON: TOML never begins with a brace.
[[nodiscard]] bool is_json(std::string_view text);

/// A study file in JSON as the tree that TOML gives: `{"networks": [...], "experiment": [{...}]}`.
/// Keys have no line, and columns in their order. Throws FileError with file and place.
[[nodiscard]] toml::table table_of_json(const std::string& text, const std::string& file);

}  // namespace rnnalf
