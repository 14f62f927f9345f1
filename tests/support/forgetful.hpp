#pragma once

#include "support/coded_dfa.hpp"

namespace rnnalf::support {

/// Tomita 5 on words of up to `lawful` symbols; longer ones are accepted when their length is even:
/// the language of a network that is right on short words and odd on long ones.
inline Dfa forgetful(std::uint32_t lawful) {
  const Dfa language = tomita(5);
  const auto states = static_cast<std::uint32_t>(language.size());
  const std::uint32_t lost = states * (lawful + 1);
  Dfa dfa(2, lost + 2);
  for (std::uint32_t length = 0; length <= lawful; ++length) {
    for (std::uint32_t q = 0; q < states; ++q) {
      const LState at{length * states + q};
      dfa.set_accepting(at, language.accepts(LState{q}));
      for (const Symbol symbol : {Symbol{0}, Symbol{1}}) {
        const auto next = static_cast<std::uint32_t>(index(language.next(LState{q}, symbol)));
        const std::uint32_t beyond = lost + (lawful + 1) % 2;
        dfa.set_next(at, symbol, LState{length < lawful ? (length + 1) * states + next : beyond});
      }
    }
  }
  for (const std::uint32_t odd : {0U, 1U}) {
    dfa.set_accepting(LState{lost + odd}, odd == 0);
    for (const Symbol symbol : {Symbol{0}, Symbol{1}}) {
      dfa.set_next(LState{lost + odd}, symbol, LState{lost + 1 - odd});
    }
  }
  return minimise(dfa);
}

}  // namespace rnnalf::support
