#pragma once

#include <string>
#include <vector>

#include "rnnalf/base/alphabet.hpp"

namespace rnnalf {

/// How words are shown to a network that was trained on sentences: with symbols in front of and
/// behind every word, and over some of its symbols alone. In names, as users give them; a name that
/// is no symbol may stand for several symbols of one character, such as `ab` for `a b`.
struct Tokens {
  std::vector<std::string> begin = {};  ///< in front of every word, in this order
  std::vector<std::string> end = {};    ///< behind every word, in this order
  /// The symbols that words are made of, in the order they are to have. Empty: all that neither
  /// begin nor end a word nor are padding, in the network's order.
  std::vector<std::string> over = {};

  [[nodiscard]] bool none() const { return begin.empty() && end.empty() && over.empty(); }
};

/// The same in symbols of the network's own alphabet: a word w over `alphabet` is shown as
/// begin w end, each symbol a of w as over[a].
struct Presentation {
  Word begin = {};
  Word end = {};
  std::vector<Symbol> over = {};
  Alphabet alphabet = {};  ///< the names of `over`
};

/// Throws NetworkFileError that names what `network` has, where a name is not a symbol of it or
/// words would have no symbols.
[[nodiscard]] Presentation present(const Tokens& tokens, const Alphabet& network,
                                   const std::string& file,
                                   const std::vector<Symbol>& padding = {});

}  // namespace rnnalf
