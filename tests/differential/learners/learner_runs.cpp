// A libalf program, compiled against each provider of <libalf/...>: every learner that both have,
// on 300 random DFAs. One line per run, for compare_runs.py:
//
//   learner world queries conjectures look-ups states language automaton
//
// where the language is the minimal DFA, states numbered breadth first, and the automaton the last
// conjecture as it is: initial states, accepting states, transitions. Counterexamples are the
// shortest ones, smallest letters first. For learners from samples the sample is random, and
// queries are the words in it.
#include <unistd.h>  // before upstream's MiniSat, which includes it inside a namespace

#include <libalf/alf.h>
#include <libalf/algorithm_DeLeTe2.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_biermann_minisat.h>
#include <libalf/algorithm_biermann_original.h>
#include <libalf/algorithm_counterexample_learning.h>
#include <libalf/algorithm_deterministic_inferring_csp_minisat.h>
#include <libalf/algorithm_deterministic_inferring_minisat.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_nfa_inferring_minisat.h>
#include <libalf/algorithm_rivest_schapire.h>

#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace libalf;
using Word = std::list<int>;

struct Dfa {
  int letters = 0;
  std::vector<int> next;  // state x letter
  std::vector<bool> accepting;

  int states() const { return static_cast<int>(accepting.size()); }
  int step(int state, int letter) const {
    return next[static_cast<std::size_t>(state * letters + letter)];
  }
  bool accepts(const Word& word) const {
    int state = 0;
    for (int letter : word) state = step(state, letter);
    return accepting[static_cast<std::size_t>(state)];
  }
};

/// Subset construction; missing transitions lead to the empty set.
Dfa determinised(const moore_machine<bool>& automaton, int letters) {
  Dfa dfa;
  dfa.letters = letters;
  std::map<std::set<int>, int> numbers{{automaton.initial_states, 0}};
  std::vector<std::set<int>> subsets{automaton.initial_states};
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    bool accepts = false;
    for (int state : subsets[i]) accepts = accepts || automaton.output_mapping.at(state);
    dfa.accepting.push_back(accepts);
    for (int letter = 0; letter < letters; ++letter) {
      std::set<int> reached = subsets[i];
      const Word step{letter};
      automaton.run(reached, step.begin(), step.end());
      const auto found = numbers.emplace(reached, static_cast<int>(subsets.size()));
      if (found.second) subsets.push_back(reached);
      dfa.next.push_back(found.first->second);
    }
  }
  return dfa;
}

/// Blocks of states that no word tells apart, numbered breadth first.
std::string language(const Dfa& dfa) {
  std::vector<int> block(dfa.accepting.begin(), dfa.accepting.end());
  for (std::size_t blocks = 0;;) {
    std::map<std::vector<int>, int> rows;
    std::vector<int> finer;
    for (int s = 0; s < dfa.states(); ++s) {
      std::vector<int> row{block[static_cast<std::size_t>(s)]};
      for (int a = 0; a < dfa.letters; ++a) {
        row.push_back(block[static_cast<std::size_t>(dfa.step(s, a))]);
      }
      finer.push_back(rows.emplace(row, static_cast<int>(rows.size())).first->second);
    }
    block = finer;
    if (rows.size() == blocks) break;
    blocks = rows.size();
  }
  std::map<int, int> numbers{{block[0], 0}};
  std::vector<int> order{0};
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    text += dfa.accepting[static_cast<std::size_t>(order[i])] ? '+' : '-';
    for (int a = 0; a < dfa.letters; ++a) {
      const int target = dfa.step(order[i], a);
      const auto found =
          numbers.emplace(block[static_cast<std::size_t>(target)], static_cast<int>(order.size()));
      if (found.second) order.push_back(target);
      text += std::to_string(found.first->second) + ',';
    }
  }
  return text;
}

/// The shortest word on which the two differ; false if there is none.
bool refute(const Dfa& a, const Dfa& b, Word& counterexample) {
  std::map<std::pair<int, int>, Word> seen{{{0, 0}, {}}};
  std::vector<std::pair<int, int>> open{{0, 0}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::pair<int, int> at = open[i];
    if (a.accepting[static_cast<std::size_t>(at.first)] !=
        b.accepting[static_cast<std::size_t>(at.second)]) {
      counterexample = seen[at];
      return true;
    }
    for (int letter = 0; letter < a.letters; ++letter) {
      const std::pair<int, int> next(a.step(at.first, letter), b.step(at.second, letter));
      Word word = seen[at];
      word.push_back(letter);
      if (seen.emplace(next, word).second) open.push_back(next);
    }
  }
  return false;
}

struct World {
  int number = 0;
  Dfa target;
  std::vector<Word> sample;
};

/// "0|1,3|0.0.1,0.1.3": without spaces.
std::string text_of(const moore_machine<bool>& automaton) {
  std::string text;
  for (int state : automaton.initial_states) text += std::to_string(state) + ',';
  text += '|';
  for (const auto& output : automaton.output_mapping) {
    if (output.second) text += std::to_string(output.first) + ',';
  }
  text += '|';
  for (const auto& source : automaton.transitions) {
    for (const auto& by_letter : source.second) {
      for (int target : by_letter.second) {
        text += std::to_string(source.first) + '.' + std::to_string(by_letter.first) + '.' +
                std::to_string(target) + ',';
      }
    }
  }
  return text;
}

void print(const char* name, const World& world, const knowledgebase<bool>& base, int conjectures,
           const moore_machine<bool>& automaton) {
  std::cout << name << ' ' << world.number << ' ' << base.count_answers() << ' ' << conjectures
            << ' ' << base.count_resolved_queries() << ' ' << automaton.state_count << ' '
            << language(determinised(automaton, world.target.letters)) << ' ' << text_of(automaton)
            << '\n';
}

void run(const char* name, const World& world, knowledgebase<bool>& base,
         learning_algorithm<bool>& learner) {
  int conjectures = 0;
  for (int idle = 0; idle < 4;) {
    const std::unique_ptr<conjecture> found(learner.advance());
    if (!found) {
      idle = base.is_answered() ? idle + 1 : 0;
      while (!base.is_answered()) {
        auto query = base.qbegin();
        query->set_answer(world.target.accepts(query->get_word()));
      }
      continue;
    }
    ++conjectures;
    const auto& automaton = dynamic_cast<const finite_automaton&>(*found);
    const Dfa dfa = determinised(automaton, world.target.letters);
    Word counterexample;
    if (!refute(world.target, dfa, counterexample)) {
      print(name, world, base, conjectures, automaton);
      return;
    }
    idle = learner.add_counterexample(counterexample) ? 0 : idle + 1;
  }
  std::cout << name << ' ' << world.number << " makes no progress\n";
}

template <class Learner, class... More>
void learn(const char* name, const World& world, More... more) {
  knowledgebase<bool> base;
  Learner learner(&base, nullptr, world.target.letters, more...);
  run(name, world, base, learner);
}

/// From counterexamples alone.
void learn_from_counterexamples(const World& world) {
  knowledgebase<bool> base;
  dfa_inferring_MiniSat inferring(&base, nullptr, world.target.letters);
  counterexample_learning learner(&base, nullptr, world.target.letters, &inferring);
  run("counterexample_learning", world, base, learner);
}

template <class Learner, class... More>
void infer(const char* name, const World& world, More... more) {
  knowledgebase<bool> base;
  for (const Word& word : world.sample) {
    Word copy = word;
    base.add_knowledge(copy, world.target.accepts(word));
  }
  Learner learner(&base, nullptr, world.target.letters, more...);
  const std::unique_ptr<conjecture> found(learner.advance());
  print(name, world, base, 1, dynamic_cast<const moore_machine<bool>&>(*found));
}

class Worlds {
 public:
  /// A random DFA of up to so many states, and words.
  World next(int number, unsigned most_states) {
    World world;
    world.number = number;
    world.target.letters = 1 + below(4);
    const int states = 1 + below(most_states);
    for (int s = 0; s < states; ++s) {
      world.target.accepting.push_back(below(3) == 0);
      for (int a = 0; a < world.target.letters; ++a) {
        world.target.next.push_back(below(static_cast<unsigned>(states)));
      }
    }
    for (int left = 1 + below(40); left > 0; --left) {
      world.sample.emplace_back();
      for (int length = below(8); length > 0; --length) {
        world.sample.back().push_back(below(static_cast<unsigned>(world.target.letters)));
      }
    }
    return world;
  }

 private:
  int below(unsigned n) { return static_cast<int>(random_() % n); }

  std::mt19937 random_{300};
};

}  // namespace

int main() {
  Worlds worlds, small_worlds;
  for (int number = 0; number < 300; ++number) {
    World world = worlds.next(number, 24);
    learn<angluin_simple_table<bool>>("angluin_simple_table", world);
    learn<angluin_col_table<bool>>("angluin_col_table", world);
    learn<rivest_schapire_table<bool>>("rivest_schapire_table", world);
    learn<kearns_vazirani<bool>>("kearns_vazirani", world);
    learn<kearns_vazirani<bool>>("kearns_vazirani,linear", world, false);
    learn<NLstar_table<bool>>("NLstar_table", world);
    infer<RPNI<bool>>("RPNI", world);
    infer<DeLeTe2<bool>>("DeLeTe2", world);
    infer<original_biermann<bool>>("original_biermann", world, 2u);
    // Upstream's encodings take long: fewer words, and small targets.
    world.sample.resize(std::min<std::size_t>(world.sample.size(), 8));
    infer<MiniSat_biermann<bool>>("MiniSat_biermann", world);
    infer<dfa_inferring_MiniSat>("dfa_inferring_MiniSat", world);
    infer<deterministic_inferring_MiniSat<bool>>("deterministic_inferring_MiniSat", world);
    infer<deterministic_inferring_csp_MiniSat<bool>>("deterministic_inferring_csp_MiniSat", world);
    infer<nfa_inferring_MiniSat>("nfa_inferring_MiniSat", world);
    learn_from_counterexamples(small_worlds.next(number, 4));
  }
}
