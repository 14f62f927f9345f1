#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A network's answer for one word.
struct Classification {
  bool accepted = false;
  double probability = 0;  ///< of accept; with three classes or more it may be below 0.5 and win
};

/// The network's answer for every word. `empty_word` is the answer for the empty one when the
/// network is not to be asked; its probability is then 1 or 0.
///
/// Words are run together, whatever their lengths; the numbers are those of running each alone.
/// Does not remember anything: the StateTree is for words that share prefixes. Throws
/// std::invalid_argument for a symbol that the acceptor does not have.
[[nodiscard]] std::vector<Classification> classify(const RnnAcceptor& acceptor,
                                                   std::span<const Word> words,
                                                   std::optional<bool> empty_word = std::nullopt);

}  // namespace rnnalf
