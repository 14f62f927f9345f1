#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <libalf/detail/offline_learner.h>
#include <libalf/detail/smallest_machine.h>
#include <libalf/prefix_tree.h>

namespace libalf {

/// Learners that find a smallest machine that agrees with the sample. Which one, where there are
/// several of that size, is not said; it is the same in every run.
template <class answer>
class automata_inferring : public detail::offline_learner<answer> {
 public:
  /// For samples that say nothing about a state.
  answer get_default_output() const { return default_output; }
  void set_default_output(answer output) { default_output = output; }

  bool conjecture_ready() override { return this->my_knowledge != nullptr; }

  /// A machine of at most `states` states; NULL if there is none, or if stop_when was true first.
  virtual conjecture* infer(unsigned states) const { return infer_machine(this->sample(), states); }
  /// A smallest one. Upstream's two ways of searching for it; here they are one.
  virtual conjecture* infer_linear(unsigned increment = 1) const {
    return increment == 0 ? nullptr : smallest();
  }
  virtual conjecture* infer_binarysearch() const { return smallest(); }

  conjecture* derive_conjecture() override { return smallest(); }

 protected:
  virtual conjecture* infer_machine(const prefix_tree<answer>& tree, unsigned states) const = 0;

  detail::labelled_tree labelled(const prefix_tree<answer>& tree,
                                 std::deque<answer>& answers) const {
    detail::labelled_tree result;
    result.letters = tree.get_alphabet_size();
    result.edges = tree.edges;
    for (unsigned node = 0; node < tree.node_count; ++node) {
      int label = detail::labelled_tree::unlabelled;
      if (tree.specified[node]) {
        const answer value = tree.output[node];
        label = 0;
        while (label < static_cast<int>(answers.size()) &&
               !(answers[static_cast<std::size_t>(label)] == value)) {
          ++label;
        }
        if (label == static_cast<int>(answers.size())) answers.push_back(value);
      }
      result.labels.push_back(label);
    }
    result.label_count = static_cast<int>(answers.size());
    return result;
  }

  answer default_output{};

 private:
  conjecture* smallest() const {
    const prefix_tree<answer> tree = this->sample();
    for (unsigned states = 1;; ++states) {  // as many as the tree has nodes always do
      if (conjecture* found = infer_machine(tree, states)) return found;
      if (this->is_stopped()) return nullptr;
    }
  }
};

/// The machine answers the whole sample as the tree says. Where it has no state, it answers
/// default_output.
template <class answer>
bool is_consistent(const prefix_tree<answer>& tree, const moore_machine<answer>& machine,
                   answer default_output = answer()) {
  std::vector<std::set<int>> reached(tree.node_count);
  reached[0] = machine.initial_states;
  for (unsigned node = 0; node < tree.node_count; ++node) {  // parents come before children
    for (unsigned letter = 0; letter < tree.get_alphabet_size(); ++letter) {
      const unsigned below = tree.edges[node][letter];
      if (below == prefix_tree<answer>::no_edge) continue;
      const std::list<int> step{tree.letter(letter)};
      reached[below] = reached[node];
      machine.run(reached[below], step.begin(), step.end());
    }
    if (!tree.specified[node]) continue;
    bool found = reached[node].empty() && tree.output[node] == default_output;
    for (int state : reached[node]) {
      const auto output = machine.output_mapping.find(state);
      found =
          found || (output != machine.output_mapping.end() && output->second == tree.output[node]);
    }
    if (!found) return false;
  }
  return true;
}

namespace detail {

/// Upstream's learners have switches for their encodings, the last of which logs solutions. They
/// are kept, serialised and read back, and change nothing: the formula here has one form.
template <class answer, std::size_t switches>
class inferring_with_switches : public automata_inferring<answer> {
 public:
  bool is_logging_model() const { return on_[switches - 1]; }
  void set_log_model(bool wanted) { on_[switches - 1] = wanted; }

  /// Length, type, letters, switches; the type is that of all of upstream's.
  std::basic_string<std::int32_t> serialize() const override {
    auto data = serialize_value(ALG_INFERRING_CSP_MINISAT) + serialize_value(this->alphabet_size);
    for (bool on : on_) data += serialize_value(on);
    return with_length(data);
  }
  bool deserialize(serial_stretch& serial) override {
    serial_stretch rest;
    if (!take_length(serial, rest)) return false;
    int type = 0;
    int letters = 0;
    std::array<bool, switches> on{};
    bool complete = deserialize_value(type, serial) && type == ALG_INFERRING_CSP_MINISAT &&
                    deserialize_value(letters, serial) && letters > 0 && is_alphabet_size(letters);
    for (bool& one : on) complete = complete && deserialize_value(one, serial);
    complete = complete && serial.current == serial.limit;
    serial = rest;
    if (!complete) return false;
    this->set_alphabet_size(letters);
    on_ = on;
    return true;
  }
  /// 2i: the result is switch i; 2i+1 and a value: sets it.
  bool deserialize_magic(serial_stretch& serial, std::basic_string<std::int32_t>& result) override {
    result.clear();
    int command = 0;
    if (!deserialize_value(command, serial) || command < 0) return false;
    const auto number = static_cast<std::size_t>(command / 2);
    if (number + 1 >= switches) return false;
    if (command % 2 == 0) {
      result = serialize_value(on_[number]);
      return true;
    }
    return deserialize_value(on_[number], serial);
  }

 protected:
  inferring_with_switches(knowledgebase<answer>* base, logger* log, int size,
                          std::array<bool, switches> on)
      : on_(on) {
    this->set_alphabet_size(size);
    this->set_logger(log);
    this->set_knowledge_source(base);
  }

  std::array<bool, switches> on_;
};

/// A smallest deterministic, complete machine: finite_automaton for bool, else moore_machine.
template <class answer, std::size_t switches>
class deterministic_inferring : public inferring_with_switches<answer, switches> {
 protected:
  using inferring_with_switches<answer, switches>::inferring_with_switches;

  conjecture* infer_machine(const prefix_tree<answer>& tree, unsigned states) const override {
    std::deque<answer> answers;
    const labelled_tree labels = this->labelled(tree, answers);
    const auto found = deterministic_states(labels, states, this->stop());
    if (!found) return nullptr;
    const auto used = static_cast<int>(*std::max_element(found->begin(), found->end()) + 1);
    auto machine = std::make_unique<typename machine_for<answer>::type>();
    machine->input_alphabet_size = this->letter_count();
    machine->state_count = used;
    machine->initial_states.insert(0);
    for (int state = 0; state < used; ++state) {
      machine->output_mapping[state] = this->default_output;
      for (int letter = 0; letter < machine->input_alphabet_size; ++letter) {
        machine->transitions[state][letter] = {0};  // where the sample says nothing
      }
    }
    for (unsigned node = 0; node < tree.node_count; ++node) {
      const auto state = static_cast<int>((*found)[node]);
      if (tree.specified[node]) machine->output_mapping[state] = tree.output[node];
      for (unsigned letter = 0; letter < labels.letters; ++letter) {
        const unsigned below = tree.edges[node][letter];
        if (below == labelled_tree::no_edge) continue;
        machine->transitions[state][tree.letter(letter)] = {static_cast<int>((*found)[below])};
      }
    }
    machine->is_deterministic = true;
    machine->valid = true;
    return machine.release();
  }
};

/// With the switch of upstream's learners that use MiniSat.
template <class answer>
class symmetric_inferring : public deterministic_inferring<answer, 2> {
 public:
  symmetric_inferring(knowledgebase<answer>* base, logger* log, int size, bool symmetry_breaking)
      : deterministic_inferring<answer, 2>(base, log, size, {symmetry_breaking, false}) {}

  learning_algorithm_type get_type() const override { return ALG_INFERRING_MINISAT; }

  bool uses_symmetry_breaking() const { return this->on_[0]; }
  void set_symmetry_breaking(bool wanted) { this->on_[0] = wanted; }
};

/// With the switches of upstream's learners that use z3.
template <class answer, learning_algorithm_type type>
class inferring_with_z3 : public deterministic_inferring<answer, 3> {
 public:
  inferring_with_z3(knowledgebase<answer>* base, logger* log, int size, bool use_variables,
                    bool use_enum)
      : deterministic_inferring<answer, 3>(base, log, size, {use_variables, use_enum, false}) {}

  learning_algorithm_type get_type() const override { return type; }

  bool is_using_variables() const { return this->on_[0]; }
  void set_using_variables(bool wanted) { this->on_[0] = wanted; }
  bool is_using_enum() const { return this->on_[1]; }
  void set_using_enum(bool wanted) { this->on_[1] = wanted; }
};

}  // namespace detail
}  // namespace libalf
