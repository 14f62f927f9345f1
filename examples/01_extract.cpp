// A DFA from a network, in ten lines.   01_extract examples/networks/tomita5_rnn30.onnx
#include <iostream>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/libalf/extraction.hpp"
#include "rnnalf/networks/load_network.hpp"

int main(int count, char** arguments) try {
  if (count != 2) return std::cerr << "usage: 01_extract NET\n", 2;
  const rnnalf::NetworkSpec spec = rnnalf::load_network(arguments[1]).spec;
  const auto network = rnnalf::make_acceptor(spec);
  rnnalf::Teacher teacher(*network, spec.alphabet, {});
  const rnnalf::Budget budget(std::chrono::seconds(10));
  const rnnalf::Run run = rnnalf::extract(teacher, {}, budget);
  std::cout << rnnalf::format_dfa({spec.alphabet, run.dfa()}, rnnalf::DfaFormat::Dot);
  std::cerr << verdict(run) << " after " << run.counterexamples.size() << " counterexamples\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
