#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// The words of a text that was read from a file of this name, one per line; an empty line is the
/// empty word. Throws FileError with file, line, expected and found.
[[nodiscard]] std::vector<Word> parse_words(std::string_view text, const std::string& file,
                                            const Alphabet& alphabet);

}  // namespace rnnalf
