// A typical libalf program: the loop of advance, answer, add_counterexample, for each learner in
// turn. The target is written down as a table; the equivalence query tries all words up to a
// length.
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <iostream>
#include <list>
#include <map>
#include <set>

using namespace std;
using namespace libalf;

// Words over {0, 1} with an even number of zeros and a number of ones divisible by three.
static bool answer_membership(const list<int>& word) {
  int zeros = 0, ones = 0;
  for (list<int>::const_iterator letter = word.begin(); letter != word.end(); ++letter) {
    if (*letter == 0)
      zeros++;
    else
      ones++;
  }
  return zeros % 2 == 0 && ones % 3 == 0;
}

static bool check_equivalence(conjecture* cj, list<int>& counterexample) {
  finite_automaton* automaton = dynamic_cast<finite_automaton*>(cj);
  if (automaton == NULL || !automaton->is_valid()) {
    cerr << "not a finite automaton\n";
    exit(1);
  }
  list<int> word;
  while (word.size() < 9) {
    if (automaton->contains(word) != answer_membership(word)) {
      counterexample = word;
      return false;
    }
    inc_graded_lex(word, 2);
  }
  return true;
}

static int answer_queries(knowledgebase<bool>& base) {
  int count = 0;
  while (!base.is_answered()) {
    knowledgebase<bool>::iterator query = base.qbegin();
    list<int> word = query->get_word();
    if (!query->set_answer(answer_membership(word))) exit(1);
    count++;
  }
  return count;
}

static bool learn(learning_algorithm<bool>& algorithm, knowledgebase<bool>& base) {
  int membership = 0, equivalence = 0;
  for (int rounds = 0; rounds < 10000; rounds++) {
    conjecture* cj = algorithm.advance();
    if (cj == NULL) {
      membership += answer_queries(base);
      continue;
    }
    equivalence++;
    list<int> counterexample;
    if (check_equivalence(cj, counterexample)) {
      finite_automaton* automaton = dynamic_cast<finite_automaton*>(cj);
      cout << algorithm.get_name() << ": " << automaton->state_count << " states, " << membership
           << " membership queries, " << equivalence << " equivalence queries\n";
      bool right = automaton->state_count == 6 && membership == base.count_answers();
      delete cj;
      return right;
    }
    delete cj;
    algorithm.add_counterexample(counterexample);
  }
  return false;
}

int main() {
  bool good = true;
  {
    knowledgebase<bool> base;
    angluin_simple_table<bool> algorithm(&base, NULL, 2);
    good = learn(algorithm, base) && good;
  }
  {
    knowledgebase<bool> base;
    angluin_col_table<bool> algorithm(&base, NULL, 2);
    good = learn(algorithm, base) && good;
  }
  {
    knowledgebase<bool> base;
    ostream_logger log(&cout, LOGGER_WARN);
    rivest_schapire_table<bool> algorithm(&base, &log, 2);
    good = learn(algorithm, base) && good;
  }
  {
    knowledgebase<bool> base;
    kearns_vazirani<bool> algorithm(&base, NULL, 2);
    good = learn(algorithm, base) && good;
  }
  {
    knowledgebase<bool> base;
    kearns_vazirani<bool> algorithm(&base, NULL, 2, false);
    good = learn(algorithm, base) && good;
  }
  {
    knowledgebase<bool> base;
    NLstar_table<bool> algorithm(&base, NULL, 2);
    good = learn(algorithm, base) && good;
  }
  return good ? 0 : 1;
}
