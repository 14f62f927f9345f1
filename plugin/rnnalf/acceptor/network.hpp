#pragma once

#include <memory>
#include <optional>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/presentation.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/network/summary.hpp"

namespace rnnalf {

/// A network that can be asked, with what is to be said about it: what every use case begins with.
/// A value: copies share the acceptor, which nobody changes.
struct Network {
  NetworkSummary summary = {};
  std::shared_ptr<const RnnAcceptor> acceptor = {};  ///< shared between copies and threads
  std::optional<Answer> empty_word = {};  ///< answer for the empty word; none: the network's own
  /// The weights, for proofs and pages; none where nobody knows them. Shared as the acceptor is.
  std::shared_ptr<const NetworkSpec> spec = {};
};

/// Throws NetworkFileError when the network fails a probe, or does not have one of the tokens or
/// the class that `empty_word` is. Probes are about words as the network reads them, whatever the
/// tokens.
[[nodiscard]] Network make_network(NetworkSpec spec, Precision precision = Precision::Float,
                                   std::optional<Answer> empty_word = std::nullopt,
                                   const Tokens& tokens = {});

}  // namespace rnnalf
