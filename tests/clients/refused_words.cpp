// A typical libalf program whose teacher is not careful: half of the words it gives as
// counterexamples are none. What a learner says to each kind of word is the same with every
// provider, and a useless word never keeps it from the right automaton.
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <iostream>
#include <list>

using namespace std;
using namespace libalf;

// The number of ones is divisible by four: four states.
static bool target(const list<int>& word) {
  int ones = 0;
  for (list<int>::const_iterator letter = word.begin(); letter != word.end(); ++letter) {
    ones += *letter;
  }
  return ones % 4 == 0;
}

// Advances until there is a conjecture. With upstream libalf, NULL may come without a query.
static finite_automaton* next_conjecture(learning_algorithm<bool>& algorithm,
                                         knowledgebase<bool>& base) {
  for (int rounds = 0; rounds < 1000; rounds++) {
    conjecture* cj = algorithm.advance();
    if (cj != NULL) return dynamic_cast<finite_automaton*>(cj);
    while (!base.is_answered()) {
      knowledgebase<bool>::iterator query = base.qbegin();
      query->set_answer(target(query->get_word()));
    }
  }
  cerr << algorithm.get_name() << ": no conjecture\n";
  exit(1);
}

// Learns with the shortest counterexamples, each after one more word out of a row of all words:
// most of those are no counterexamples.
static bool learn_with_useless_words(learning_algorithm<bool>& algorithm,
                                     knowledgebase<bool>& base) {
  list<int> useless;
  for (int rounds = 0; rounds < 200; rounds++) {
    finite_automaton* automaton = next_conjecture(algorithm, base);
    list<int> wrong;
    while (wrong.size() < 9 && automaton->contains(wrong) == target(wrong))
      inc_graded_lex(wrong, 2);
    bool equal = wrong.size() == 9;
    if (equal && useless.size() == 4) {
      bool minimal = automaton->state_count == 4;
      delete automaton;
      return minimal;
    }
    delete automaton;
    inc_graded_lex(useless, 2);
    algorithm.add_counterexample(useless);
    if (equal) continue;
    delete next_conjecture(algorithm, base);
    algorithm.add_counterexample(wrong);
  }
  cerr << algorithm.get_name() << ": does not converge\n";
  return false;
}

// What add_counterexample says to: a word known to be none, a word that is none but unknown, and
// the same word again at once.
static bool says(learning_algorithm<bool>& algorithm, knowledgebase<bool>& base, bool to_known,
                 bool to_unknown, bool to_twice) {
  bool good = true;
  delete next_conjecture(algorithm, base);
  list<int> zero = word(1, 0), long_word = word(8, 0, 0, 1, 0, 0, 1, 1, 0);
  good = good && algorithm.add_counterexample(zero) == to_known;
  delete next_conjecture(algorithm, base);
  good = good && algorithm.add_counterexample(long_word) == to_unknown;
  good = good && algorithm.add_counterexample(long_word) == to_twice;
  if (!good) cerr << algorithm.get_name() << ": says something else\n";
  return good;
}

template <class learner>
static bool check(bool to_known, bool to_unknown, bool to_twice) {
  knowledgebase<bool> base;
  learner algorithm(&base, NULL, 2);
  // Then the conjecture is right on every word.
  return learn_with_useless_words(algorithm, base) &&
         says(algorithm, base, to_known, to_unknown, to_twice);
}

int main() {
  bool good = check<angluin_simple_table<bool> >(false, true, false);
  good = check<angluin_col_table<bool> >(false, true, false) && good;
  good = check<rivest_schapire_table<bool> >(true, true, true) && good;
  good = check<kearns_vazirani<bool> >(false, true, false) && good;
  good = check<NLstar_table<bool> >(false, true, false) && good;
  cout << (good ? "all as expected\n" : "not as expected\n");
  return good ? 0 : 1;
}
