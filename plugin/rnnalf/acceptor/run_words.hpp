#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A network's answer for one word.
struct Classification {
  Answer answer = Answer::Reject;  ///< None: its numbers are not finite
  /// Of accept, which may be below 0.5 and win where there are three classes or more; of more than
  /// two answers, that of the one given. Not a number where there is no answer.
  double probability = 0;

  [[nodiscard]] bool accepted() const { return answer == Answer::Accept; }
};

/// The R-state after a word, run on its own, symbol by symbol.
[[nodiscard]] std::vector<double> state_after(const RnnAcceptor& acceptor, WordView word);

/// The network's answer for every word. `empty_word` is the answer for the empty one when the
/// network is not to be asked; its probability is then 1, that of reject 0.
///
/// Words are run together, whatever their lengths; the numbers are those of running each alone.
/// Does not remember anything: the StateTree is for words that share prefixes. Throws
/// std::invalid_argument for a symbol that the acceptor does not have.
[[nodiscard]] std::vector<Classification> classify(const RnnAcceptor& acceptor,
                                                   std::span<const Word> words,
                                                   std::optional<Answer> empty_word = std::nullopt);

}  // namespace rnnalf
