#include "rnnalf/automaton/named_dfa.hpp"

#include <string>
#include <vector>

#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

/// The symbols for a message, the first dozen of them.
std::string listed(const Alphabet& alphabet) {
  std::string text;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    if (i == 12) return text + " ...";
    text += (i > 0 ? " " : "") + alphabet.names()[i];
  }
  return text;
}

}  // namespace

Dfa reorder(const NamedDfa& automaton, const Alphabet& order) {
  const Alphabet& alphabet = automaton.alphabet;
  const Dfa& dfa = automaton.dfa;
  std::vector<Symbol> source;
  for (const std::string& name : order.names()) {
    const auto found = alphabet.find(name);
    if (!found) {
      throw OptionError("alphabet: expected a symbol '" + name +
                        "', found only: " + listed(alphabet));
    }
    source.push_back(*found);
  }
  for (const std::string& name : alphabet.names()) {
    if (!order.find(name)) {
      throw OptionError("alphabet: expected only the symbols " + listed(order) + ", found '" +
                        name + "'");
    }
  }
  Dfa result = dfa;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    for (std::size_t a = 0; a < source.size(); ++a) {
      const auto state = static_cast<LState>(q);
      result.set_next(state, static_cast<Symbol>(a), dfa.next(state, source[a]));
    }
  }
  return result;
}

}  // namespace rnnalf
