// Prints what every learner finds for a corpus of targets, one line each; compiled against each
// provider of <libalf/...>, and the outputs compared. For L* with the simple table the line has the
// number of equivalence queries too: there both providers do the same thing step by step.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "rnnalf/base/random.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/perfect_teacher.hpp"
#include "support/test_seed.hpp"

namespace {

using namespace rnnalf;

/// The automaton as text: for each state, in breadth-first order, acceptance and targets.
std::string text_of(const Dfa& dfa) {
  std::string text;
  for (std::size_t s = 0; s < dfa.size(); ++s) {
    text += dfa.accepts(LState(s)) ? "+" : "-";
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      text += std::to_string(index(dfa.next(LState(s), Symbol(a)))) + ',';
    }
  }
  return text;
}

void learn_and_print(const std::string& name, const Dfa& target) {
  const support::PerfectTeacher teacher(target);
  Knowledge knowledge;
  const auto learner = make_learner(name, &knowledge, static_cast<int>(target.symbol_count()));
  int equivalence_queries = 0;
  for (int idle = 0; idle < 5;) {
    const std::unique_ptr<libalf::conjecture> conjecture(learner->advance());
    if (!conjecture) {
      idle = teacher.answer(knowledge) > 0 ? 0 : idle + 1;
      continue;
    }
    ++equivalence_queries;
    support::Hypothesis hypothesis(dynamic_cast<libalf::finite_automaton&>(*conjecture));
    const auto word = teacher.refute(hypothesis);
    if (!word) {
      std::cout << name << ' ' << target.size() << '/' << target.symbol_count() << ' '
                << text_of(minimise(hypothesis.to_dfa()));
      if (name == "lstar") std::cout << ' ' << equivalence_queries;
      std::cout << '\n';
      return;
    }
    learner->add_counterexample(*word);
  }
  std::cout << name << ": no progress\n";
}

}  // namespace

int main() {
  std::vector<Dfa> targets;
  for (int number = 1; number <= 7; ++number) targets.push_back(minimise(support::tomita(number)));
  const std::uint64_t seed = support::test_seed(77);
  std::cout << "seed " << seed << '\n';
  Random random(seed);
  for (int i = 0; i < 60; ++i) {
    const std::size_t states = 1 + random.below(40);
    targets.push_back(support::random_minimal_dfa(states, 1 + random.below(6), random));
  }
  for (const LearnerInfo& info : learners()) {
    for (const Dfa& target : targets) learn_and_print(std::string(info.name), target);
  }
}
