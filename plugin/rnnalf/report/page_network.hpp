#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/spec.hpp"
#include "rnnalf/network/summary.hpp"

namespace rnnalf::detail {

/// The network as the page runs it (page/network.js), weights as base64 of their bytes, shown its
/// words as the summary says. One that takes more than 4 MB is left out: then there is one member,
/// `absent`, the sentence that says so.
[[nodiscard]] nlohmann::ordered_json page_network(const NetworkSpec& spec,
                                                  const NetworkSummary& shown, Precision precision);

}  // namespace rnnalf::detail
