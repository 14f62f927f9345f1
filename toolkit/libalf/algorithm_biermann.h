#pragma once

#include <algorithm>
#include <deque>
#include <memory>

#include <libalf/algorithm_automata_inferring.h>

namespace libalf {

/// Biermann's learner as a constraint problem (Oliveira, Silva: Efficient algorithms for the
/// inference of minimum size DFAs, 2001): a smallest DFA that agrees with the sample. It may lack
/// transitions, which reject; state 0 is initial.
///
/// There is one way of solving the problem here: MiniSat_biermann.
template <class answer>
class basic_biermann : public detail::offline_learner<answer> {
 public:
  learning_algorithm_type get_type() const override { return ALG_BIERMANN; }

 protected:
  conjecture* derive_conjecture() override {
    if (this->my_knowledge->count_answers() == 0) return this->empty_language();
    const prefix_tree<answer> tree = this->sample();
    detail::labelled_tree labels;
    labels.letters = tree.get_alphabet_size();
    labels.label_count = 2;
    labels.edges = tree.edges;
    for (unsigned node = 0; node < tree.node_count; ++node) {
      labels.labels.push_back(!tree.specified[node]       ? detail::labelled_tree::unlabelled
                              : tree.output[node] == true ? 1
                                                          : 0);
    }
    std::optional<std::vector<unsigned>> found;
    for (unsigned states = 1; !found; ++states) {
      found = detail::deterministic_states(labels, states, this->stop());
      if (!found && this->is_stopped()) return nullptr;
    }
    auto automaton = std::make_unique<finite_automaton>();
    automaton->input_alphabet_size = this->letter_count();
    automaton->state_count = static_cast<int>(*std::max_element(found->begin(), found->end()) + 1);
    automaton->initial_states.insert(0);
    automaton->set_all_non_accepting();
    for (unsigned node = 0; node < tree.node_count; ++node) {
      const auto state = static_cast<int>((*found)[node]);
      if (labels.labels[node] == 1) automaton->output_mapping[state] = true;
      for (unsigned letter = 0; letter < labels.letters; ++letter) {
        const unsigned below = tree.edges[node][letter];
        if (below == prefix_tree<answer>::no_edge) continue;
        automaton->transitions[state][tree.letter(letter)] = {static_cast<int>((*found)[below])};
      }
    }
    automaton->is_deterministic = true;
    automaton->valid = true;
    return automaton.release();
  }
};

}  // namespace libalf
