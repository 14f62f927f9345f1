#pragma once

#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/class_names.hpp"
#include "rnnalf/network/spec.hpp"

// Symbols, classes and probes as text, inside of network files or beside them.

namespace rnnalf {

/// Where a text lies, for messages: `file` and what it is there, such as "metadata
/// 'rnnalf.probes'".
struct TextPlace {
  std::string file;
  std::string what;  ///< or empty: all of the file
};

/// A JSON array of strings: the symbols in index order. Throws NetworkFileError.
[[nodiscard]] Alphabet parse_alphabet(const std::string& text, const TextPlace& place);

/// A JSON array of strings: the names of the classes in index order. Throws NetworkFileError.
[[nodiscard]] ClassNames parse_classes(const std::string& text, const TextPlace& place);

/// Symbols as training programs save them: a JSON list of them, a JSON dictionary from symbol to
/// index or from index to symbol, or one symbol per line. White space has no place in a symbol's
/// name: blank, tab and newline become U+2423, U+2409 and U+2424. Throws NetworkFileError.
[[nodiscard]] Alphabet parse_vocabulary(const std::string& text, const TextPlace& place);

/// A JSON array of pairs [word, probability of accept] or [word, [probability of each class]]. A
/// word is an array of symbols or of their indices, or a text as Alphabet::parse_word reads it.
/// Throws NetworkFileError.
[[nodiscard]] std::vector<Probe> parse_probes(const std::string& text, const Alphabet& alphabet,
                                              const TextPlace& place);

}  // namespace rnnalf
