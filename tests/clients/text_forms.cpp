// A typical libalf program: automata built by hand, written as text, read back and drawn.
#include <libalf/alf.h>

#include <iostream>
#include <list>
#include <set>
#include <sstream>
#include <string>

using namespace std;
using namespace libalf;

int main() {
  finite_automaton automaton;
  automaton.is_deterministic = false;
  automaton.input_alphabet_size = 2;
  automaton.state_count = 3;
  automaton.initial_states.insert(0);
  automaton.set_all_non_accepting();
  set<int> final;
  final.insert(2);
  automaton.set_final_states(final);
  for (int letter = 0; letter < 2; letter++) {
    automaton.transitions[0][letter].insert(0);
    automaton.transitions[1][letter].insert(2);
  }
  automaton.transitions[0][1].insert(1);
  automaton.valid = true;
  if (!automaton.calc_validity() || automaton.calc_determinism()) return 1;

  const string text = automaton.write();
  const string expected =
      "[general]\n\tis dfa = false;\n\talphabet size = 2;\n\tnumber of states = 3;\n"
      "[initial states]\n\t0;\n[final states]\n\t2;\n"
      "[transitions]\n\t0, 0, 0;\n\t0, 1, 0;\n\t0, 1, 1;\n\t1, 0, 2;\n\t1, 1, 2;\n";
  finite_automaton copy;
  bool good = text == expected && copy.read(text) && copy.write() == text;

  // The last letter but one is a 1.
  list<int> word;
  while (word.size() < 6) {
    bool should = word.size() >= 2 && *(++word.rbegin()) == 1;
    good = good && copy.contains(word) == should;
    inc_graded_lex(word, 2);
  }

  stringstream drawn;
  drawn << copy;
  good = good && drawn.str() == automaton.visualize() &&
         drawn.str().find("digraph finite_automaton {") == 0;
  set<int> reached = copy.initial_states;
  list<int> one = libalf::word(1, 1);
  copy.run(reached, one.begin(), one.end());
  good = good && reached.size() == 2 && copy.get_final_states() == final;

  moore_machine<int> machine;
  machine.input_alphabet_size = 1;
  machine.state_count = 2;
  machine.initial_states.insert(0);
  machine.output_mapping[0] = 3;
  machine.output_mapping[1] = 5;
  machine.transitions[0][0].insert(1);
  machine.transitions[1][0].insert(0);
  machine.valid = true;
  good = good && machine.calc_validity() && machine.calc_determinism();
  cout << text << machine.visualize();
  return good ? 0 : 1;
}
