#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"

namespace rnnalf {

/// What a hand-written acceptor must offer. The three must be pure functions: the same arguments,
/// the same result.
template <class T>
concept WordAcceptor = requires(const T& acceptor, const std::vector<double>& state,
                                Symbol symbol) {
  { acceptor.initial() } -> std::convertible_to<std::vector<double>>;
  { acceptor.step(state, symbol) } -> std::convertible_to<std::vector<double>>;
  { acceptor.accepts(state) } -> std::convertible_to<bool>;
};

/// Makes an RnnAcceptor of any type with initial, step and accepts on vectors of one fixed length.
template <WordAcceptor T>
class CustomAcceptor final : public RnnAcceptor {
 public:
  CustomAcceptor(T acceptor, std::size_t symbols)
      : acceptor_(std::move(acceptor)), symbols_(symbols), state_size_(initial_state().size()) {}

  [[nodiscard]] std::size_t state_size() const override { return state_size_; }
  [[nodiscard]] std::size_t symbol_count() const override { return symbols_; }
  [[nodiscard]] std::vector<double> initial_state() const override { return acceptor_.initial(); }

  /// Throws std::length_error when the acceptor returns a state of another length.
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      const std::vector<double> to = acceptor_.step(state(states, i), symbols[i]);
      if (to.size() != state_size_)
        throw std::length_error("custom acceptor: a step changed the length of the state");
      for (std::size_t d = 0; d < state_size_; ++d) next.col(i)[d] = to[d];
    }
  }

  void margins(ConstRStates states, std::span<double> margins) const override {
    for (std::size_t i = 0; i < states.count; ++i)
      margins[i] = acceptor_.accepts(state(states, i)) ? 1 : -1;
  }

  /// A yes or no has no probability in between.
  void probabilities(ConstRStates states, std::span<double> probabilities) const override {
    for (std::size_t i = 0; i < states.count; ++i)
      probabilities[i] = acceptor_.accepts(state(states, i)) ? 1 : 0;
  }

 private:
  static std::vector<double> state(ConstRStates states, std::size_t i) {
    return {states.col(i).begin(), states.col(i).end()};
  }

  T acceptor_;
  std::size_t symbols_;
  std::size_t state_size_;
};

}  // namespace rnnalf
