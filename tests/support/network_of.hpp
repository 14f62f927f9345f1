#pragma once

#include <memory>

#include "rnnalf/acceptor/network.hpp"

namespace rnnalf::support {

/// An acceptor of a test as a network over 0, 1, ...; the acceptor outlives it.
inline Network network_of(const RnnAcceptor& acceptor) {
  return {.summary = {.file = "test",
                      .cell = "made up",
                      .state_size = acceptor.state_size(),
                      .alphabet = Alphabet::numbered(acceptor.symbol_count())},
          .acceptor = {std::shared_ptr<void>(), &acceptor},
          .empty_word = {}};
}

}  // namespace rnnalf::support
