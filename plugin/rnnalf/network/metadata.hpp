#pragma once

#include <cstddef>
#include <map>
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

/// A JSON array of strings: the symbols in index order. White space has no place in a symbol's
/// name: blank, tab and newline become U+2423, U+2409 and U+2424. Throws NetworkFileError.
[[nodiscard]] Alphabet parse_alphabet(const std::string& text, const TextPlace& place);

/// A JSON array of strings: the names of the classes in index order. Throws NetworkFileError.
[[nodiscard]] ClassNames parse_classes(const std::string& text, const TextPlace& place);

/// Names of symbols by their index.
struct Vocabulary {
  std::map<std::size_t, std::string> names{};
  bool is_list = false;  ///< whether it says every index from 0, and not some by number
};

/// Symbols as training programs save them: a JSON list of them, a JSON dictionary from symbol to
/// index or from index to symbol, or one symbol per line; or a JSON object that has such a thing
/// under `word_index`, `stoi`, `itos` or `vocab`, also inside of `config` or `model`, as Keras's
/// Tokenizer.to_json and others write it. White space becomes visible as in parse_alphabet; an
/// empty name in a list (what TextVectorization has at index 0) is none. Throws NetworkFileError.
[[nodiscard]] Vocabulary parse_vocabulary(const std::string& text, const TextPlace& place);

/// The alphabet of a network with this many symbols. An index that a dictionary leaves out is
/// called by its number, `#0`: Keras's Tokenizer begins at 1. A list has to name all. What is named
/// beyond the network's symbols is left out; `said` gets a sentence for both. Throws
/// NetworkFileError.
[[nodiscard]] Alphabet alphabet_of(const Vocabulary& vocabulary, std::size_t symbols,
                                   const TextPlace& place, std::vector<std::string>& said);

/// A JSON array of probes: pairs [word, score] or objects {"word": word, "score": score}. A word is
/// an array of symbols or of their indices, or a text as Alphabet::parse_word reads it; a score is
/// the probability of accept, or an array with that of each class. Throws NetworkFileError.
[[nodiscard]] std::vector<Probe> parse_probes(const std::string& text, const Alphabet& alphabet,
                                              const TextPlace& place);

}  // namespace rnnalf
