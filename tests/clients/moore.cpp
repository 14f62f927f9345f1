// A typical libalf program over answers that are not yes or no: learns a machine with three
// outputs.
#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <iostream>
#include <list>
#include <set>

using namespace std;
using namespace libalf;

// The value of the word as a binary number, modulo 5, but 3 and 4 both show as 3.
static int target(const list<int>& word) {
  int value = 0;
  for (list<int>::const_iterator letter = word.begin(); letter != word.end(); ++letter) {
    value = (2 * value + *letter) % 5;
  }
  return value < 3 ? value : 3;
}

static bool learn(learning_algorithm<int>& algorithm, knowledgebase<int>& base) {
  for (int rounds = 0; rounds < 1000; rounds++) {
    conjecture* cj = algorithm.advance();
    if (cj == NULL) {
      while (!base.is_answered()) {
        knowledgebase<int>::iterator query = base.qbegin();
        query->set_answer(target(query->get_word()));
      }
      continue;
    }
    moore_machine<int>* machine = dynamic_cast<moore_machine<int>*>(cj);
    if (machine == NULL || machine->get_type() != CONJECTURE_MOORE_MACHINE) return false;
    list<int> word;
    bool equal = true;
    while (equal && word.size() < 9) {
      set<int> states = machine->initial_states;
      machine->run(states, word.begin(), word.end());
      if (states.size() != 1 || machine->output_mapping[*states.begin()] != target(word))
        equal = false;
      else
        inc_graded_lex(word, 2);
    }
    int states = machine->state_count;
    delete cj;
    if (equal) {
      cout << algorithm.get_name() << ": " << states << " states\n";
      return states == 5;
    }
    algorithm.add_counterexample(word);
  }
  return false;
}

int main() {
  knowledgebase<int> base1, base2, base3;
  angluin_simple_table<int> simple(&base1, NULL, 2);
  angluin_col_table<int> columns(&base2, NULL, 2);
  rivest_schapire_table<int> reduced(&base3, NULL, 2);
  return learn(simple, base1) && learn(columns, base2) && learn(reduced, base3) ? 0 : 1;
}
