#pragma once

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <libalf/serialize.h>

/// What learners deliver: state machines as public data, with text, Graphviz and serialised forms.
namespace libalf {

enum conjecture_type {
  CONJECTURE_NONE = 0,
  CONJECTURE_MOORE_MACHINE = 1,
  CONJECTURE_MEALY_MACHINE = 2,
  CONJECTURE_MVCA = 3,
  CONJECTURE_FINITE_AUTOMATON = 4,
  CONJECTURE_SIMPLE_MVCA = 5,
  CONJECTURE_BOUNDED_SIMPLE_MVCA = 6,
  CONJECTURE_LAST_INVALID = 7,
};

class conjecture {
 public:
  /// Set by whoever filled in the data; an invalid conjecture prints as empty text and accepts
  /// nothing.
  bool valid = false;

  virtual ~conjecture() = default;

  virtual bool is_valid() const { return valid; }
  virtual conjecture_type get_type() const { return CONJECTURE_NONE; }
  /// Recomputes `valid` from the data.
  virtual bool calc_validity() { return valid; }
  virtual void clear() { valid = false; }

  virtual std::basic_string<std::int32_t> serialize() const = 0;
  virtual bool deserialize(serial_stretch& serial) = 0;

  /// Text form. read returns false on malformed text, and the conjecture is then invalid.
  virtual std::string write() const = 0;
  virtual bool read(std::string input) = 0;

  /// Graphviz.
  virtual std::string visualize() const = 0;

 protected:
  conjecture() = default;
  conjecture(const conjecture&) = default;
  conjecture& operator=(const conjecture&) = default;
};

namespace detail {

/// Prepends the number of integers that follow.
std::basic_string<std::int32_t> with_length(const std::basic_string<std::int32_t>& data);

/// Reads a length and narrows `serial` to as many integers; `rest` becomes what follows them.
bool take_length(serial_stretch& serial, serial_stretch& rest);

/// The text form of an automaton, parsed: section -> statements -> comma separated fields, all
/// trimmed and in lower case. In [general] a statement is "key = value" and gives the two fields
/// key and value.
struct automaton_text {
  std::map<std::string, std::vector<std::vector<std::string>>> sections;

  /// False on a statement outside a section or without its ';'.
  bool parse(const std::string& text);
  bool general(const std::string& key, std::string& into) const;
  bool general(const std::string& key, int& into) const;
  bool general(const std::string& key, bool& into) const;
  /// All fields of all statements of a section, as numbers.
  bool numbers(const std::string& section, std::vector<int>& into) const;
};

// What is read from a text or from its serialised form and goes beyond these is damage: it would
// cost memory for every state, or for every letter.
constexpr int most_states_to_read = 1 << 20;
constexpr bool is_alphabet_size(int letters) {
  return 0 <= letters && letters <= 1 << 21;
}

/// A whole decimal number.
bool parse_number(const std::string& text, int& into);

template <class T, class = void>
struct is_readable : std::false_type {};
template <class T>
struct is_readable<T, std::void_t<decltype(std::declval<std::istream&>() >> std::declval<T&>())>>
    : std::true_type {};

/// False for a type without >>: it has no text form to read.
template <class T>
bool read_value(const std::string& text, T& into) {
  if constexpr (is_readable<T>::value) {
    std::istringstream stream(text);
    return static_cast<bool>(stream >> into);
  } else {
    return false;
  }
}

}  // namespace detail

/// States 0 ... state_count-1, letters 0 ... input_alphabet_size-1.
template <typename output_alphabet>
class finite_state_machine : public conjecture {
 public:
  bool is_deterministic = true;
  int input_alphabet_size = 0;
  int state_count = 0;
  std::set<int> initial_states;
  bool omega = false;  // over infinite words; no learner here makes such

  void clear() override {
    conjecture::clear();
    is_deterministic = true;
    input_alphabet_size = 0;
    state_count = 0;
    initial_states.clear();
    omega = false;
  }

  bool calc_validity() override {
    this->valid = input_alphabet_size >= 0 && state_count >= 0;
    for (int state : initial_states) this->valid = this->valid && is_state(state);
    return this->valid;
  }

  std::basic_string<std::int32_t> serialize() const override {
    if (!this->valid) return detail::serialize_value(0);
    return detail::with_length(
        detail::serialize_value(is_deterministic) + detail::serialize_value(input_alphabet_size) +
        detail::serialize_value(state_count) + detail::serialize_value(initial_states) +
        detail::serialize_value(omega));
  }

  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = detail::deserialize_value(is_deterministic, serial) &&
                          detail::deserialize_value(input_alphabet_size, serial) &&
                          detail::deserialize_value(state_count, serial) &&
                          detail::deserialize_value(initial_states, serial) &&
                          detail::deserialize_value(omega, serial) && serial.empty();
    serial = rest;
    return complete && is_size_to_read() && calc_validity();
  }

  /// Recomputes is_deterministic: one initial state, at most one target per state and letter.
  virtual bool calc_determinism() {
    is_deterministic = initial_states.size() <= 1;
    return is_deterministic;
  }

 protected:
  bool is_state(int state) const { return 0 <= state && state < state_count; }
  bool is_size_to_read() const {
    return 0 <= state_count && state_count <= detail::most_states_to_read &&
           detail::is_alphabet_size(input_alphabet_size);
  }
  /// What was read may say that it is deterministic and not be.
  void correct_determinism() {
    if (is_deterministic) calc_determinism();
  }

  // Of state -> letter -> targets, where the letter -1 stands for epsilon and targets are states,
  // or pairs that begin with one.

  template <class Transitions>
  bool do_transitions_fit(const Transitions& transitions) const {
    for (const auto& [source, by_letter] : transitions) {
      if (!is_state(source)) return false;
      for (const auto& [letter, targets] : by_letter) {
        if (letter < -1 || letter >= input_alphabet_size) return false;
        for (const auto& target : targets) {
          if (!is_state(state_of(target))) return false;
        }
      }
    }
    return true;
  }
  template <class Transitions>
  static bool has_one_target_each(const Transitions& transitions) {
    for (const auto& [source, by_letter] : transitions) {
      for (const auto& [letter, targets] : by_letter) {
        if (targets.size() > 1 || (letter < 0 && !targets.empty())) return false;
      }
    }
    return true;
  }
  /// Every output belongs to a state.
  template <class Outputs>
  bool do_outputs_fit(const Outputs& outputs) const {
    return outputs.empty() ||
           (is_state(outputs.begin()->first) && is_state(outputs.rbegin()->first));
  }

 private:
  static int state_of(int target) { return target; }
  template <class Output>
  static int state_of(const std::pair<int, Output>& target) {
    return target.first;
  }
};

/// A machine whose states carry an output. A missing transition entry means no transition; the
/// letter -1 stands for epsilon.
template <typename output_alphabet>
class moore_machine : public finite_state_machine<output_alphabet> {
 public:
  std::map<int, output_alphabet> output_mapping;
  std::map<int, std::map<int, std::set<int>>> transitions;

  conjecture_type get_type() const override { return CONJECTURE_MOORE_MACHINE; }

  void clear() override {
    finite_state_machine<output_alphabet>::clear();
    output_mapping.clear();
    transitions.clear();
  }

  bool calc_validity() override {
    this->valid = finite_state_machine<output_alphabet>::calc_validity() &&
                  this->do_outputs_fit(output_mapping) && this->do_transitions_fit(transitions);
    return this->valid;
  }

  bool calc_determinism() override {
    this->is_deterministic = finite_state_machine<output_alphabet>::calc_determinism() &&
                             this->has_one_target_each(transitions);
    return this->is_deterministic;
  }

  std::basic_string<std::int32_t> serialize() const override {
    if (!this->valid) return detail::serialize_value(0);
    return detail::with_length(finite_state_machine<output_alphabet>::serialize() +
                               detail::serialize_value(output_mapping) +
                               detail::serialize_value(transitions));
  }

  bool deserialize(serial_stretch& serial) override {
    clear();
    serial_stretch rest;
    if (!detail::take_length(serial, rest)) return false;
    const bool complete = finite_state_machine<output_alphabet>::deserialize(serial) &&
                          detail::deserialize_value(output_mapping, serial) &&
                          detail::deserialize_value(transitions, serial) && serial.empty();
    serial = rest;
    if (complete && calc_validity()) {
      this->correct_determinism();
      return true;
    }
    clear();
    return false;
  }

  /// Replaces current_states by the states reached from them; an epsilon move costs no letter.
  virtual void run(std::set<int>& current_states, std::list<int>::const_iterator word,
                   std::list<int>::const_iterator word_end) const {
    close_under_epsilon(current_states);
    for (; word != word_end; ++word) {
      std::set<int> next;
      for (int state : current_states) add_targets(state, *word, next);
      close_under_epsilon(next);
      current_states.swap(next);
    }
  }

  /// As a finite automaton's, with [outputs] (lines "state, value;") instead of [final states].
  std::string write() const override {
    if (!this->valid) return "";
    std::ostringstream text;
    write_general(text);
    text << "[outputs]\n";
    for (const auto& [state, output] : output_mapping) {
      text << '\t' << state << ", " << output << ";\n";
    }
    write_transitions(text);
    return text.str();
  }

  bool read(std::string input) override {
    clear();
    detail::automaton_text text;
    if (text.parse(input) && read_general(text) && read_outputs(text) && read_transitions(text) &&
        calc_validity()) {
      this->correct_determinism();
      return true;
    }
    clear();
    return false;
  }

  std::string visualize() const override {
    if (!this->valid) return "";
    std::ostringstream text;
    text << "digraph moore_machine__" << typeid(output_alphabet).name()
         << "__ {\n\tgraph[fontsize=8]\n\trankdir=LR;\n\tsize=8;\n\n";
    for (int state = 0; state < this->state_count; ++state) {
      const auto output = output_mapping.find(state);
      const char* color = output == output_mapping.end() ? "gray" : "black";
      text << "\tnode [shape=circle, color=" << color << ", fontcolor=" << color << ", label=\"q"
           << state;
      if (output != output_mapping.end()) text << "\\n[" << output->second << ']';
      text << "\"] q" << state << ";\n";
    }
    draw_arrows(text, "] ");
    text << "};\n";
    return text.str();
  }

 protected:
  void write_general(std::ostream& text) const {
    text << "[general]\n\tis dfa = " << (this->is_deterministic ? "true" : "false")
         << ";\n\talphabet size = " << this->input_alphabet_size
         << ";\n\tnumber of states = " << this->state_count << ";\n";
    write_states(text, "[initial states]", this->initial_states);
  }

  static void write_states(std::ostream& text, const char* section, const std::set<int>& states) {
    text << section << "\n";
    const char* separator = "\t";
    for (int state : states) {
      text << separator << state;
      separator = ", ";
    }
    text << (states.empty() ? "\n" : ";\n");  // no state, no statement: as upstream writes it
  }

  void write_transitions(std::ostream& text) const {
    text << "[transitions]\n";
    for (const auto& [source, by_letter] : transitions) {
      for (const auto& [letter, targets] : by_letter) {
        for (int target : targets) {
          text << '\t' << source << ", " << letter << ", " << target << ";\n";
        }
      }
    }
  }

  bool read_general(const detail::automaton_text& text) {
    std::vector<int> initial;
    if (!text.general("is dfa", this->is_deterministic) ||
        !text.general("alphabet size", this->input_alphabet_size) ||
        !text.general("number of states", this->state_count) ||
        !text.numbers("initial states", initial) || !this->is_size_to_read()) {
      return false;
    }
    this->initial_states.insert(initial.begin(), initial.end());
    return true;
  }

  bool read_transitions(const detail::automaton_text& text) {
    const auto section = text.sections.find("transitions");
    if (section == text.sections.end()) return true;
    for (const auto& fields : section->second) {
      int source = 0;
      int letter = 0;
      int target = 0;
      if (fields.size() == 1 && fields[0].empty()) continue;
      if (fields.size() != 3 || !detail::parse_number(fields[0], source) ||
          !detail::parse_number(fields[1], letter) || !detail::parse_number(fields[2], target)) {
        return false;
      }
      transitions[source][letter].insert(target);
    }
    return true;
  }

  /// Invisible nodes with blue arrows to the initial states, then the transitions.
  void draw_arrows(std::ostream& text, const char* style) const {
    if (!this->initial_states.empty()) {
      text << "\tnode [shape=plaintext, label=\"\"" << style;
      for (int state : this->initial_states) text << " iq" << state;
      text << ";\n";
    }
    for (int state : this->initial_states) {
      text << "\tiq" << state << " -> q" << state << " [color=blue];\n";
    }
    for (const auto& [source, by_letter] : transitions) {
      for (const auto& [letter, targets] : by_letter) {
        for (int target : targets) {
          text << "\tq" << source << " -> q" << target << " [label=\"" << letter << "\"];\n";
        }
      }
    }
  }

 private:
  void add_targets(int state, int letter, std::set<int>& into) const {
    const auto by_letter = transitions.find(state);
    if (by_letter == transitions.end()) return;
    const auto targets = by_letter->second.find(letter);
    if (targets != by_letter->second.end()) {
      into.insert(targets->second.begin(), targets->second.end());
    }
  }

  void close_under_epsilon(std::set<int>& states) const {
    std::vector<int> open(states.begin(), states.end());
    while (!open.empty()) {
      std::set<int> targets;
      add_targets(open.back(), -1, targets);
      open.pop_back();
      for (int target : targets) {
        if (states.insert(target).second) open.push_back(target);
      }
    }
  }

  bool read_outputs(const detail::automaton_text& text) {
    const auto section = text.sections.find("outputs");
    if (section == text.sections.end()) return false;
    for (const auto& fields : section->second) {
      int state = 0;
      if (fields.size() == 1 && fields[0].empty()) continue;
      if (fields.size() != 2 || !detail::parse_number(fields[0], state)) return false;
      if (!detail::read_value(fields[1], output_mapping[state])) return false;
    }
    return true;
  }
};

/// A (possibly nondeterministic) acceptor: state s accepts iff output_mapping[s].
class finite_automaton : public moore_machine<bool> {
 public:
  conjecture_type get_type() const override { return CONJECTURE_FINITE_AUTOMATON; }
  /// In addition, every state must say whether it accepts.
  bool calc_validity() override;

  std::basic_string<std::int32_t> serialize() const override;
  bool deserialize(serial_stretch& serial) override;
  std::string write() const override;
  bool read(std::string input) override;
  std::string visualize() const override;

  /// Unknown letters reject.
  virtual bool contains(const std::list<int>& word) const;

  virtual void get_final_states(std::set<int>& into) const;
  virtual std::set<int> get_final_states() const;
  /// These states accept, all others reject.
  virtual void set_final_states(const std::set<int>& final);
  virtual void set_all_non_accepting();
};

}  // namespace libalf

/// Prints visualize().
std::ostream& operator<<(std::ostream& out, const libalf::conjecture& conjecture);
