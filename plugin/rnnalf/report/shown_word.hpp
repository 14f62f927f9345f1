#pragma once

#include <cstddef>
#include <string>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/evaluate/families.hpp"

namespace rnnalf {

/// Columns of the access word in the picture of a state.
inline constexpr std::size_t kAccessWordWidth = 12;

/// A word for people, in at most `width` columns (at least 12): as it is written where that fits,
/// else with repetitions as powers, `0 (01)^50`, else its two ends and its length, `0110…0111
/// [904]`. The empty word is `ε`, without `utf8` it is `""`. Printable.
[[nodiscard]] std::string shown_word(const Alphabet& alphabet, WordView word, std::size_t width,
                                     bool utf8);

/// The words of a family: `0^k 111011, k >= 7`.
[[nodiscard]] std::string family_pattern(const Alphabet& alphabet, const Family& family);

}  // namespace rnnalf
