#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"

namespace rnnalf::certify {

/// Which words a certificate is about. The default is every word.
struct Claim {
  std::optional<std::vector<Symbol>> letters;  ///< only words of these; none: of all
  std::size_t max_run = 0;                     ///< no letter more often in a row; 0: any
  std::size_t max_length = 0;                  ///< letters at most; 0: any

  [[nodiscard]] bool every_word() const { return !letters && max_run == 0 && max_length == 0; }
};

/// A DFA in lockstep with an automaton that knows which words the claim is about: its states are
/// pairs, reachable ones alone; a word that the claim is not about has no run.
class BaseAutomaton {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  BaseAutomaton(const Dfa& dfa, const Claim& claim);

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::size_t letters() const { return letters_; }
  [[nodiscard]] static constexpr std::size_t initial() { return 0; }
  [[nodiscard]] std::size_t next(std::size_t state, std::size_t letter) const {
    return next_[state * letters_ + letter];
  }
  [[nodiscard]] LState dfa_state(std::size_t state) const { return pairs_[state].dfa; }
  /// Which words: the number that certificates use.
  [[nodiscard]] std::size_t monitor(std::size_t state) const { return pairs_[state].monitor; }
  [[nodiscard]] bool accepts(std::size_t state) const { return accepts_[state]; }

  struct Edge {
    std::size_t from, letter;
  };
  [[nodiscard]] const std::vector<Edge>& into(std::size_t state) const { return into_[state]; }
  /// The number of the state's strongly connected component.
  [[nodiscard]] std::size_t component(std::size_t state) const { return component_[state]; }
  /// A shortest word that leads there.
  [[nodiscard]] const Word& access(std::size_t state) const { return access_[state]; }

 private:
  struct Pair {
    LState dfa;
    std::size_t monitor;
  };
  void find_components();

  std::size_t letters_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> next_;
  std::vector<bool> accepts_;
  std::vector<std::vector<Edge>> into_;
  std::vector<std::size_t> component_;
  std::vector<Word> access_;
};

}  // namespace rnnalf::certify
