#pragma once

#include <optional>

#include "rnnalf/certify/search.hpp"

namespace rnnalf::certify {

/// Computes all images of a proof again, with the imager's slack: the smallest margin, none if an
/// image is not where the tree says, or once the budget is spent.
[[nodiscard]] std::optional<double> verify(const RnnAcceptor& acceptor, const Imager& imager,
                                           const BaseAutomaton& base, const SearchResult& proof,
                                           Workers& workers, const Budget& budget);

}  // namespace rnnalf::certify
