#pragma once

#include "rnnalf/acceptor/network.hpp"

namespace rnnalf::python {

/// A network as Python holds it.
struct PyNetwork {
  Network network;

  [[nodiscard]] const NetworkSummary& summary() const { return network.summary; }
  [[nodiscard]] const Alphabet& alphabet() const { return summary().alphabet; }
  /// 2: it accepts and rejects.
  [[nodiscard]] std::size_t answers() const { return summary().answers; }
  /// Python functions are called one at a time: more threads would make more and smaller calls.
  [[nodiscard]] bool calls_python() const { return !network.spec; }
  /// 0 where nobody asked for a number: one per core.
  [[nodiscard]] unsigned threads(std::uint64_t wanted) const;
};

}  // namespace rnnalf::python
