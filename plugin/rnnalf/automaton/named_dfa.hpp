#pragma once

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/class_names.hpp"

namespace rnnalf {

/// An automaton with the names of its symbols, and of its classes where they have some: what an
/// automaton file holds.
struct NamedDfa {
  Alphabet alphabet;
  Dfa dfa;                  ///< dfa.symbol_count() == alphabet.size()
  ClassNames classes = {};  ///< of a Moore machine, as many as it has answers; or none

  bool operator==(const NamedDfa&) const = default;
};

/// The same language with the symbols numbered as in `order`. Symbols are matched by name.
/// Throws OptionError that names the first symbol which only one of the two alphabets has.
[[nodiscard]] Dfa reorder(const NamedDfa& automaton, const Alphabet& order);

/// The same automaton with `answer_count` answers, which are called `classes` where they have
/// names. Classes are matched by name where the automaton has names, and by number where it has
/// none. Throws OptionError when a state gives an answer that is not among these.
[[nodiscard]] Dfa renumber_answers(const NamedDfa& automaton, std::size_t answer_count,
                                   const ClassNames& classes);

/// The first word, in the order of the first one's symbols, on which the two differ; none when they
/// are equivalent. Symbols are matched by name, and so are classes where both have names. Throws
/// OptionError as reorder does.
[[nodiscard]] std::optional<Word> separating_word(const NamedDfa& a, const NamedDfa& b);

}  // namespace rnnalf
