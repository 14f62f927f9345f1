#pragma once

#include <memory>
#include <optional>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/network/summary.hpp"

namespace rnnalf {

/// A network that can be asked, with what is to be said about it: what every use case begins with.
/// A value: copies share the acceptor, which nobody changes.
struct Network {
  NetworkSummary summary = {};
  std::shared_ptr<const RnnAcceptor> acceptor = {};  ///< shared between copies and threads
  std::optional<bool> empty_word = {};  ///< answer for the empty word; none: the network's own
};

/// Throws NetworkFileError when the network fails a probe.
[[nodiscard]] inline Network make_network(const NetworkSpec& spec,
                                          Precision precision = Precision::Float,
                                          std::optional<bool> empty_word = std::nullopt) {
  return {summary(spec), make_acceptor(spec, precision), empty_word};
}

}  // namespace rnnalf
