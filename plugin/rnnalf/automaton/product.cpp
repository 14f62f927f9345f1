#include "rnnalf/automaton/product.hpp"

#include <fmt/core.h>

#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rnnalf {
namespace {

/// The reachable pairs of states; `accepts` says which of them accept.
template <class Accepts>
Dfa product(const Dfa& a, const Dfa& b, Accepts accepts) {
  if (a.symbol_count() != b.symbol_count()) {
    throw std::invalid_argument(
        fmt::format("product: {} and {} symbols", a.symbol_count(), b.symbol_count()));
  }
  std::vector<std::pair<LState, LState>> pairs{{a.initial(), b.initial()}};
  std::map<std::pair<LState, LState>, LState> numbers{{pairs[0], LState{0}}};
  Dfa product(a.symbol_count(), 1);
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const auto [p, q] = pairs[at];
    product.set_accepting(LState(at), accepts(p, q));
    for (std::size_t c = 0; c < a.symbol_count(); ++c) {
      const std::pair next{a.next(p, Symbol(c)), b.next(q, Symbol(c))};
      const auto [found, fresh] = numbers.try_emplace(next, LState(pairs.size()));
      if (fresh) {
        pairs.push_back(next);
        product.add_state(false);
      }
      product.set_next(LState(at), Symbol(c), found->second);
    }
  }
  return product;
}

}  // namespace

Dfa difference(const Dfa& a, const Dfa& b) {
  return minimise(product(a, b, [&](LState p, LState q) { return a.accepts(p) && !b.accepts(q); }));
}

Dfa refined(const Dfa& a, const Dfa& b) {
  return product(a, b, [&](LState p, LState) { return a.accepts(p); });
}

}  // namespace rnnalf
