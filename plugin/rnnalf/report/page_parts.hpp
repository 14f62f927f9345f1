#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rnnalf::detail {

/// A page without its data, from the files of the folder page/, built in.
struct PageParts {
  std::string_view body;
  std::string_view style;
  std::string_view script;
  std::string_view style_hash;  ///< as a content security policy wants it
  std::string_view script_hash;
};

extern const PageParts k_extraction_page;
extern const PageParts k_comparison_page;

/// A whole, self-contained HTML document. `json` is what the script reads; its policy allows the
/// page's own script and style and no request to anywhere.
[[nodiscard]] std::string assemble_page(const PageParts& parts, std::string_view title,
                                        std::string_view json);

/// Text between tags.
[[nodiscard]] std::string escaped_text(std::string_view text);

/// What a piece of JSON takes there.
[[nodiscard]] std::size_t bytes_in_page(std::string_view json);

}  // namespace rnnalf::detail
