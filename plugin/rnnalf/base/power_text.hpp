#pragma once

#include <string>
#include <string_view>

#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// A word repeated, as text: `0^7`, `(01)^7` or `(01)^k`. The one notation for pumped words: their
/// parts stand with spaces between them. Brackets and `^` are replaced where a symbol contains
/// them.
[[nodiscard]] std::string power_text(const Alphabet& alphabet, WordView once,
                                     std::string_view exponent);

/// A pumped word: `1 (01)^7 0`. Empty parts are left out.
[[nodiscard]] std::string pumped_text(const Alphabet& alphabet, WordView prefix, WordView loop,
                                      std::string_view exponent, WordView suffix);

}  // namespace rnnalf
