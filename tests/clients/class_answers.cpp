// A typical libalf program over answers of class type: a struct of its own, with the operators that
// libalf asks for, and libalf's extended_bool. Learns, and takes knowledgebase and learner through
// their serialised forms.
#include <iostream>

struct level {
  int value;
  level() : value(0) {}
  level(int v) : value(v) {}  // libalf assigns false
  bool operator==(const level& other) const { return value == other.value; }
  bool operator!=(const level& other) const { return value != other.value; }
};
inline std::ostream& operator<<(std::ostream& os, const level& l) {
  return os << "level " << l.value;
}

#include <libalf/serialize.h>

inline std::basic_string<int32_t> serialize(const level& l) {
  return serialize(l.value);
}
inline bool deserialize(level& into, serial_stretch& serial) {
  return deserialize(into.value, serial);
}
// Where libalf looks for the answers of its knowledgebase.
namespace libalf {
using ::deserialize;
}

#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <list>
#include <set>

using namespace std;
using namespace libalf;

static int ones(const list<int>& word) {
  int count = 0;
  for (list<int>::const_iterator l = word.begin(); l != word.end(); ++l) count += *l;
  return count;
}

template <class answer>
answer target(const list<int>& word);
template <>
level target<level>(const list<int>& word) {
  return level(ones(word) % 3);
}
template <>
extended_bool target<extended_bool>(const list<int>& word) {
  static const extended_bool::e_extended_bool cycle[] = {
      extended_bool::EBOOL_TRUE, extended_bool::EBOOL_UNKNOWN, extended_bool::EBOOL_FALSE};
  return extended_bool(cycle[ones(word) % 3]);
}

// The machine found has three states, answers as the target does, and prints.
template <class answer>
bool is_right(conjecture* found) {
  moore_machine<answer>* machine = dynamic_cast<moore_machine<answer>*>(found);
  if (machine == NULL || machine->state_count != 3) return false;
  for (list<int> word; word.size() < 7; inc_graded_lex(word, 2)) {
    set<int> states = machine->initial_states;
    machine->run(states, word.begin(), word.end());
    if (states.size() != 1 || machine->output_mapping[*states.begin()] != target<answer>(word))
      return false;
  }
  return !machine->visualize().empty();
}

template <class answer, class learner>
bool learn(const char* name) {
  knowledgebase<answer> base;
  learner algorithm(&base, NULL, 2);
  for (int rounds = 0; rounds < 100; rounds++) {
    conjecture* cj = algorithm.advance();
    if (cj != NULL) {
      bool right = is_right<answer>(cj);
      delete cj;
      basic_string<int32_t> data = base.serialize();
      serial_stretch serial(data);
      knowledgebase<answer> copy;
      right = right && copy.deserialize(serial) && copy.count_answers() == base.count_answers();
      cout << name << ": " << base.count_answers() << " answers, " << (right ? "right" : "wrong")
           << "\n";
      return right;
    }
    while (!base.is_answered()) {
      typename knowledgebase<answer>::iterator query = base.qbegin();
      query->set_answer(target<answer>(query->get_word()));
    }
  }
  return false;
}

int main() {
  bool good = learn<level, angluin_simple_table<level> >("simple, level");
  good &= learn<level, angluin_col_table<level> >("columns, level");
  good &= learn<level, rivest_schapire_table<level> >("Rivest-Schapire, level");
  good &= learn<extended_bool, angluin_simple_table<extended_bool> >("simple, extended_bool");
  return good ? 0 : 1;
}
