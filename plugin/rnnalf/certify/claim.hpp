#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"

namespace rnnalf::certify {

/// What is claimed of the words of an automaton.
enum class Property : std::uint8_t {
  Equal,  ///< the network accepts these, and no others
  Never,  ///< the network rejects them; of others nothing is claimed
  Always  ///< the network accepts them; of others nothing is claimed
};

/// `equal`, `never`, `always`.
[[nodiscard]] std::string_view name(Property property) noexcept;

/// What a certificate is about. The default is that the network is equal on every word.
struct Claim {
  std::optional<std::vector<Symbol>> symbols = {};  ///< only words of these; none: of all
  std::size_t max_run = 0;                          ///< no symbol more often in a row; 0: any
  std::size_t max_length = 0;                       ///< symbols at most; 0: any
  Property property = Property::Equal;

  [[nodiscard]] bool every_word() const { return !symbols && max_run == 0 && max_length == 0; }
};

/// The answer that the claim asks of the network for words that lead to the state; none: any.
[[nodiscard]] std::optional<bool> demand(Property property, const Dfa& dfa, LState state);

/// A DFA in lockstep with an automaton that knows which words the claim is about: its states are
/// pairs, reachable ones alone. A word has no run if the claim is neither about it nor about any
/// that begins with it.
class BaseAutomaton {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  BaseAutomaton(const Dfa& dfa, const Claim& claim);

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::size_t symbols() const { return symbols_; }
  [[nodiscard]] static constexpr std::size_t initial() { return 0; }
  [[nodiscard]] std::size_t next(std::size_t state, std::size_t symbol) const {
    return next_[state * symbols_ + symbol];
  }
  [[nodiscard]] LState dfa_state(std::size_t state) const { return pairs_[state].dfa; }
  /// Which words: the number that certificates use.
  [[nodiscard]] std::size_t monitor(std::size_t state) const { return pairs_[state].monitor; }
  /// The answer that the network has to give there; none: any.
  [[nodiscard]] std::optional<bool> demand(std::size_t state) const { return demands_[state]; }
  [[nodiscard]] Property property() const { return property_; }

  struct Edge {
    std::size_t from, symbol;
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

  std::size_t symbols_;
  Property property_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> next_;
  std::vector<std::optional<bool>> demands_;
  std::vector<std::vector<Edge>> into_;
  std::vector<std::size_t> component_;
  std::vector<Word> access_;
};

}  // namespace rnnalf::certify
