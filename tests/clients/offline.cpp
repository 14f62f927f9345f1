// A typical libalf program that learns from samples: the knowledgebase is filled by hand, each
// learner is advanced once.
#include <unistd.h>  // before upstream's MiniSat, which includes it inside a namespace

#include <libalf/alf.h>
#include <libalf/algorithm_DeLeTe2.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_biermann_original.h>
#include <libalf/algorithm_counterexample_learning.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>
#include <libalf/algorithm_nfa_inferring_minisat.h>

#include <iostream>
#include <list>

using namespace std;
using namespace libalf;

// Two ones in a row.
static bool target(const list<int>& word) {
  int last = 0;
  for (list<int>::const_iterator letter = word.begin(); letter != word.end(); ++letter) {
    if (last == 1 && *letter == 1) return true;
    last = *letter;
  }
  return false;
}

// The number of states; 0 if the automaton is wrong on a word of up to `length` letters.
static int check(learning_algorithm<bool>& learner, unsigned length) {
  conjecture* cj = learner.advance();
  finite_automaton* automaton = dynamic_cast<finite_automaton*>(cj);
  int states = automaton == NULL ? 0 : automaton->state_count;
  for (list<int> word; states > 0 && word.size() <= length; inc_graded_lex(word, 2)) {
    if (automaton->contains(word) != target(word)) states = 0;
  }
  delete cj;
  return states;
}

int main() {
  knowledgebase<bool> base;
  for (list<int> word; word.size() < 5; inc_graded_lex(word, 2)) {
    base.add_knowledge(word, target(word));
  }
  RPNI<bool> rpni(&base, NULL, 2);
  DeLeTe2<bool> delete2(&base, NULL, 2);
  original_biermann<bool> biermann(&base, NULL, 2, 4);
  dfa_inferring_MiniSat smallest(&base, NULL, 2);
  nfa_inferring_MiniSat smallest_nfa(&base, NULL, 2);
  bool good = check(rpni, 8) == 3 && check(delete2, 8) == 3 && check(biermann, 4) > 3 &&
              check(smallest, 8) == 3 && check(smallest_nfa, 4) == 3;
  if (rpni.add_counterexample(list<int>())) good = false;  // it takes none

  // Counterexamples alone.
  knowledgebase<bool> known;
  counterexample_learning learner(&known, NULL, 2, &smallest);
  int conjectures = 0;
  for (bool wrong = true; wrong && conjectures < 50;) {
    conjecture* cj = learner.advance();
    conjectures++;
    wrong = false;
    for (list<int> word; !wrong && word.size() < 7; inc_graded_lex(word, 2)) {
      if (dynamic_cast<finite_automaton*>(cj)->contains(word) == target(word)) continue;
      learner.add_counterexample(word);
      wrong = true;
    }
    delete cj;
  }
  cout << conjectures << " conjectures\n";
  return good && conjectures < 50 ? 0 : 1;
}
