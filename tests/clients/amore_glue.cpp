// A libalf program with an automaton of libAMoRE++ as its teacher: NL*, and L* beside it, learn
// 300 random automata and three languages with large DFAs. libAMoRE++ answers the membership and
// the equivalence queries through the glue, and says in the end whether the languages are equal.
#include <amore++/deterministic_finite_automaton.h>
#include <amore++/nondeterministic_finite_automaton.h>
#include <amore_alf_glue.h>
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>

#include <iostream>
#include <list>
#include <map>
#include <set>
#include <string>

using namespace std;
using namespace libalf;

static bool fails(const string& what) {
  cerr << what << '\n';
  return false;
}

static unsigned random_below(unsigned count) {
  static unsigned state = 1;
  state = state * 1664525 + 1013904223;
  return (state >> 8) % count;
}

static amore::finite_automaton* random_automaton(bool is_dfa, int letters, int states) {
  set<int> initial, final;
  map<int, map<int, set<int> > > transitions;
  initial.insert(0);
  for (int s = 0; s < states; s++) {
    if (random_below(2) == 0) final.insert(s);
    for (int a = 0; a < letters; a++) {
      for (unsigned i = is_dfa ? 1 : random_below(3); i > 0; i--) {
        transitions[s][a].insert(random_below(states));
      }
    }
  }
  return amore::construct_amore_automaton(is_dfa, letters, states, initial, final, transitions);
}

// What upstream's NL* promises its clients, and the glue needs: states, one of them initial.
static bool check_conjecture(finite_automaton* automaton, bool is_nlstar) {
  if (automaton == NULL || !automaton->is_valid()) return fails("no valid automaton");
  if (automaton->state_count < 1 || automaton->initial_states.empty())
    return fails("no initial state");
  if (is_nlstar == automaton->is_deterministic) return fails("wrongly called deterministic");
  return true;
}

// The three equivalence queries of the glue agree; a counterexample is one.
static bool check_equivalence(amore::finite_automaton& model, finite_automaton* automaton,
                              list<int>& counterexample, bool& equal) {
  list<int> words[3];
  bool answers[3] = {
      amore_alf_glue::automaton_equivalence_query(model, automaton, words[0]),
      amore_alf_glue::automaton_classic_equivalence_query(model, automaton, words[1]),
      amore_alf_glue::automaton_antichain_equivalence_query(model, automaton, words[2])};
  for (int i = 0; i < 3; i++) {
    if (answers[i] != answers[0]) return fails("two equivalence queries differ");
    if (answers[i]) continue;
    if (amore_alf_glue::automaton_membership_query(model, words[i]) ==
        automaton->contains(words[i])) {
      return fails("the counterexample " + word2string(words[i]) + " is none");
    }
  }
  equal = answers[0];
  counterexample = words[0];
  return true;
}

// Both ways through the glue, judged by libAMoRE++.
static bool check_result(amore::finite_automaton& model, finite_automaton* automaton) {
  amore::finite_automaton* learned = amore_alf_glue::automaton_libalf2amore(*automaton);
  bool good = learned != NULL && *learned == model;
  if (good) {
    finite_automaton* back = amore_alf_glue::automaton_amore2libalf(*learned);
    good = back != NULL && back->state_count == automaton->state_count;
    for (list<int> word; good && word.size() < 5;
         inc_graded_lex(word, automaton->input_alphabet_size)) {
      good = back->contains(word) == model.contains(word);
    }
    delete back;
  }
  delete learned;
  return good || fails("libAMoRE++ finds another language");
}

// The number of states of the last conjecture; 0 if anything was wrong.
static int learn(learning_algorithm<bool>& algorithm, knowledgebase<bool>& base,
                 amore::finite_automaton& model, bool is_nlstar) {
  int asked = 0;
  for (int rounds = 0; rounds < 10000; rounds++) {
    conjecture* cj = algorithm.advance();
    if (cj == NULL) {
      asked += amore_alf_glue::automaton_answer_knowledgebase(model, base);
      continue;
    }
    finite_automaton* automaton = dynamic_cast<finite_automaton*>(cj);
    list<int> counterexample;
    bool equal = false;
    bool good = check_conjecture(automaton, is_nlstar) &&
                check_equivalence(model, automaton, counterexample, equal);
    int states = 0;
    if (good && equal && asked == base.count_answers() && check_result(model, automaton)) {
      states = automaton->state_count;
    }
    delete cj;
    if (!good || equal) return states;
    algorithm.add_counterexample(counterexample);
  }
  return 0;
}

static int learn_with_nlstar(amore::finite_automaton& model) {
  knowledgebase<bool> base;
  NLstar_table<bool> algorithm(&base, NULL, model.get_alphabet_size());
  return learn(algorithm, base, model, true);
}

static int learn_with_lstar(amore::finite_automaton& model) {
  knowledgebase<bool> base;
  angluin_simple_table<bool> algorithm(&base, NULL, model.get_alphabet_size());
  return learn(algorithm, base, model, false);
}

int main() {
  bool good = true;
  int nfa_states = 0, dfa_states = 0;
  for (int i = 0; good && i < 300; i++) {
    int letters = 1 + random_below(3);
    amore::finite_automaton* model = random_automaton(i % 2 == 0, letters, 1 + random_below(12));
    int of_nlstar = learn_with_nlstar(*model);
    int of_lstar = learn_with_lstar(*model);
    good = 0 < of_nlstar && of_nlstar <= of_lstar;
    nfa_states += of_nlstar;
    dfa_states += of_lstar;
    if (!good) cerr << "random automaton " << i << ": " << of_nlstar << ' ' << of_lstar << '\n';
    delete model;
  }
  cout << "random automata: " << nfa_states << " states, as DFAs " << dfa_states << '\n';

  // The letter a, so many letters before the end: twice as many DFA states for each, one more here.
  for (int before_end = 2; good && before_end <= 4; before_end++) {
    string expression = "(a|b)*a";
    for (int i = 1; i < before_end; i++) expression += "(a|b)";
    amore::nondeterministic_finite_automaton model(2, expression.c_str(), good);
    good = good && learn_with_nlstar(model) == before_end + 1 &&
           learn_with_lstar(model) == 1 << before_end;
    if (!good) cerr << expression << '\n';
  }
  return good ? 0 : 1;
}
