#pragma once

#include <string>
#include <string_view>

namespace rnnalf {

/// A text as it stands in HTML and XML, between tags and within quotes. Control characters, which
/// XML does not have, are left out, but for tabs and line feeds.
[[nodiscard]] std::string escaped_markup(std::string_view text);

}  // namespace rnnalf
