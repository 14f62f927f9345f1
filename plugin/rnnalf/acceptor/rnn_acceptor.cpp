#include "rnnalf/acceptor/rnn_acceptor.hpp"

#include <algorithm>
#include <cmath>

namespace rnnalf {

void RnnAcceptor::expand(ConstRStates states, RStates next) const {
  // Repeats each R-state once per symbol, some at a time: the copies stay small.
  const std::size_t symbols = symbol_count();
  const std::size_t at_once = std::max<std::size_t>(1, 256 / symbols);
  std::vector<double> copies;
  std::vector<Symbol> letters;
  for (std::size_t first = 0; first < states.count; first += at_once) {
    const std::size_t count = std::min(at_once, states.count - first);
    copies.clear();
    letters.clear();
    for (std::size_t i = first; i < first + count; ++i) {
      for (std::size_t a = 0; a < symbols; ++a) {
        const auto column = states.col(i);
        copies.insert(copies.end(), column.begin(), column.end());
        letters.push_back(static_cast<Symbol>(a));
      }
    }
    step({copies.data(), states.size, letters.size()}, letters,
         {next.data + first * symbols * next.size, next.size, letters.size()});
  }
}

void RnnAcceptor::probabilities(ConstRStates states, std::span<double> probabilities) const {
  margins(states, probabilities);
  for (double& value : probabilities) value = 1 / (1 + std::exp(-value));
}

}  // namespace rnnalf
