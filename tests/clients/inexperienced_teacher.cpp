// L* with a teacher who does not know every answer: "don't care" is an answer, too. The result is
// a smallest automaton that is right wherever the teacher knows.
#include <unistd.h>  // before upstream's MiniSat, which includes it inside a namespace

#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_angluin_inexperienced_teacher.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>

#include <iostream>
#include <list>

using namespace std;
using namespace libalf;

static int failures = 0;

static void check(bool holds, const char* what) {
  if (holds) return;
  cout << "FAILED: " << what << "\n";
  failures++;
}

typedef weak_bool (*teacher_type)(const list<int>&);

static int count(const list<int>& word, int letter) {
  int found = 0;
  for (list<int>::const_iterator l = word.begin(); l != word.end(); ++l) found += *l == letter;
  return found;
}

// The number of 1s is divisible by 3; every word is known.
static weak_bool knows_all(const list<int>& word) {
  return weak_bool(count(word, 1) % 3 == 0);
}

// The number of 1s is divisible by 6 or odd; of other words nothing is known. "Even" says both.
static weak_bool knows_some(const list<int>& word) {
  const int ones = count(word, 1);
  if (ones % 2 == 1) return weak_bool::create_false();
  return ones % 6 == 0 ? weak_bool::create_true() : weak_bool::create_unknown();
}

static weak_bool knows_nothing(const list<int>&) {
  return weak_bool::create_unknown();
}

// Shorter words first.
static bool find_wrong(const finite_automaton& automaton, teacher_type teacher, list<int>& wrong) {
  wrong.clear();
  while (wrong.size() < 8) {
    const weak_bool truth = teacher(wrong);
    if (!truth.is_unknown() && truth.is_true() != automaton.contains(wrong)) return true;
    inc_graded_lex(wrong, 2);
  }
  return false;
}

static int learn(teacher_type teacher) {
  knowledgebase<weak_bool> base;
  dfa_inferring_MiniSat inferring(NULL, NULL, 2);
  angluin_inexperienced_teacher learner;
  learner.set_knowledge_source(&base);
  learner.set_alphabet_size(2);
  learner.set_inferring_algorithm(&inferring);
  for (int round = 0; round < 100; round++) {
    conjecture* found = learner.advance();
    if (found == NULL) {
      while (!base.is_answered()) {
        knowledgebase<weak_bool>::iterator query = base.qbegin();
        query->set_answer(teacher(query->get_word()));
      }
      continue;
    }
    finite_automaton* automaton = dynamic_cast<finite_automaton*>(found);
    list<int> wrong;
    if (automaton == NULL) {
      delete found;
      return -1;
    }
    if (!find_wrong(*automaton, teacher, wrong)) {
      const int states = automaton->state_count;
      delete found;
      return states;
    }
    check(learner.add_counterexample(wrong), "a counterexample is taken");
    delete found;
  }
  return -1;
}

int main() {
  check(learn(knows_all) == 3, "a teacher who knows all: the minimal DFA");
  check(learn(knows_some) == 2, "two states are enough for what the teacher knows");
  check(learn(knows_nothing) == 1, "a teacher who knows nothing is content with one state");

  // Learner as given in one line, and without an inferring algorithm.
  knowledgebase<weak_bool> base;
  angluin_inexperienced_teacher none(&base, NULL, 1, NULL);
  check(none.advance() == NULL && !base.is_answered(), "it asks before it infers");
  while (!base.is_answered()) base.qbegin()->set_answer(weak_bool(true));
  check(none.advance() == NULL, "no inferring algorithm, no conjecture");
  cout << (failures == 0 ? "all as expected\n" : "");
  return failures == 0 ? 0 : 1;
}
