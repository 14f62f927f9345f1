#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <libalf/detail/offline_learner.h>

namespace libalf {

/// Biermann and Feldman's learner (On the synthesis of finite-state machines from samples of their
/// behaviour, 1972): prefixes of the sample are one state if nothing tells them apart within so
/// many letters. The more letters, the more states and the less nondeterminism.
///
/// State 0 is a sink, for everything that the sample does not have.
template <class answer>
class original_biermann : public detail::offline_learner<answer> {
 public:
  original_biermann(knowledgebase<answer>* base, logger* log, int size, unsigned nondeterminism)
      : letters_compared_(nondeterminism) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  learning_algorithm_type get_type() const override { return ALG_BIERMANN_ORIGINAL; }

  /// How many letters are looked at, in spite of the name.
  void set_nondeterminism(unsigned letters) { letters_compared_ = letters; }
  unsigned get_nondeterminism() const { return letters_compared_; }

  bool conjecture_ready() override { return this->my_knowledge != nullptr; }

  std::basic_string<std::int32_t> serialize() const override {
    return detail::with_length(detail::serialize_value(get_type()) +
                               detail::serialize_value(letters_compared_));
  }
  bool deserialize(serial_stretch& serial) override {
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    int type = 0;
    unsigned letters = 0;
    const bool complete = detail::deserialize_value(type, serial) && type == get_type() &&
                          detail::deserialize_value(letters, serial) &&
                          serial.current == serial.limit;
    serial = rest;
    if (complete) letters_compared_ = letters;
    return complete;
  }
  /// Whether to set the number of letters, and if so, that number (at least 1). The result is the
  /// number afterwards.
  bool deserialize_magic(serial_stretch& serial, std::basic_string<std::int32_t>& result) override {
    result.clear();
    bool set = false;
    unsigned letters = 0;
    if (!detail::deserialize_value(set, serial)) return false;
    if (set) {
      if (!detail::deserialize_value(letters, serial)) return false;
      letters_compared_ = std::max(1u, letters);
    }
    result = detail::serialize_value(letters_compared_);
    return serial.current == serial.limit;
  }

 protected:
  conjecture* derive_conjecture() override {
    const prefix_tree<answer> tree = this->sample();
    auto machine = std::make_unique<typename detail::machine_for<answer>::type>();
    machine->input_alphabet_size = this->alphabet_size;
    std::vector<unsigned> classes{none};  // a node of each; the first is the sink
    std::vector<int> class_of(tree.node_count, sink);
    if constexpr (std::is_same_v<answer, bool>) machine->output_mapping[sink] = false;
    for (int letter = 0; letter < this->alphabet_size; ++letter) {
      machine->transitions[sink][letter] = {sink};
    }
    for (unsigned node : post_order(tree)) {
      const int found = find_class(tree, node, classes);
      class_of[node] = found;
      if (tree.specified[node]) {
        machine->output_mapping[found] = tree.output[node];
      } else if constexpr (std::is_same_v<answer, bool>) {
        machine->output_mapping[found] = false;
      }
      unsigned place = 0;  // of the next letter that the tree has
      for (int letter = 0; letter < this->alphabet_size; ++letter) {
        const bool occurs = place < tree.get_alphabet_size() && tree.letter(place) == letter;
        const unsigned below = occurs ? tree.edges[node][place++] : none;
        machine->transitions[found][letter].insert(below == none ? sink : class_of[below]);
      }
    }
    machine->state_count = static_cast<int>(classes.size());
    machine->initial_states.insert(class_of[0]);
    machine->valid = true;
    machine->calc_determinism();
    return machine.release();
  }

 private:
  static constexpr unsigned none = prefix_tree<answer>::no_edge;
  static constexpr int sink = 0;

  /// Children before parents, in the order of their letters.
  std::vector<unsigned> post_order(const prefix_tree<answer>& tree) const {
    std::vector<unsigned> order;
    std::vector<unsigned> open{prefix_tree<answer>::root};
    while (!open.empty()) {  // parents before children, last letter first ...
      const unsigned node = open.back();
      open.pop_back();
      order.push_back(node);
      for (unsigned place = 0; place < tree.get_alphabet_size(); ++place) {
        const unsigned below = tree.edges[node][place];
        if (below != none && tree.letter(place) < this->alphabet_size) open.push_back(below);
      }
    }
    std::reverse(order.begin(), order.end());  // ... from behind
    return order;
  }

  int find_class(const prefix_tree<answer>& tree, unsigned node,
                 std::vector<unsigned>& classes) const {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (looks_like(tree, node, classes[c])) return static_cast<int>(c);
    }
    classes.push_back(node);
    return static_cast<int>(classes.size() - 1);
  }

  /// Up to letters_compared_ letters on, the same words are answered, with the same answers.
  bool looks_like(const prefix_tree<answer>& tree, unsigned a, unsigned b) const {
    struct pair {
      unsigned a, b, letters_left;
    };
    std::vector<pair> open{{a, b, letters_compared_}};
    while (!open.empty()) {
      const pair p = open.back();
      open.pop_back();
      const bool a_known = p.a != none && tree.specified[p.a];
      const bool b_known = p.b != none && tree.specified[p.b];
      if (a_known != b_known || (a_known && tree.output[p.a] != tree.output[p.b])) return false;
      if (p.letters_left == 0) continue;
      for (unsigned letter = 0; letter < tree.get_alphabet_size(); ++letter) {
        const unsigned below_a = p.a == none ? none : tree.edges[p.a][letter];
        const unsigned below_b = p.b == none ? none : tree.edges[p.b][letter];
        if (below_a == none && below_b == none) continue;
        open.push_back({below_a, below_b, p.letters_left - 1});
      }
    }
    return true;
  }

  unsigned letters_compared_;
};

}  // namespace libalf
