#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace rnnalf {

/// Is given one line that says where in a text something is wrong, and what; throws.
using JsonRefusal = std::function<void(const std::string& message)>;

/// JSON from a file or a user: every parser of ours goes through here. What cannot be read, a
/// number too large for a double included, is refused with its line and column. So are more than
/// `most_depth` arrays and objects inside of each other.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, int most_depth,
                                        const JsonRefusal& refuse);

}  // namespace rnnalf
