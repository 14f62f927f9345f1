// A typical libalf program: answers are given elsewhere. Knowledgebase and learner go through a
// file between two rounds; queries travel as a tree of their own and come back answered.
#include <libalf/alf.h>
#include <libalf/algorithm_angluin.h>

#include <cstdio>
#include <iostream>
#include <list>
#include <string>

using namespace std;
using namespace libalf;

static bool target(const list<int>& word) {
  return word.size() % 3 == 0;
}

static bool store_and_load(basic_string<int32_t> serial, const char* name,
                           basic_string<int32_t>& back) {
  bool good = basic_string_to_file(serial, name) && file_to_basic_string(name, back);
  remove(name);
  return good && back == serial;
}

static void answer_elsewhere(knowledgebase<bool>& base) {
  knowledgebase<bool>* queries = base.create_query_tree();
  list<list<int> > words = queries->get_queries();
  for (list<list<int> >::iterator word = words.begin(); word != words.end(); ++word) {
    if (!queries->add_knowledge(*word, target(*word))) exit(1);
  }
  if (!base.merge_knowledgebase(*queries)) exit(1);
  delete queries;
}

int main(int, char** argv) {
  const string file = string(argv[0]) + ".serialised";
  basic_string<int32_t> knowledge, learner;
  {
    knowledgebase<bool> base;
    angluin_simple_table<bool> algorithm(&base, NULL, 2);
    if (algorithm.advance() != NULL) return 1;  // nothing is known yet
    answer_elsewhere(base);
    if (!base.is_answered() || base.count_queries() != 0) return 1;
    if (!store_and_load(base.serialize(), file.c_str(), knowledge)) return 1;
    if (!store_and_load(algorithm.serialize(), file.c_str(), learner)) return 1;
  }

  knowledgebase<bool> base;
  angluin_simple_table<bool> algorithm(&base, NULL, 0);
  serial_stretch knowledge_stretch(knowledge);
  serial_stretch learner_stretch(learner);
  if (!base.deserialize(knowledge_stretch) || !algorithm.deserialize(learner_stretch)) {
    cerr << "could not be read back\n";
    return 1;
  }
  conjecture* cj;
  while ((cj = algorithm.advance()) == NULL) answer_elsewhere(base);
  finite_automaton* automaton = dynamic_cast<finite_automaton*>(cj);
  list<int> w = word(3, 0, 1, 1);
  bool good = automaton != NULL && automaton->contains(w) == target(w);
  if (!good) {
    if (!algorithm.add_counterexample(w)) return 1;
    delete cj;
    while ((cj = algorithm.advance()) == NULL) answer_elsewhere(base);
    automaton = dynamic_cast<finite_automaton*>(cj);
  }
  basic_string<int32_t> serial = automaton->serialize();
  serial_stretch stretch(serial);
  finite_automaton copy;
  good = copy.deserialize(stretch) && copy.state_count == 3 && copy.write() == automaton->write();
  delete cj;
  cout << "the automaton of the second half has " << copy.state_count << " states\n";
  return good ? 0 : 1;
}
