#pragma once

#include <memory>
#include <vector>

#include <libalf/detail/offline_learner.h>

namespace libalf {

/// DeLeTe2 (Denis, Lemay, Terlutte: Learning regular languages using RFSAs, 2004): states are
/// prefixes of the sample, transitions follow from which prefixes' residual languages may include
/// which, as far as the sample tells.
///
/// The conjecture is nondeterministic, and need not agree with the sample.
template <class answer>
class DeLeTe2 : public detail::offline_learner<answer> {
 public:
  DeLeTe2(knowledgebase<answer>* base, logger* log, int size) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_DELETE2; }

 protected:
  conjecture* derive_conjecture() override {
    if (this->my_knowledge->count_answers() == 0) return this->empty_language();
    const prefix_tree<answer> tree = this->sample();
    compare(tree);
    auto automaton = std::make_unique<finite_automaton>();
    automaton->input_alphabet_size = this->letter_count();
    std::vector<unsigned> states;
    std::vector<bool> dropped(tree.node_count, false);  // a prefix is equivalent to a state
    for (unsigned node = 0; node < tree.node_count; ++node) {
      if (dropped[node] || is_equivalent_to_a_state(node, states)) {
        for (unsigned below : tree.edges[node]) {
          if (below != none) dropped[below] = true;
        }
        continue;
      }
      states.push_back(node);
      add_state(tree, states, *automaton);
    }
    automaton->state_count = static_cast<int>(states.size());
    automaton->is_deterministic = false;
    automaton->valid = true;
    return automaton.release();
  }

 private:
  static constexpr unsigned none = prefix_tree<answer>::no_edge;

  /// No continuation is known to be accepted after a and rejected after b.
  bool may_include(unsigned a, unsigned b) const { return included_[a][b]; }

  void compare(const prefix_tree<answer>& tree) {
    included_.assign(tree.node_count, std::vector<bool>(tree.node_count));
    // Longer words first: what holds of a pair follows from pairs of longer words.
    for (unsigned a = tree.node_count; a-- > 0;) {
      for (unsigned b = tree.node_count; b-- > 0;) {
        bool included = !(tree.specified[a] && tree.specified[b] && tree.output[a] == true &&
                          tree.output[b] == false);
        for (unsigned letter = 0; included && letter < tree.get_alphabet_size(); ++letter) {
          const unsigned after_a = tree.edges[a][letter];
          const unsigned after_b = tree.edges[b][letter];
          included = after_a == none || after_b == none || may_include(after_a, after_b);
        }
        included_[a][b] = included;
      }
    }
  }

  bool is_equivalent_to_a_state(unsigned node, const std::vector<unsigned>& states) const {
    for (unsigned state : states) {
      if (may_include(node, state) && may_include(state, node)) return true;
    }
    return false;
  }

  /// The last state: whether it is initial and accepts, and the transitions between it and all.
  void add_state(const prefix_tree<answer>& tree, const std::vector<unsigned>& states,
                 finite_automaton& automaton) const {
    const unsigned node = states.back();
    const auto number = static_cast<int>(states.size() - 1);
    if (may_include(node, prefix_tree<answer>::root)) automaton.initial_states.insert(number);
    automaton.output_mapping[number] = tree.specified[node] && tree.output[node] == true;
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (unsigned letter = 0; letter < tree.get_alphabet_size(); ++letter) {
        const auto connect = [&](unsigned from, int from_number, unsigned to, int to_number) {
          const unsigned reached = tree.edges[from][letter];
          if (reached == none || !may_include(to, reached)) return;
          automaton.transitions[from_number][tree.letter(letter)].insert(to_number);
        };
        connect(states[s], static_cast<int>(s), node, number);
        connect(node, number, states[s], static_cast<int>(s));
      }
    }
  }

  std::vector<std::vector<bool>> included_;
};

}  // namespace libalf
