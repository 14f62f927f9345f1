#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/budget.hpp"
#include "rnnalf/certify/claim.hpp"

namespace rnnalf::certify {

/// Runs the words of a claim on the network, shortest first: all of them, as long as a length has
/// few, and then those whose margins come nearest to the wrong side.
class ShortWords {
 public:
  /// Both outlive this.
  ShortWords(const RnnAcceptor& acceptor, const BaseAutomaton& base);

  /// Runs longer words, up to 200 symbols, while a length has at most `most` and the budget lasts.
  /// Returns the first one with an answer that the claim forbids.
  [[nodiscard]] std::optional<Word> run_all(std::size_t most, const Budget& budget);
  /// Continues from there with words of `length` symbols, with `width` of each state at most: half
  /// of them those nearest to the wrong side, half spread over the others. To be called last.
  [[nodiscard]] std::optional<Word> run_suspects(std::size_t width, std::size_t length,
                                                 const Budget& budget);

  /// The claim holds for all its words of up to this many symbols, but for the empty word.
  [[nodiscard]] std::size_t checked_length() const { return checked_; }

 private:
  /// A word: the one that it extends, by its position in the length before, and its last symbol.
  struct Extension {
    std::size_t before;
    Symbol symbol;
  };
  [[nodiscard]] std::size_t successors() const;
  /// All words of the next length; false once the budget is spent. `found` is as for run_all.
  bool extend(const Budget& budget, std::optional<Word>& found);
  void keep_suspects(std::size_t width);
  /// How far a word's margin is on the wrong side, or would be if its answer were claimed.
  [[nodiscard]] double wrongness(std::size_t position) const;
  [[nodiscard]] Word word(std::size_t position) const;

  const RnnAcceptor& acceptor_;
  const BaseAutomaton& base_;
  std::size_t checked_ = 0;
  std::vector<std::vector<Extension>> words_;  ///< by length, from one symbol on
  // Of the words of the last length, one after the other.
  std::vector<double> states_, margins_;
  std::vector<std::size_t> at_;
};

}  // namespace rnnalf::certify
