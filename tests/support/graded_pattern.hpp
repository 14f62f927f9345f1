#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf::support {

/// An acceptor of words that match a pattern, such as dates: a set of symbols for each position.
/// Its score grows with every position that matches, as that of a trained network often does.
/// Almost no uniform word is accepted.
class GradedPattern final : public RnnAcceptor {
 public:
  using Pattern = std::vector<std::set<Symbol>>;

  GradedPattern(Pattern pattern, std::size_t symbols)
      : pattern_(std::move(pattern)), symbols_(symbols) {}

  /// Of `length` positions, each with one symbol or two.
  [[nodiscard]] static GradedPattern random(std::size_t length, std::size_t symbols,
                                            Random& random) {
    Pattern pattern(length);
    for (std::set<Symbol>& some : pattern) {
      for (std::uint64_t i = 1 + random.below(2); i > 0; --i) {
        some.insert(static_cast<Symbol>(random.below(symbols)));
      }
    }
    return {std::move(pattern), symbols};
  }

  [[nodiscard]] bool matches(const Word& word) const {
    return word.size() == pattern_.size() &&
           std::equal(
               word.begin(), word.end(), pattern_.begin(),
               [](Symbol symbol, const std::set<Symbol>& some) { return some.count(symbol); });
  }

  // An R-state: symbols read, and how many of them did not match.
  [[nodiscard]] std::size_t state_size() const override { return 2; }
  [[nodiscard]] std::size_t symbol_count() const override { return symbols_; }
  [[nodiscard]] std::vector<double> initial_state() const override { return {0, 0}; }
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const auto at = static_cast<std::size_t>(states.col(i)[0]);
      const bool match = at < pattern_.size() && pattern_[at].count(symbols[i]) > 0;
      next.col(i)[0] = states.col(i)[0] + 1;
      next.col(i)[1] = states.col(i)[1] + (match ? 0 : 1);
    }
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    for (std::size_t i = 0; i < margins.size(); ++i) {
      const double missing = static_cast<double>(pattern_.size()) - states.col(i)[0];
      margins[i] = 0.5 - states.col(i)[1] - std::abs(missing);
    }
  }

 private:
  Pattern pattern_;
  std::size_t symbols_;
};

}  // namespace rnnalf::support
