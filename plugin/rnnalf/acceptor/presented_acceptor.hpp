#pragma once

#include <memory>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/presentation.hpp"

namespace rnnalf {

/// The same network with words shown to it as `presentation` says. Its R-states are the network's
/// own: the one of the empty word is where the begin symbols lead. The end symbols are no part of
/// an R-state: an answer is asked for where they lead to from there, which takes as many steps.
[[nodiscard]] std::unique_ptr<RnnAcceptor> make_presented_acceptor(
    std::shared_ptr<const RnnAcceptor> network, Presentation presentation);

}  // namespace rnnalf
