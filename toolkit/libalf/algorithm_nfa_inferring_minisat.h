#pragma once

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// A smallest nondeterministic automaton that agrees with the sample.
/// Named after the solver that upstream libalf uses for it; the one here is CaDiCaL.
class nfa_inferring_MiniSat : public detail::inferring_with_switches<bool, 2> {
 public:
  nfa_inferring_MiniSat(knowledgebase<bool>* base, logger* log, int size,
                        bool symmetry_breaking = true)
      : detail::inferring_with_switches<bool, 2>(base, log, size, {symmetry_breaking, false}) {}

  learning_algorithm_type get_type() const override { return ALG_INFERRING_MINISAT; }

  bool uses_symmetry_breaking() const { return this->on_[0]; }
  void set_symmetry_breaking(bool wanted) { this->on_[0] = wanted; }

 protected:
  conjecture* infer_machine(const prefix_tree<bool>& tree, unsigned states) const override {
    detail::labelled_tree labels;
    labels.letters = tree.get_alphabet_size();
    labels.edges = tree.edges;
    for (unsigned node = 0; node < tree.node_count; ++node) {
      labels.labels.push_back(!tree.specified[node] ? detail::labelled_tree::unlabelled
                              : tree.output[node]   ? 1
                                                    : 0);
    }
    const auto found = detail::nondeterministic_states(labels, states, stop());
    if (!found) return nullptr;
    auto automaton = std::make_unique<finite_automaton>();
    automaton->input_alphabet_size = letter_count();
    automaton->state_count = static_cast<int>(states);
    for (unsigned from = 0; from < states; ++from) {
      const auto state = static_cast<int>(from);
      if (found->initial[from]) automaton->initial_states.insert(state);
      automaton->output_mapping[state] = found->accepting[from];
      for (unsigned letter = 0; letter < labels.letters; ++letter) {
        for (unsigned to = 0; to < states; ++to) {
          if (!found->transitions[from][letter][to]) continue;
          automaton->transitions[state][tree.letter(letter)].insert(static_cast<int>(to));
        }
      }
    }
    automaton->valid = true;
    automaton->calc_determinism();
    return automaton.release();
  }
};

}  // namespace libalf
