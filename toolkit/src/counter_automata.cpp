#include <libalf/conjecture.h>

namespace libalf {
namespace {

// How libmVCA tells the two kinds of transition function apart.
constexpr int deterministic_kind = 1;
constexpr int nondeterministic_kind = 2;

using single_targets = std::map<int, std::map<int, std::map<int, int>>>;

}  // namespace

// Length, kind, states, letters, directions, initial and final states, bound, transitions: single
// targets if it is deterministic, sets if not.
std::basic_string<std::int32_t> simple_mVCA::serialize() const {
  if (!valid) return detail::serialize_value(0);
  std::basic_string<std::int32_t> data =
      detail::serialize_value(is_deterministic ? deterministic_kind : nondeterministic_kind) +
      detail::serialize_value(state_count) + detail::serialize_value(input_alphabet_size) +
      detail::serialize_value(alphabet_directions) + detail::serialize_value(initial_states) +
      detail::serialize_value(get_final_states()) + detail::serialize_value(m_bound);
  if (!is_deterministic) return detail::with_length(data + detail::serialize_value(transitions));
  single_targets single;
  for (const auto& [counter, by_state] : transitions) {
    for (const auto& [source, by_letter] : by_state) {
      for (const auto& [letter, targets] : by_letter) {
        if (targets.size() > 1) return detail::serialize_value(0);  // the flag is wrong
        if (!targets.empty()) single[counter][source][letter] = *targets.begin();
      }
    }
  }
  return detail::with_length(data + detail::serialize_value(single));
}

bool simple_mVCA::deserialize(serial_stretch& serial) {
  clear();
  serial_stretch rest;
  if (!detail::take_length(serial, rest)) return false;
  int kind = 0;
  std::set<int> final;
  single_targets single;
  bool complete = detail::deserialize_value(kind, serial) &&
                  (kind == deterministic_kind || kind == nondeterministic_kind) &&
                  detail::deserialize_value(state_count, serial) &&
                  detail::deserialize_value(input_alphabet_size, serial) &&
                  detail::deserialize_value(alphabet_directions, serial) &&
                  detail::deserialize_value(initial_states, serial) &&
                  detail::deserialize_value(final, serial) &&
                  detail::deserialize_value(m_bound, serial) &&
                  (kind == deterministic_kind ? detail::deserialize_value(single, serial)
                                              : detail::deserialize_value(transitions, serial)) &&
                  serial.current == serial.limit;
  serial = rest;
  is_deterministic = kind == deterministic_kind;
  for (const auto& [counter, by_state] : single) {
    for (const auto& [source, by_letter] : by_state) {
      for (const auto& [letter, target] : by_letter) {
        transitions[counter][source][letter] = {target};
      }
    }
  }
  for (int state : final) output_mapping[state] = true;
  if (complete && is_size_to_read() && calc_validity()) {
    correct_determinism();
    return true;
  }
  clear();
  return false;
}

void simple_mVCA::get_final_states(std::set<int>& into) const {
  into = get_final_states();
}

std::set<int> simple_mVCA::get_final_states() const {
  std::set<int> final;
  for (const auto& [state, accepts] : output_mapping) {
    if (accepts) final.insert(final.end(), state);
  }
  return final;
}

void simple_mVCA::set_final_states(const std::set<int>& final) {
  output_mapping.clear();
  for (int state = 0; state < state_count; ++state) {
    output_mapping.emplace_hint(output_mapping.end(), state, final.count(state) != 0);
  }
}

void simple_mVCA::set_all_non_accepting() {
  set_final_states({});
}

void bounded_simple_mVCA::clear() {
  finite_automaton::clear();
  m_bound = 0;
}

bool bounded_simple_mVCA::calc_validity() {
  valid = finite_automaton::calc_validity() && m_bound >= 0;
  return valid;
}

std::basic_string<std::int32_t> bounded_simple_mVCA::serialize() const {
  if (!valid) return detail::serialize_value(0);
  return detail::with_length(finite_automaton::serialize() + detail::serialize_value(m_bound));
}

bool bounded_simple_mVCA::deserialize(serial_stretch& serial) {
  clear();
  serial_stretch rest;
  if (!detail::take_length(serial, rest)) return false;
  bool complete = finite_automaton::deserialize(serial);
  complete = complete && detail::deserialize_value(m_bound, serial) &&
             serial.current == serial.limit && m_bound >= 0;
  serial = rest;
  if (!complete) clear();
  return complete;
}

}  // namespace libalf
