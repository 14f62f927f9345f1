// A normalizer: words that differ in the order of independent letters are asked once, and words
// that nobody can mean are not asked at all.
#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <algorithm>
#include <iostream>
#include <list>
#include <set>
#include <vector>

using namespace std;
using namespace libalf;

static int failures = 0;

static void check(bool holds, const char* learner, const char* what) {
  if (holds) return;
  cout << "FAILED: " << learner << ": " << what << "\n";
  failures++;
}

// 0 and 1 are independent, so their order does not matter; 2 ends every meaning.
class sorting : public normalizer {
 public:
  virtual basic_string<int32_t> serialize() const { return basic_string<int32_t>(); }
  virtual bool deserialize(serial_stretch&) { return false; }
  virtual bool deserialize_extension(serial_stretch&) { return false; }
  virtual list<int> prefix_normal_form(const list<int>& word, bool& bottom) const {
    return normal_form(word, bottom);
  }
  virtual list<int> suffix_normal_form(const list<int>& word, bool& bottom) const {
    return normal_form(word, bottom);
  }

 private:
  static list<int> normal_form(const list<int>& word, bool& bottom) {
    bottom = false;
    for (list<int>::const_iterator l = word.begin(); l != word.end(); ++l) {
      if (*l != 0 && *l != 1) bottom = true;
    }
    if (bottom) return list<int>(1, BOTTOM_CHAR);
    list<int> sorted = word;
    sorted.sort();
    return sorted;
  }
};

static bool target(const list<int>& word) {
  int ones = 0, zeros = 0;
  for (list<int>::const_iterator l = word.begin(); l != word.end(); ++l) {
    if (*l == 2) return false;
    (*l == 0 ? zeros : ones)++;
  }
  return zeros % 2 == 0 && ones % 3 == 0;
}

template <class learner_type>
static void learn(const char* name, bool with_normalizer, int& asked) {
  knowledgebase<bool> base;
  learner_type learner(&base, NULL, 3);
  sorting order;
  if (with_normalizer) learner.set_normalizer(&order);
  asked = 0;
  for (int round = 0; round < 200; round++) {
    conjecture* found = learner.advance();
    if (found == NULL) {
      while (!base.is_answered()) {
        knowledgebase<bool>::iterator query = base.qbegin();
        const list<int> word = query->get_word();
        check(!with_normalizer || count(word.begin(), word.end(), 2) == 0, name,
              "words without a normal form are not asked");
        query->set_answer(target(word));
        asked++;
      }
      continue;
    }
    finite_automaton* automaton = dynamic_cast<finite_automaton*>(found);
    list<int> word;
    while (word.size() < 8 && automaton->contains(word) == target(word)) inc_graded_lex(word, 3);
    delete found;
    if (word.size() == 8) return;
    learner.add_counterexample(word);
  }
  check(false, name, "finds the language");
}

template <class learner_type>
static void compare(const char* name) {
  int plain = 0, normalized = 0;
  learn<learner_type>(name, false, plain);
  learn<learner_type>(name, true, normalized);
  check(normalized < plain, name, "asks fewer words with a normalizer");
}

int main() {
  compare<angluin_simple_table<bool> >("angluin_simple_table");
#ifdef LIBALF_TOOLKIT  // on upstream these find nothing, crash, and ask such words all the same
  compare<angluin_col_table<bool> >("angluin_col_table");
  compare<rivest_schapire_table<bool> >("rivest_schapire_table");
  compare<NLstar_table<bool> >("NLstar_table");
#endif
  cout << (failures == 0 ? "all as expected\n" : "");
  return failures == 0 ? 0 : 1;
}
