#pragma once

#include <string>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/certify/certify.hpp"

namespace rnnalf {

/// The words of a claim: "all words of up to 5 symbols".
[[nodiscard]] std::string claimed_words(const certify::Claim& claim, const Alphabet& alphabet);

/// What a search for a proof came to, in a few lines. Words in it take at most `width` columns.
[[nodiscard]] std::string certification_text(const Certification& result, const Alphabet& alphabet,
                                             std::size_t width, bool utf8);

/// The same in one sentence, about the result of a run.
[[nodiscard]] std::string proof_sentence(const Certification& found, const Alphabet& alphabet,
                                         std::size_t width, bool utf8);

}  // namespace rnnalf
