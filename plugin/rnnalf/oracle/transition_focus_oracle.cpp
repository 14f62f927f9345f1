#include "rnnalf/oracle/transition_focus_oracle.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

const std::vector<OptionField<TransitionFocusOptions>>& TransitionFocusOptions::table() {
  static const std::vector<OptionField<TransitionFocusOptions>> fields = {
      option("walks", "", Count{.least = 1}, &TransitionFocusOptions::walks, "walks per query"),
      option("length", "", Count{.least = 1}, &TransitionFocusOptions::length, "symbols of a walk"),
      option("same-state", "", Number{.least = 0, .most = 1}, &TransitionFocusOptions::same_state,
             "chance of a symbol that stays in the state")};
  return fields;
}

void validate(const TransitionFocusOptions& options) {
  check_all(TransitionFocusOptions::table(), options,
            std::string(TransitionFocusOptions::kName) + ": ");
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
  return tester.answer(name(), {.kind = WordsCompared::Kind::TransitionWalk});
}

OraclePtr make_oracle(const TransitionFocusOptions& options, const OracleContext& context) {
  TransitionFocusOptions own = options;
  own.seed = context.seed_of(TransitionFocusOptions::kName);
  return std::make_unique<TransitionFocusOracle>(context.tree, own);
}

}  // namespace rnnalf
