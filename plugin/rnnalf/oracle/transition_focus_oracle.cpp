#include "rnnalf/oracle/transition_focus_oracle.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

void validate(const TransitionFocusOptions& options) {
  if (options.walks == 0) {
    throw OptionError("transition-focus: walks: expected a number above 0, found 0");
  }
  if (options.length == 0) {
    throw OptionError("transition-focus: length: expected a number above 0, found 0");
  }
  if (!(options.same_state >= 0 && options.same_state <= 1)) {
    throw OptionError("transition-focus: same-state: expected a share from 0 to 1, found " +
                      std::to_string(options.same_state));
  }
}

TransitionFocusOracle::TransitionFocusOracle(StateTree& tree, const TransitionFocusOptions& options)
    : tree_(tree), options_(options), random_(options.seed) {
  validate(options);
}

Word TransitionFocusOracle::walk(const Dfa& hypothesis) {
  Word word;
  std::vector<Symbol> staying, leaving;
  LState state = hypothesis.initial();
  for (std::size_t i = 0; i < options_.length; ++i) {
    staying.clear();
    leaving.clear();
    for (std::size_t a = 0; a < hypothesis.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      (hypothesis.next(state, symbol) == state ? staying : leaving).push_back(symbol);
    }
    const bool stay = random_.unit() < options_.same_state;
    const std::vector<Symbol>& wanted = stay ? staying : leaving;
    const std::vector<Symbol>& possible = wanted.empty() ? (stay ? leaving : staying) : wanted;
    word.push_back(possible[random_.below(possible.size())]);
    state = hypothesis.next(state, word.back());
  }
  return word;
}

EquivalenceAnswer TransitionFocusOracle::find(const Dfa& hypothesis, const Budget& budget) {
  WordTester tester(tree_, hypothesis, budget);
  for (std::size_t i = 0; i < options_.walks && tree_.symbol_count() > 0; ++i) {
    if (!tester.test_prefixes(walk(hypothesis), 1)) break;
  }
  (void)tester.flush();
  return tester.answer(name(), none_among(tester.words_tested(),
                                          "words of walks along the "
                                          "hypothesis's transitions"));
}

}  // namespace rnnalf
