#pragma once

#include <memory>
#include <vector>

#include <libalf/detail/offline_learner.h>
#include <libalf/detail/state_merging.h>

namespace libalf {

/// RPNI (Oncina, Garcia: Inferring regular languages in polynomial update time, 1992): merges the
/// states of the sample's prefix tree, shorter words first, where no answer speaks against it.
///
/// The conjecture agrees with the sample, is deterministic and may lack transitions, which reject.
/// State 0 is initial; states are numbered by the shortest words that lead to them. Answers other
/// than true make a state reject.
template <class answer>
class RPNI : public detail::offline_learner<answer> {
 public:
  RPNI(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_RPNI; }

 protected:
  conjecture* derive_conjecture() override {
    if (this->my_knowledge->count_answers() == 0) return this->empty_language();
    const prefix_tree<answer> tree = this->sample();
    detail::state_merging<answer> classes(tree);
    std::vector<unsigned> states;  // the first node of each
    for (unsigned node = 0; node < tree.node_count; ++node) {
      if (classes.find(node) != node) continue;
      if (this->is_stopped()) return nullptr;
      bool merged = false;
      for (std::size_t s = 0; s < states.size() && !merged; ++s) {
        merged = classes.merge(states[s], node);
      }
      if (!merged) states.push_back(node);
    }
    return automaton_of(tree, classes, states);
  }

 private:
  finite_automaton* automaton_of(const prefix_tree<answer>& tree,
                                 const detail::state_merging<answer>& classes,
                                 const std::vector<unsigned>& states) const {
    std::vector<int> number(tree.node_count, -1);
    for (std::size_t s = 0; s < states.size(); ++s) number[states[s]] = static_cast<int>(s);
    auto automaton = std::make_unique<finite_automaton>();
    automaton->input_alphabet_size = this->letter_count();
    automaton->state_count = static_cast<int>(states.size());
    automaton->initial_states.insert(0);
    automaton->set_all_non_accepting();
    for (unsigned node = 0; node < tree.node_count; ++node) {
      if (tree.specified[node] && tree.output[node] == true) {
        automaton->output_mapping[number[classes.find(node)]] = true;
      }
    }
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (unsigned letter = 0; letter < tree.get_alphabet_size(); ++letter) {
        const unsigned target = classes.target(states[s], letter);
        if (target == prefix_tree<answer>::no_edge) continue;
        automaton->transitions[static_cast<int>(s)][tree.letter(letter)] = {number[target]};
      }
    }
    automaton->is_deterministic = true;
    automaton->valid = true;
    return automaton.release();
  }
};

}  // namespace libalf
