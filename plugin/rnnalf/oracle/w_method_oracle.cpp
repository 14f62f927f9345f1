#include "rnnalf/oracle/search_oracles.hpp"

#include <fmt/core.h>

#include <functional>
#include <span>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

using SuffixesOf = std::function<std::span<const Word>(LState)>;

/// All words cover * middle * suffix with middles of one length; suffixes by the L-state after the
/// middle. Middles vary inside a cover word, so that a batch shares its prefixes.
bool test_middles(WordTester& tester, const Dfa& hypothesis, std::span<const Word> cover,
                  std::size_t middle_length, const SuffixesOf& suffixes_of) {
  if (hypothesis.symbol_count() == 0 && middle_length > 0) return true;
  for (const Word& prefix : cover) {
    Word middle(middle_length, Symbol{0});
    do {
      const Word stem = concat(prefix, middle);
      for (const Word& suffix : suffixes_of(hypothesis.run(stem))) {
        if (!tester.test(concat(stem, suffix))) return false;
      }
    } while (next_word(middle, hypothesis.symbol_count()));
  }
  return true;
}

/// Of the characterising set, for each state, enough to tell it from every other state. The empty
/// word stays in every set: it compares the states' own classes.
std::vector<std::vector<Word>> identifying_suffixes(const Dfa& hypothesis,
                                                    std::span<const Word> suffixes) {
  std::vector<std::vector<Answer>> row(hypothesis.size());  // classes after each suffix
  for (std::size_t q = 0; q < hypothesis.size(); ++q) {
    for (const Word& suffix : suffixes) {
      row[q].push_back(hypothesis.answer(hypothesis.run(static_cast<LState>(q), suffix)));
    }
  }
  std::vector<std::vector<Word>> identifying(hypothesis.size());
  for (std::size_t q = 0; q < hypothesis.size(); ++q) {
    std::vector<std::size_t> chosen{0};
    for (std::size_t p = 0; p < hypothesis.size(); ++p) {
      const auto told_by = [&](std::size_t s) { return row[q][s] != row[p][s]; };
      bool told = p == q;
      for (const std::size_t s : chosen) told = told || told_by(s);
      for (std::size_t s = 0; s < suffixes.size() && !told; ++s) {
        if (!told_by(s)) continue;
        chosen.push_back(s);
        told = true;
      }
      RNNALF_CHECK(
          told, fmt::format("states {} and {} of a minimal hypothesis are not told apart", q, p));
    }
    for (const std::size_t s : chosen) identifying[q].push_back(suffixes[s]);
  }
  return identifying;
}

/// What a complete run of the words says.
WordsCompared complete_for(std::size_t states) {
  return {.kind = WordsCompared::Kind::CharacterizingSet, .states = states};
}

/// Tests every state with all suffixes and every other transition with those of its end.
EquivalenceAnswer tested(WordTester& tester, const Dfa& hypothesis, std::size_t extra_states,
                         std::span<const Word> suffixes, const SuffixesOf& of_end,
                         std::string_view name) {
  const std::vector<Word> states = state_cover(hypothesis);
  const std::vector<Word> transitions = other_transitions(hypothesis);
  const SuffixesOf all = [&](LState) { return suffixes; };
  for (std::size_t length = 0; length <= extra_states; ++length) {
    if (!test_middles(tester, hypothesis, states, length, all) ||
        !test_middles(tester, hypothesis, transitions, length, of_end) || !tester.flush()) {
      break;
    }
  }
  return tester.answer(name, complete_for(hypothesis.size() + extra_states));
}

template <class Options>
const std::vector<OptionField<Options>>& extra_states_table() {
  static const std::vector<OptionField<Options>> fields = {
      option("extra-states", "", Count{}, &Options::extra_states,
             "states that the network may have beyond the hypothesis")};
  return fields;
}

}  // namespace

EquivalenceAnswer search(SearchState<WMethodOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  const std::vector<Word> suffixes = telling_suffixes(hypothesis);
  const SuffixesOf all = [&](LState) { return std::span<const Word>(suffixes); };
  return tested(tester, hypothesis, own.options.extra_states, suffixes, all, WMethodOptions::kName);
}

EquivalenceAnswer search(SearchState<WpMethodOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  const std::vector<Word> suffixes = telling_suffixes(hypothesis);
  const std::vector<std::vector<Word>> identifying = identifying_suffixes(hypothesis, suffixes);
  const SuffixesOf of_state = [&](LState state) {
    return std::span<const Word>(identifying[index(state)]);
  };
  return tested(tester, hypothesis, own.options.extra_states, suffixes, of_state,
                WpMethodOptions::kName);
}

const std::vector<OptionField<WMethodOptions>>& WMethodOptions::table() {
  return extra_states_table<WMethodOptions>();
}

const std::vector<OptionField<WpMethodOptions>>& WpMethodOptions::table() {
  return extra_states_table<WpMethodOptions>();
}

}  // namespace rnnalf
