// Laws of every learner by name, over whichever provider of <libalf/...> this is compiled against.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/perfect_teacher.hpp"
#include "support/seeded_random.hpp"
#include "support/shrink.hpp"

namespace {

using namespace rnnalf;
using support::Hypothesis;
using support::PerfectTeacher;

using Letters = std::list<int>;
/// A word on which target and hypothesis differ, given the shortest such word.
using Choose = std::function<Letters(const PerfectTeacher&, Hypothesis&, const Letters&, Random&)>;

struct Run {
  std::optional<Dfa> learned;  // none: it makes no progress
  int conjectured_states = 0;
  std::set<Letters> asked;
  bool asked_twice = false;
};

Letters random_letters(std::size_t symbols, std::size_t length, Random& random) {
  Letters word;
  for (std::size_t i = 0; i < length; ++i) word.push_back(static_cast<int>(random.below(symbols)));
  return word;
}

Letters shortest(const PerfectTeacher&, Hypothesis&, const Letters& word, Random&) {
  return word;
}

/// The longest counterexample among 1000 random words of up to 40 letters.
Letters longest_random(const PerfectTeacher& teacher, Hypothesis& hypothesis, const Letters& word,
                       Random& random) {
  Letters longest = word;
  for (int i = 0; i < 1000; ++i) {
    const Letters candidate = random_letters(hypothesis.symbol_count(), random.below(41), random);
    if (candidate.size() > longest.size() &&
        teacher.accepts(candidate) != hypothesis.accepts_word(candidate)) {
      longest = candidate;
    }
  }
  return longest;
}

/// The shortest one with detours that matter to neither automaton: loops walked in both at once.
Letters redundant(const PerfectTeacher& teacher, Hypothesis& hypothesis, const Letters& word,
                  Random& random) {
  Letters best = word;
  for (int i = 0; i < 200; ++i) {
    Letters longer = best;
    auto place = longer.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random.below(longer.size() + 1)));
    const Letters loop = random_letters(hypothesis.symbol_count(), 1 + random.below(6), random);
    longer.insert(place, loop.begin(), loop.end());
    if (teacher.accepts(longer) != hypothesis.accepts_word(longer)) best = longer;
    if (best.size() > word.size() + 20) break;
  }
  return best;
}

struct Style {
  const char* name;
  Choose choose;
};
const std::vector<Style> styles{
    {"shortest", shortest}, {"longest of 1000 random", longest_random}, {"redundant", redundant}};

Run learn(std::string_view name, const PerfectTeacher& teacher, const Choose& choose,
          Random& random) {
  Run run;
  Knowledge knowledge;
  const auto learner =
      make_learner(name, &knowledge, static_cast<int>(teacher.target().symbol_count()));
  for (int rounds_without_progress = 0; rounds_without_progress < 3;) {
    const std::unique_ptr<libalf::conjecture> conjecture(learner->advance());
    if (!conjecture) {
      rounds_without_progress = knowledge.is_answered() ? rounds_without_progress + 1 : 0;
      for (const Letters& query : knowledge.get_queries()) {
        run.asked_twice = run.asked_twice || !run.asked.insert(query).second;
      }
      teacher.answer(knowledge);
      continue;
    }
    const auto* automaton = dynamic_cast<libalf::finite_automaton*>(conjecture.get());
    BOOST_REQUIRE(automaton);
    run.conjectured_states = automaton->state_count;
    Hypothesis hypothesis(*automaton);
    const auto word = teacher.refute(hypothesis);
    if (!word) {
      run.learned = hypothesis.to_dfa();
      return run;
    }
    // A learner may refuse a word that it has in use already; it then has to make progress without.
    const bool taken = learner->add_counterexample(choose(teacher, hypothesis, *word, random));
    rounds_without_progress = taken ? 0 : rounds_without_progress + 1;
  }
  return run;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const LearnerInfo& info : learners()) all.emplace_back(info.name);
  return all;
}

void check_learns(const std::string& name, const Dfa& target, const Style& style, Random& random) {
  const std::uint64_t seed = random.below(1U << 30U);
  BOOST_TEST_CONTEXT(name << ", " << style.name << " counterexamples") {
    support::check_law(target, [&](const Dfa& candidate) -> std::string {
      const Dfa language = minimise(candidate);
      const PerfectTeacher teacher(language);
      Random drawn(seed);
      const Run run = learn(name, teacher, style.choose, drawn);
      if (!run.learned) return "no progress is made";
      RNNALF_HOLDS(minimise(*run.learned) == language);
      RNNALF_HOLDS(!run.asked_twice);
      const auto states = static_cast<std::size_t>(run.conjectured_states);
      RNNALF_HOLDS(name == "nlstar" ? states <= language.size() : states == language.size());
      return "";
    });
  }
}

/// With so many targets for each state and letter, or sometimes fewer.
libalf::finite_automaton random_automaton(int states, int symbols, int targets, Random& random) {
  const auto below = [&](int count) {
    return static_cast<int>(random.below(static_cast<std::size_t>(count)));
  };
  libalf::finite_automaton automaton;
  automaton.is_deterministic = targets == 1;
  automaton.input_alphabet_size = symbols;
  automaton.state_count = states;
  automaton.initial_states = {0};
  for (int s = 0; s < states; ++s) {
    automaton.output_mapping[s] = below(2) == 1;
    for (int a = 0; a < symbols; ++a) {
      for (int i = 0; i < targets; ++i) automaton.transitions[s][a].insert(below(states));
    }
  }
  automaton.valid = true;
  return automaton;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learners_laws)

BOOST_AUTO_TEST_CASE(the_teacher_refutes_by_the_first_word_that_does) {
  support::SeededRandom random(3);
  int refuted = 0;
  for (int i = 0; i < 500; ++i) {
    const int symbols = 1 + static_cast<int>(random.below(3));
    const int targets = 1 + static_cast<int>(random.below(2));
    libalf::finite_automaton automaton =
        random_automaton(1 + static_cast<int>(random.below(6)), symbols, targets, random);
    Dfa language = Hypothesis(automaton).to_dfa();
    const auto changed = LState(random.below(language.size()));
    language.set_accepting(changed, random.below(2) == 1);
    const PerfectTeacher teacher(minimise(language));
    Hypothesis hypothesis(automaton);
    const auto found = teacher.refute(hypothesis);
    if (found) {
      ++refuted;
      BOOST_TEST(automaton.contains(*found) != teacher.accepts(*found));
    }
    const std::size_t longest = found ? found->size() : 6;
    Letters word;
    while (word.size() <= longest && automaton.contains(word) == teacher.accepts(word)) {
      libalf::inc_graded_lex(word, symbols);
    }
    BOOST_TEST((found ? word == *found : word.size() > longest));
  }
  BOOST_TEST(refuted > 100);
}

BOOST_DATA_TEST_CASE(every_learner_learns_tomitas_languages, boost::unit_test::data::make(names()),
                     name) {
  support::SeededRandom random(1);
  for (int number = 1; number <= 7; ++number) {
    for (const Style& style : styles) {
      check_learns(name, minimise(support::tomita(number)), style, random);
    }
  }
}

BOOST_DATA_TEST_CASE(every_learner_learns_degenerate_languages,
                     boost::unit_test::data::make(names()), name) {
  support::SeededRandom random(2);
  for (const std::size_t symbols : {1U, 2U, 8U}) {
    Dfa nothing(symbols);
    Dfa everything(symbols);
    everything.set_accepting(LState{0}, true);
    Dfa epsilon(symbols, 2);
    epsilon.set_accepting(LState{0}, true);
    for (std::size_t s = 0; s < symbols; ++s) epsilon.set_next(LState{0}, Symbol(s), LState{1});
    for (const Style& style : styles) {
      check_learns(name, nothing, style, random);
      check_learns(name, everything, style, random);
      check_learns(name, epsilon, style, random);
    }
  }
  for (std::size_t length = 2; length <= 12; ++length) {  // one letter: a loop with a tail
    Dfa lasso(1, length);
    for (std::size_t s = 0; s + 1 < length; ++s)
      lasso.set_next(LState(s), Symbol{0}, LState(s + 1));
    lasso.set_next(LState(length - 1), Symbol{0}, LState(length / 3));
    lasso.set_accepting(LState(length - 1), true);
    for (const Style& style : styles) check_learns(name, minimise(lasso), style, random);
  }
}

BOOST_DATA_TEST_CASE(every_learner_learns_random_languages, boost::unit_test::data::make(names()),
                     name) {
  support::SeededRandom random(20240817);
  for (int i = 0; i < 200; ++i) {
    const std::size_t states = 1 + random.below(60);
    const std::size_t symbols = 1 + random.below(8);
    const Dfa target = support::random_minimal_dfa(states, symbols, random);
    for (const Style& style : styles) check_learns(name, target, style, random);
  }
}

BOOST_AUTO_TEST_SUITE_END()
