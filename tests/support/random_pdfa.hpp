#pragma once

#include <vector>

#include "rnnalf/language_model/pdfa.hpp"

namespace rnnalf::support {

/// Random transitions and rows; every state ends words with a probability of at least 0.1. Some
/// symbols are impossible in some states where `zeros` says so.
inline Pdfa random_pdfa(std::size_t symbols, std::size_t states, Random& random,
                        bool zeros = false) {
  Pdfa pdfa(symbols, states);
  for (std::size_t q = 0; q < states; ++q) {
    const auto state = static_cast<LState>(q);
    std::vector<double> row(symbols + 1);
    double sum = 0;
    for (std::size_t b = 0; b < symbols; ++b) {
      row[b] = zeros && random.below(4) == 0 ? 0 : 0.05 + random.unit();
      sum += row[b];
    }
    row[symbols] = sum > 0 ? (0.15 + random.unit() / 4) * sum : 1;
    pdfa.set_row(state, row);
    for (std::size_t a = 0; a < symbols; ++a) {
      pdfa.set_next(state, static_cast<Symbol>(a), static_cast<LState>(random.below(states)));
    }
  }
  return canonical(pdfa);
}

}  // namespace rnnalf::support
