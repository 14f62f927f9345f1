#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rnnalf/base/alphabet.hpp"
#include "rnnalf/base/ids.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/base/word.hpp"

namespace rnnalf {

/// A probabilistic deterministic finite automaton: in every state a distribution over the next
/// symbol and the end of the word, and for every symbol one successor.
///
/// States are 0 .. size()-1; every transition is defined, also those of probability 0. A row has
/// symbol_count() + 1 probabilities, that of the end last. Plain data: copy it freely.
class Pdfa {
 public:
  /// All rows are uniform, every transition leads back to its source; initial state 0.
  Pdfa(std::size_t symbol_count, std::size_t state_count);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t symbol_count() const noexcept { return symbol_count_; }
  [[nodiscard]] std::size_t row_size() const noexcept { return symbol_count_ + 1; }
  [[nodiscard]] LState initial() const noexcept { return initial_; }
  [[nodiscard]] LState next(LState state, Symbol symbol) const {
    return transitions_[index(state) * symbol_count_ + index(symbol)];
  }
  [[nodiscard]] std::span<const double> row(LState state) const {
    return {probabilities_.data() + index(state) * row_size(), row_size()};
  }
  [[nodiscard]] double probability(LState state, Symbol symbol) const {
    return row(state)[index(symbol)];
  }
  [[nodiscard]] double end(LState state) const { return row(state)[symbol_count_]; }

  void set_initial(LState state) { initial_ = state; }
  void set_next(LState state, Symbol symbol, LState target) {
    transitions_[index(state) * symbol_count_ + index(symbol)] = target;
  }
  /// Scaled to the sum 1. Throws std::invalid_argument unless there is one number for every symbol
  /// and the end, none below 0 and some above.
  void set_row(LState state, std::span<const double> row);

  [[nodiscard]] LState run(WordView word) const;
  /// Natural logarithm of the probability of the word and of its end; -inf where it is 0.
  [[nodiscard]] double log_probability(WordView word) const;
  [[nodiscard]] double probability(WordView word) const;
  /// A random word, cut after `longest` symbols.
  [[nodiscard]] Word sample(Random& random, std::size_t longest = 1000) const;

  bool operator==(const Pdfa&) const = default;

 private:
  std::size_t symbol_count_;
  std::size_t size_;
  LState initial_{};
  std::vector<LState> transitions_;
  std::vector<double> probabilities_;
};

/// A PDFA with the names of its symbols.
struct NamedPdfa {
  Alphabet alphabet;
  Pdfa pdfa;
};

/// Without states that no word leads to, in breadth-first order: equal automata are equal values. A
/// transition of probability 0 is followed as well.
[[nodiscard]] Pdfa canonical(const Pdfa& pdfa);

/// With equivalent states merged: those whose rows differ by at most `tolerance` per entry and
/// whose successors are equivalent. Canonical.
[[nodiscard]] Pdfa minimise(const Pdfa& pdfa, double tolerance = 1e-9);

/// exp of the mean negative log-probability per symbol, ends included; infinite where a word has
/// probability 0, 1 without words.
[[nodiscard]] double perplexity(const Pdfa& pdfa, std::span<const Word> words);

/// The most probable words, most probable first; of equal ones the shortlex-first. At most `count`;
/// words below `least` are not looked for.
struct ProbableWord {
  Word word;
  double probability = 0;
};
[[nodiscard]] std::vector<ProbableWord> most_probable_words(const Pdfa& pdfa, std::size_t count,
                                                            double least = 1e-9);

}  // namespace rnnalf
