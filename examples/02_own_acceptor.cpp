// Anything with an initial state, a step and an answer can be the teacher: here a counter written
// by hand that accepts words with as many 0s as 1s, never more than five apart.
#include <cmath>
#include <iostream>

#include "rnnalf/acceptor/custom_acceptor.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"

/// Its state is one number: how many 0s more than 1s; beyond five it is lost for good.
struct Balance {
  std::vector<double> initial() const { return {0.0}; }
  std::vector<double> step(const std::vector<double>& state, rnnalf::Symbol symbol) const {
    if (std::abs(state[0]) > 5) return state;
    return {symbol == rnnalf::Symbol{0} ? state[0] + 1 : state[0] - 1};
  }
  bool accepts(const std::vector<double>& state) const { return state[0] == 0; }
};

int main() {
  const rnnalf::Alphabet alphabet = rnnalf::Alphabet::parse("01");
  const auto acceptor =
      std::make_shared<rnnalf::CustomAcceptor<Balance>>(Balance{}, alphabet.size());
  const rnnalf::Network network{
      .summary = {.file = "balance", .cell = "a counter", .alphabet = alphabet},
      .acceptor = acceptor};
  const rnnalf::Run run = rnnalf::Extraction(network, rnnalf::libalf_learners(),
                                             {.time_limit = std::chrono::seconds(10)})
                              .run();
  std::cout << rnnalf::format_dfa({alphabet, run.dfa()}, rnnalf::DfaFormat::Dot);
}
