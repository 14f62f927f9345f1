#include "rnnalf/oracle/search_oracles.hpp"

#include <algorithm>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

Word walk(SearchState<TransitionFocusOptions>& own, const Dfa& hypothesis) {
  Word word;
  std::vector<Symbol> staying, leaving;
  LState state = hypothesis.initial();
  for (std::size_t i = 0; i < own.options.length; ++i) {
    staying.clear();
    leaving.clear();
    for (std::size_t a = 0; a < hypothesis.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      (hypothesis.next(state, symbol) == state ? staying : leaving).push_back(symbol);
    }
    const bool stay = own.random.unit() < own.options.same_state;
    const std::vector<Symbol>& wanted = stay ? staying : leaving;
    const std::vector<Symbol>& possible = wanted.empty() ? (stay ? leaving : staying) : wanted;
    word.push_back(possible[own.random.below(possible.size())]);
    state = hypothesis.next(state, word.back());
  }
  return word;
}

}  // namespace

const std::vector<OptionField<StatePrefixOptions>>& StatePrefixOptions::table() {
  static const std::vector<OptionField<StatePrefixOptions>> fields = {
      option("walks", "", Count{.least = 1}, &StatePrefixOptions::walks,
             "walks from each state, over the whole run"),
      option("length", "", Count{.least = 1}, &StatePrefixOptions::length, "symbols of a walk")};
  return fields;
}

EquivalenceAnswer search(SearchState<StatePrefixOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  std::vector<Word> cover = state_cover(hypothesis);
  std::reverse(cover.begin(), cover.end());
  const auto walk_from_all = [&] {
    for (const Word& access : cover) {
      for (std::size_t& walks = own.walks[access]; walks < own.options.walks; ++walks) {
        const Word walk = uniform_word(own.tree.symbol_count(), own.options.length, own.random);
        if (!tester.test_prefixes(concat(access, walk), access.size())) return;
      }
    }
  };
  if (own.tree.symbol_count() > 0) walk_from_all();
  (void)tester.flush();
  return tester.answer(StatePrefixOptions::kName,
                       {.kind = WordsCompared::Kind::Walk, .states = cover.size()});
}

const std::vector<OptionField<TransitionFocusOptions>>& TransitionFocusOptions::table() {
  static const std::vector<OptionField<TransitionFocusOptions>> fields = {
      option("walks", "", Count{.least = 1}, &TransitionFocusOptions::walks, "walks per query"),
      option("length", "", Count{.least = 1}, &TransitionFocusOptions::length, "symbols of a walk"),
      option("same-state", "", Number{.least = 0, .most = 1}, &TransitionFocusOptions::same_state,
             "chance of a symbol that stays in the state")};
  return fields;
}

EquivalenceAnswer search(SearchState<TransitionFocusOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  for (std::size_t i = 0; i < own.options.walks && own.tree.symbol_count() > 0; ++i) {
    if (!tester.test_prefixes(walk(own, hypothesis), 1)) break;
  }
  (void)tester.flush();
  return tester.answer(TransitionFocusOptions::kName,
                       {.kind = WordsCompared::Kind::TransitionWalk});
}

const std::vector<OptionField<RandomWOptions>>& RandomWOptions::table() {
  static const std::vector<OptionField<RandomWOptions>> fields = {
      option("walks", "", Count{.least = 1}, &RandomWOptions::walks,
             "walks from each state, over the whole run"),
      option("length", "", Count{.least = 1}, &RandomWOptions::length, "most symbols of a walk")};
  return fields;
}

EquivalenceAnswer search(SearchState<RandomWOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  const std::vector<Word> cover = state_cover(hypothesis);
  const std::vector<Word> suffixes = telling_suffixes(hypothesis);
  const auto walk_from_all = [&] {
    for (const Word& access : cover) {
      for (std::size_t& walks = own.walks[access]; walks < own.options.walks; ++walks) {
        const std::size_t length = 1 + own.random.below(own.options.length);
        const Word walk = uniform_word(own.tree.symbol_count(), length, own.random);
        const Word& suffix = suffixes[own.random.below(suffixes.size())];
        if (!tester.test_prefixes(concat(concat(access, walk), suffix), access.size())) return;
      }
    }
  };
  if (own.tree.symbol_count() > 0) walk_from_all();
  (void)tester.flush();
  return tester.answer(RandomWOptions::kName, {.kind = WordsCompared::Kind::RandomW});
}

}  // namespace rnnalf
