#include <libalf/conjecture.h>

#include <cctype>
#include <charconv>

namespace libalf {
namespace detail {
namespace {

std::string trimmed_lower(const std::string& text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
  std::string result;
  if (first < last) result.assign(first, last);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> split_and_trim(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(trimmed_lower(text.substr(begin, end - begin)));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace

std::basic_string<std::int32_t> with_length(const std::basic_string<std::int32_t>& data) {
  return detail::serialize_value(data.size()) + data;
}

bool take_length(serial_stretch& serial, serial_stretch& rest) {
  int length = 0;
  if (!detail::deserialize_value(length, serial) || length < 0 ||
      length > serial.limit - serial.current) {
    return false;
  }
  rest = serial_stretch(serial.current + length, serial.limit);
  serial.limit = serial.current + length;
  return true;
}

bool parse_number(const std::string& text, int& into) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, into);
  return error == std::errc() && stop == end && !text.empty();
}

bool automaton_text::parse(const std::string& text) {
  sections.clear();
  std::vector<std::vector<std::string>>* section = nullptr;
  bool in_general = false;
  std::string statement;  // since the last ';'; may go over several lines
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    const std::string content = trimmed_lower(line);
    if (!content.empty() && content.front() == '[') {
      if (content.back() != ']' || !trimmed_lower(statement).empty()) return false;
      const std::string name = trimmed_lower(content.substr(1, content.size() - 2));
      section = &sections[name];
      in_general = name == "general";
      statement.clear();
      continue;
    }
    for (char c : line) {
      if (c != ';') {
        statement += c;
        continue;
      }
      if (!section) return false;
      section->push_back(split_and_trim(statement, in_general ? '=' : ','));
      statement.clear();
    }
    statement += ' ';
  }
  return trimmed_lower(statement).empty();
}

bool automaton_text::general(const std::string& key, std::string& into) const {
  const auto section = sections.find("general");
  if (section == sections.end()) return false;
  for (const auto& fields : section->second) {
    if (fields.size() == 2 && fields[0] == key) {
      into = fields[1];
      return true;
    }
  }
  return false;
}

bool automaton_text::general(const std::string& key, int& into) const {
  std::string value;
  return general(key, value) && parse_number(value, into);
}

bool automaton_text::general(const std::string& key, bool& into) const {
  std::string value;
  if (!general(key, value)) return false;
  into = value == "true" || value == "yes";
  return into || value == "false" || value == "no";
}

bool automaton_text::numbers(const std::string& section, std::vector<int>& into) const {
  const auto at = sections.find(section);
  if (at == sections.end()) return true;
  for (const auto& fields : at->second) {
    if (fields.size() == 1 && fields[0].empty()) continue;
    for (const auto& field : fields) {
      int number = 0;
      if (!parse_number(field, number)) return false;
      into.push_back(number);
    }
  }
  return true;
}

}  // namespace detail

bool finite_automaton::calc_validity() {
  moore_machine<bool>::calc_validity();
  for (int state = 0; valid && state < state_count; ++state) {
    valid = output_mapping.count(state) != 0;
  }
  return valid;
}

std::basic_string<std::int32_t> finite_automaton::serialize() const {
  if (!valid) return detail::serialize_value(0);
  int count = 0;
  std::basic_string<std::int32_t> triples;
  for (const auto& [source, by_letter] : transitions) {
    for (const auto& [letter, targets] : by_letter) {
      for (int target : targets) {
        triples += detail::serialize_value(source) + detail::serialize_value(letter) +
                   detail::serialize_value(target);
        ++count;
      }
    }
  }
  return detail::with_length(
      detail::serialize_value(is_deterministic) + detail::serialize_value(input_alphabet_size) +
      detail::serialize_value(state_count) + detail::serialize_value(initial_states) +
      detail::serialize_value(get_final_states()) + detail::serialize_value(count) + triples);
}

bool finite_automaton::deserialize(serial_stretch& serial) {
  clear();
  serial_stretch rest;
  if (!detail::take_length(serial, rest)) return false;
  std::set<int> final;
  int count = 0;
  bool complete = detail::deserialize_value(is_deterministic, serial) &&
                  detail::deserialize_value(input_alphabet_size, serial) &&
                  detail::deserialize_value(state_count, serial) &&
                  detail::deserialize_value(initial_states, serial) &&
                  detail::deserialize_value(final, serial) &&
                  detail::deserialize_value(count, serial) && count >= 0;
  for (; complete && count > 0; --count) {
    int source = 0;
    int letter = 0;
    int target = 0;
    complete = detail::deserialize_value(source, serial) &&
               detail::deserialize_value(letter, serial) &&
               detail::deserialize_value(target, serial);
    if (complete) transitions[source][letter].insert(target);
  }
  complete = complete && serial.empty() && is_size_to_read() &&
             (final.empty() || *final.rbegin() < state_count);
  serial = rest;
  if (complete) set_final_states(final);
  if (complete && calc_validity()) {
    correct_determinism();
    return true;
  }
  clear();
  return false;
}

std::string finite_automaton::write() const {
  if (!valid) return "";
  std::ostringstream text;
  write_general(text);
  write_states(text, "[final states]", get_final_states());
  write_transitions(text);
  return text.str();
}

bool finite_automaton::read(std::string input) {
  clear();
  detail::automaton_text text;
  std::vector<int> final;
  if (text.parse(input) && read_general(text) && text.numbers("final states", final) &&
      read_transitions(text)) {
    const bool in_range =
        std::all_of(final.begin(), final.end(), [&](int s) { return is_state(s); });
    if (in_range) set_final_states(std::set<int>(final.begin(), final.end()));
    if (in_range && calc_validity()) {
      correct_determinism();
      return true;
    }
  }
  clear();
  return false;
}

std::string finite_automaton::visualize() const {
  if (!valid) return "";
  std::ostringstream text;
  text << "digraph finite_automaton {\n\tgraph[fontsize=8]\n\trankdir=LR;\n\tsize=8;\n\n";
  for (const bool accepting : {true, false}) {
    std::string names;
    for (const auto& [state, accepts] : output_mapping) {
      if (accepts == accepting) names += " q" + std::to_string(state);
    }
    if (names.empty()) continue;
    text << "\tnode [shape=" << (accepting ? "doublecircle" : "circle")
         << ", style=\"\", color=black];" << names << ";\n";
  }
  draw_arrows(text, ", style=\"\"];");
  text << "}\n";
  return text.str();
}

bool finite_automaton::contains(const std::list<int>& word) const {
  if (!valid) return false;
  std::set<int> states = initial_states;
  run(states, word.begin(), word.end());
  return std::any_of(states.begin(), states.end(), [&](int state) {
    const auto output = output_mapping.find(state);
    return output != output_mapping.end() && output->second;
  });
}

void finite_automaton::get_final_states(std::set<int>& into) const {
  into.clear();
  for (const auto& [state, accepts] : output_mapping) {
    if (accepts) into.insert(into.end(), state);
  }
}

std::set<int> finite_automaton::get_final_states() const {
  std::set<int> final;
  get_final_states(final);
  return final;
}

void finite_automaton::set_final_states(const std::set<int>& final) {
  output_mapping.clear();
  for (int state = 0; state < state_count; ++state) {
    output_mapping.emplace_hint(output_mapping.end(), state, final.count(state) != 0);
  }
}

void finite_automaton::set_all_non_accepting() {
  set_final_states({});
}

}  // namespace libalf

std::ostream& operator<<(std::ostream& out, const libalf::conjecture& conjecture) {
  return out << conjecture.visualize();
}
