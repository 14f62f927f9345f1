#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf::check {

/// What a certificate proves, once every obligation in it was found to hold.
struct Theorem {
  std::string words;       ///< "every word", or which
  bool empty_word = true;  ///< false: nothing is said about the empty word
  std::string arithmetic;  ///< "float32" or "float64"
  double margin = 0;       ///< every word's margin is at least this far on the right side of 0
  double slack = 0;        ///< allowed error of every component of the state in every step
  std::size_t sets = 0;    ///< sets of R-states
  std::size_t images = 0;  ///< images of sets that were computed
};

/// Checks all obligations of a certificate. Throws Refused (enclosure.hpp) with the first one that
/// fails; a text that is no certificate is refused in the same way.
[[nodiscard]] Theorem check(const NetworkSpec& network, const Dfa& dfa, std::string_view text);

/// The theorem in one sentence.
[[nodiscard]] std::string sentence(const Theorem& theorem, const Alphabet& alphabet);

}  // namespace rnnalf::check
