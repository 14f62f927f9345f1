#include "rnnalf/automaton/named_dfa.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/text.hpp"

namespace rnnalf {
namespace {

/// Names for a message, the first dozen of them.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == 12) return text + " ...";
    text += (i > 0 ? " " : "") + names[i];
  }
  return text;
}

/// Each answer that some state gives, once.
std::vector<Answer> answers_given(const Dfa& dfa) {
  std::vector<bool> seen(dfa.answer_count(), false);
  std::vector<Answer> given;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const Answer answer = dfa.answer(static_cast<LState>(q));
    if (!seen[index(answer)]) given.push_back(answer);
    seen[index(answer)] = true;
  }
  return given;
}

/// The automaton with answers renumbered[0], renumbered[1], ... instead of 0, 1, ...
Dfa with_renumbered(const Dfa& dfa, const std::vector<Answer>& renumbered,
                    std::size_t answer_count) {
  Dfa result = with_answers(dfa, std::max(dfa.answer_count(), answer_count));
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    result.set_answer(state, renumbered[index(dfa.answer(state))]);
  }
  return with_answers(result, answer_count);
}

/// The class of a network that has this name.
Answer matched(const std::string& name, const ClassNames& classes) {
  if (classes.empty()) {
    throw OptionError("expected classes by number, as those of the network have no names, found " +
                      in_quotes(name));
  }
  const auto found = classes.find(name);
  if (!found || *found >= classes.size()) {
    throw OptionError("expected the classes " + listed(classes.names()) + ", found " +
                      in_quotes(name));
  }
  return static_cast<Answer>(*found);
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
                        "', found only: " + listed(alphabet.names()));
    }
    source.push_back(*found);
  }
  for (const std::string& name : alphabet.names()) {
    if (!order.find(name)) {
      throw OptionError("alphabet: expected only the symbols " + listed(order.names()) +
                        ", found '" + name + "'");
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

Dfa renumber_answers(const NamedDfa& automaton, std::size_t answer_count,
                     const ClassNames& classes) {
  const Dfa& dfa = automaton.dfa;
  if (answer_count == 2 && dfa.is_moore()) {
    throw OptionError("expected a DFA, as the network has two answers, found a Moore machine");
  }
  if (automaton.classes.empty()) {
    if (dfa.answer_count() > answer_count) {
      throw OptionError(
          fmt::format("expected classes below {}, found {}", answer_count, dfa.answer_count() - 1));
    }
    return with_answers(dfa, answer_count);
  }
  std::vector<Answer> renumbered(dfa.answer_count());
  for (const Answer given : answers_given(dfa)) {
    renumbered[index(given)] = matched(automaton.classes.name(given), classes);
  }
  return with_renumbered(dfa, renumbered, answer_count);
}

std::optional<Word> separating_word(const NamedDfa& a, const NamedDfa& b) {
  const Dfa other = reorder(b, a.alphabet);
  const std::size_t count = std::max(a.dfa.answer_count(), b.dfa.answer_count());
  if (a.classes.empty() || b.classes.empty()) {
    return separating_word(with_answers(a.dfa, count), with_answers(other, count));
  }
  // Classes of b that a does not have come after those of a.
  std::vector<Answer> renumbered(other.answer_count());
  std::size_t next = a.dfa.answer_count();
  for (const Answer given : answers_given(other)) {
    const auto& names = a.classes.names();
    const auto found = std::find(names.begin(), names.end(), b.classes.name(given));
    const auto number = static_cast<std::size_t>(found - names.begin());
    renumbered[index(given)] = static_cast<Answer>(found != names.end() ? number : next++);
  }
  return separating_word(with_answers(a.dfa, next), with_renumbered(other, renumbered, next));
}

}  // namespace rnnalf
