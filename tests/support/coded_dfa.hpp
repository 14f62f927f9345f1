#pragma once

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/base/random.hpp"

namespace rnnalf::support {

/// An acceptor whose language is exactly that of a DFA: its R-states are codes of the DFA's states
/// with noise that depends on the whole history, as a trained network's do. Ground truth for tests.
class CodedDfa final : public RnnAcceptor {
 public:
  /// `noise` is the largest deviation per dimension; codes are at least 1 apart somewhere.
  CodedDfa(Dfa dfa, std::size_t dimensions, double noise, std::uint64_t seed,
           std::size_t columns_worth_a_call = 16);

  [[nodiscard]] const Dfa& dfa() const { return dfa_; }
  [[nodiscard]] std::size_t state_size() const override { return dimensions_; }
  [[nodiscard]] std::size_t symbol_count() const override { return dfa_.symbol_count(); }
  [[nodiscard]] std::size_t columns_worth_a_call() const override { return columns_worth_a_call_; }
  [[nodiscard]] std::vector<double> initial_state() const override;
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override;
  [[nodiscard]] std::size_t answer_count() const override { return dfa_.answer_count(); }
  void margins(ConstRStates states, std::span<double> margins) const override;
  void judge(ConstRStates states, std::span<Judgement> judged) const override;

 private:
  [[nodiscard]] LState decode(std::span<const double> state) const;

  Dfa dfa_;
  std::size_t dimensions_;
  double noise_;
  std::size_t columns_worth_a_call_;
  std::vector<double> codes_;  // state-major
};

/// A random DFA, or a Moore machine, minimal, with between 1 and `states` states.
Dfa random_minimal_dfa(std::size_t states, std::size_t symbols, Random& random,
                       std::size_t answers = 2);

/// Tomita's languages 1 to 7 over {0, 1}.
Dfa tomita(int number);

}  // namespace rnnalf::support
