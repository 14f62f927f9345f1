#pragma once

#include <memory>

#include "rnnalf/acceptor/rnn_acceptor.hpp"

namespace rnnalf {

/// The acceptor of any valid network, by its step graph: somewhat slower than the one that
/// make_acceptor has for a stack of equal layers. Runs no probes.
[[nodiscard]] std::unique_ptr<RnnAcceptor> make_step_acceptor(const NetworkSpec& spec,
                                                              Precision precision);

}  // namespace rnnalf
