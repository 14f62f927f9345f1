// Knowledgebases and learners on their way between programs, one built with upstream libalf and one
// with the toolkit:
//
//   exchange write-knowledge FILE    exchange read-knowledge FILE
//   exchange write-learner FILE      exchange read-learner FILE
//
// read-knowledge prints all that was read; read-learner prints whether the learner was taken.
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <iostream>
#include <list>
#include <memory>
#include <random>
#include <string>

using namespace std;
using namespace libalf;

static bool target(const list<int>& word) {
  return word.size() % 3 == 0;
}

// Answers, queries and gaps between them; some look-ups; times that differ.
static void fill(knowledgebase<bool>& base) {
  mt19937 random(1);
  for (int i = 0; i < 500; i++) {
    list<int> word;
    for (unsigned long length = random() % 9; length > 0; length--)
      word.push_back(int(random() % 3));
    bool answer = false;
    if (random() % 4 == 0)
      base.add_query(word);
    else if (random() % 4 == 0)
      base.resolve_query(word, answer);
    else
      base.add_knowledge(word, target(word));
  }
}

static unique_ptr<learning_algorithm<bool> > make(const string& name, knowledgebase<bool>* base) {
  learning_algorithm<bool>* made = NULL;
  if (name == "simple") made = new angluin_simple_table<bool>(base, NULL, 2);
  if (name == "columns") made = new angluin_col_table<bool>(base, NULL, 2);
  if (name == "rivest-schapire") made = new rivest_schapire_table<bool>(base, NULL, 2);
  if (name == "kearns-vazirani") made = new kearns_vazirani<bool>(base, NULL, 2);
  if (name == "nlstar") made = new NLstar_table<bool>(base, NULL, 2);
  if (name == "rpni") made = new RPNI<bool>(base, NULL, 2);
  return unique_ptr<learning_algorithm<bool> >(made);
}

static const char* const learners[] = {"simple",          "columns", "rivest-schapire",
                                       "kearns-vazirani", "nlstar",  "rpni"};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const string what = argv[1];
  const string file = argv[2];
  basic_string<int32_t> serial;
  if (what == "write-knowledge") {
    knowledgebase<bool> base;
    fill(base);
    serial = base.serialize();
    return basic_string_to_file(serial, file.c_str()) ? 0 : 1;
  }
  if (what == "read-knowledge") {
    knowledgebase<bool> base;
    if (!file_to_basic_string(file.c_str(), serial)) return 1;
    serial_stretch stretch(serial);
    if (!base.deserialize(stretch) || !stretch.empty()) return 1;
    cout << base.count_answers() << " answers, " << base.count_resolved_queries()
         << " look-ups, time " << base.get_timestamp() << ", letters below "
         << base.get_largest_symbol() << "\n"
         << base.to_string() << base.visualize();
    return base.serialize() == serial ? 0 : 1;
  }
  for (const char* name : learners) {
    knowledgebase<bool> base;
    unique_ptr<learning_algorithm<bool> > learner = make(name, &base);
    const string path = file + "." + name;
    if (what == "write-learner") {
      conjecture* found;
      while ((found = learner->advance()) == NULL && !base.is_answered()) {
        while (!base.is_answered()) {
          knowledgebase<bool>::iterator query = base.qbegin();
          query->set_answer(target(query->get_word()));
        }
      }
      delete found;
      serial = learner->serialize();
      if (!basic_string_to_file(serial, path.c_str())) return 1;
    } else {
      if (!file_to_basic_string(path.c_str(), serial)) return 1;
      serial_stretch stretch(serial);
      cout << name << (learner->deserialize(stretch) ? " taken" : " refused") << "\n";
    }
  }
  return 0;
}
