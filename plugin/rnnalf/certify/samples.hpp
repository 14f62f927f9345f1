#pragma once

#include <cstddef>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/certify/claim.hpp"

namespace rnnalf::certify {

/// R-states that words really reach, by state of the base automaton.
struct Samples {
  std::size_t size = 0;                     ///< of an R-state
  std::vector<std::vector<double>> states;  ///< by base state: R-states one after the other
};

/// R-states of all short words and of longer random ones that stay in each component for a while:
/// uniform symbols, long runs, repeated short words; and words that enter components.
/// Incomplete once the budget is spent.
[[nodiscard]] Samples take_samples(const RnnAcceptor& acceptor, const BaseAutomaton& base,
                                   Random& random, const Budget& budget);

}  // namespace rnnalf::certify
