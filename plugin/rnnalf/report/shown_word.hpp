#pragma once

#include <cstddef>
#include <string>

#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// Columns of the access word in the picture of a state.
inline constexpr std::size_t kAccessWordWidth = 12;

/// A word for people, in at most `width` columns (at least 12): as it is written where that fits,
/// else with repetitions as powers, `0(01)⁵⁰`, else its two ends and its length, `0110…0111 [904]`.
/// The empty word is `ε`; without `utf8` it is `""` and powers are `(01)^50`. Printable.
[[nodiscard]] std::string shown_word(const Alphabet& alphabet, WordView word, std::size_t width,
                                     bool utf8);

}  // namespace rnnalf
