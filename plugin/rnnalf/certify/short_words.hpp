#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/budget.hpp"

namespace rnnalf::certify {

/// Runs all words on network and DFA, shortest first, from one symbol on.
class ShortWords {
 public:
  /// Both outlive this.
  ShortWords(const RnnAcceptor& acceptor, const Dfa& dfa);

  /// Runs longer words while a length has at most `most` words and the budget lasts. Returns the
  /// first word on which the two differ.
  [[nodiscard]] std::optional<Word> run(std::size_t most, const Budget& budget);

  /// The two agree on all words from one symbol up to this many.
  [[nodiscard]] std::size_t agreed_length() const { return length_; }

 private:
  /// The word of an R-state of the current length: those that end with symbol 0 come first.
  [[nodiscard]] Word word(std::size_t position) const;

  const RnnAcceptor& acceptor_;
  const Dfa& dfa_;
  std::size_t length_ = 0;
  std::vector<double> states_;  ///< of all words of this length, one after the other
  std::vector<LState> at_;
};

}  // namespace rnnalf::certify
