// The default run: a DFA from a network.   01_extract examples/networks/tomita5_rnn30.onnx
#include <iostream>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/load_network.hpp"

int main(int count, char** arguments) try {
  if (count != 2) return std::cerr << "usage: 01_extract NET\n", 2;
  const rnnalf::Network network = rnnalf::make_network(rnnalf::load_network(arguments[1]).spec);
  const rnnalf::Run run = rnnalf::Extraction(network, rnnalf::libalf_learners()).run();
  std::cout << rnnalf::format_dfa(named(run.network, run.dfa()), rnnalf::DfaFormat::Dot);
  std::cerr << name(verdict(run)) << ": " << run.hypotheses.size() << " hypotheses\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
