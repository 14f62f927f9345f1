#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/certify/certificate.hpp"
#include "rnnalf/certify/claim.hpp"
#include "rnnalf/certify/image.hpp"
#include "rnnalf/certify/samples.hpp"
#include "rnnalf/states/workers.hpp"

namespace rnnalf::certify {

struct SearchOptions {
  bool round = false;        ///< sets are ellipsoids, not boxes
  double size = 0.5;         ///< contexts are refined at first until their boxes are as wide
  double shrunk = 0.7;       ///< of a set's width: an image that has shrunk so far may widen it
  double room = 0.1;         ///< a box is wider than its samples: this share of their width
  double least_room = 3e-4;  ///< and at least this, on every side
  double near = 1.3;         ///< an image that reaches so far may widen an ellipsoid
  std::size_t depth = 150;   ///< symbols from one set to the next, at most; the checkers allow 200
  std::size_t images = 10'000;  ///< images of one set, at most
  std::size_t sets = 4000;      ///< at most
  std::size_t context = 60;     ///< symbols of a context, at most
  std::uint64_t steps = 0;      ///< images in all; 0: as many as the budget allows
};

/// What a search came to.
struct SearchResult {
  bool closed = false;
  Tree start;  ///< of the closed proof
  std::vector<Certificate::Set> sets;
  double margin = 0;
  std::optional<Word> suspect;  ///< a word whose margin may be on the wrong side
  /// Sets that did not close: their base state, and the symbol after which an image had no place;
  /// none when they were not come to.
  struct Open {
    std::size_t base = 0;
    std::optional<Symbol> symbol = {};

    friend auto operator<=>(const Open&, const Open&) = default;
  };
  std::vector<Open> open;
  std::uint64_t images = 0;  ///< computed
};

/// Looks for sets of R-states that the network maps into each other.
[[nodiscard]] SearchResult search(const RnnAcceptor& acceptor, const Imager& imager,
                                  const BaseAutomaton& base, const Samples& samples,
                                  const std::vector<std::vector<double>>& felt,
                                  const SearchOptions& options, Workers& workers,
                                  const Budget& budget);

}  // namespace rnnalf::certify
