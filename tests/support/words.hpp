#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf::support {

/// A word from digits: "010".
inline Word word(std::string_view digits) {
  Word result;
  for (const char digit : digits) result.push_back(static_cast<Symbol>(digit - '0'));
  return result;
}

/// All words up to a length, in shortlex order.
inline std::vector<Word> all_words(std::size_t symbols, std::size_t length) {
  std::vector<Word> words(1);
  for (std::size_t from = 0; from < words.size(); ++from) {
    if (words[from].size() == length) break;
    for (std::size_t a = 0; a < symbols; ++a) {
      Word longer = words[from];
      longer.push_back(static_cast<Symbol>(a));
      words.push_back(std::move(longer));
    }
  }
  return words;
}

/// A random DFA with exactly `states` states: some perhaps unreachable, some perhaps equivalent.
/// With more than two answers a Moore machine, whose initial state gives the last one.
inline Dfa random_dfa(std::size_t states, std::size_t symbols, Random& random,
                      std::size_t answers = 2) {
  Dfa dfa(symbols, states, answers);
  const auto any_state = [&] { return static_cast<LState>(random.below(states)); };
  dfa.set_initial(any_state());
  for (std::size_t q = 0; q < states; ++q) {
    const auto state = static_cast<LState>(q);
    dfa.set_answer(state, answers == 2 ? accept_if(random.below(3) == 0)
                                       : static_cast<Answer>(random.below(answers)));
    for (std::size_t a = 0; a < symbols; ++a) {
      dfa.set_next(state, static_cast<Symbol>(a), any_state());
    }
  }
  if (answers > 2) dfa.set_answer(dfa.initial(), static_cast<Answer>(answers - 1));
  return dfa;
}

}  // namespace rnnalf::support
