// A libalf program of one's own, with a network in the place of the automaton that usually teaches.
// 03_libalf_loop examples/networks/tomita5_rnn30.onnx
#include <iostream>
#include <memory>

#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>

#include "rnnalf/libalf/glue.hpp"
#include "rnnalf/networks/load_network.hpp"

int main(int count, char** arguments) try {
  if (count != 2) return std::cerr << "usage: 03_libalf_loop NET\n", 2;
  const rnnalf::NetworkSpec spec = rnnalf::load_network(arguments[1]).spec;
  const auto network = rnnalf::make_acceptor(spec);
  rnnalf::Teacher teacher(*network, spec.alphabet, {});

  libalf::knowledgebase<bool> knowledge;
  libalf::angluin_simple_table<bool> learner(&knowledge, nullptr,
                                             static_cast<int>(spec.alphabet.size()));
  for (int rounds = 0; rounds < 20;) {  // a network need not have a finite automaton
    const std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
    if (!conjecture) {
      rnn_alf_glue::answer_knowledgebase(teacher, knowledge);
      continue;
    }
    std::list<int> counterexample;
    if (rnn_alf_glue::equivalence_query(teacher, conjecture.get(), counterexample)) {
      std::cout << conjecture->write();
      return 0;
    }
    learner.add_counterexample(counterexample);
    ++rounds;
  }
  std::cerr << "no small automaton in 20 rounds\n";
  return 3;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
