#include "rnnalf/oracle/search_oracles.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/pumping_race.hpp"
#include "rnnalf/oracle/pumping_tester.hpp"
#include "rnnalf/oracle/repeated_factors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

using Contender = PumpingRace::Contender;

/// Known words whose factors are repeated, and the share of the words that these may take.
constexpr std::size_t kSeeds = 150;
constexpr std::size_t kShareOfFactors = 2;  // one in two

/// Of the words that are left after that: a quarter climbs, a half is raced, the rest is random.
constexpr std::size_t kShareOfClimb = 4;
constexpr std::size_t kShareOfRace = 2;

constexpr std::size_t kMostSuffixes = 4;   // that climb with one loop
constexpr std::size_t kLoopsPerRace = 50;  // of random ones, at least
constexpr std::size_t kLongestPrefix = 8;  // of random ones
constexpr std::size_t kLongestSuffix = 4;

/// How often loops that climb are walked; the length limit cuts the end off.
constexpr std::size_t kTimes[] = {1,  2,  3,  4,  5,  6,  8,   10,  12,  16,  20,
                                  24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512};

/// Factors of known words, repeated.
void repeat_factors(PumpingTester& tester, const StateTree& tree, const PumpingOptions& options) {
  const std::size_t most = options.words / kShareOfFactors;
  std::vector<PumpedWord> words;
  for (Word& word : repeated_factors(tree, kSeeds, options.max_loop, most)) {
    if (word.size() <= options.max_length) words.push_back({std::move(word), {}, 0, {}});
  }
  // The shortest first, in growing batches: an easy counterexample is cheap.
  std::size_t batch = 128;
  for (std::size_t begin = 0; begin < words.size() && tester.going(); batch *= 2) {
    const std::size_t end = std::min(words.size(), begin + batch);
    std::vector<PumpedWord> some(words.begin() + static_cast<std::ptrdiff_t>(begin),
                                 words.begin() + static_cast<std::ptrdiff_t>(end));
    tester.test(some);
    begin = end;
  }
}

/// Every k of the table for every loop and suffix, at most `most` words.
void climb(PumpingTester& tester, std::span<const PumpedLoop> loops, std::span<const Word> suffixes,
           std::size_t max_length, std::size_t most) {
  std::vector<PumpedWord> words;
  for (const PumpedLoop& loop : loops) {
    if (words.size() == most) break;
    for (const Word& suffix : suffixes) {
      const std::size_t rest = loop.prefix.size() + suffix.size();
      for (const std::size_t times : kTimes) {
        if (rest + times * loop.loop.size() > max_length || words.size() == most) break;
        words.push_back({loop.prefix, loop.loop, times, suffix});
      }
    }
  }
  // Small k first, in batches of about the same k: a short counterexample is found before a long
  // one, and cheaply.
  std::stable_sort(words.begin(), words.end(),
                   [](const PumpedWord& a, const PumpedWord& b) { return a.times < b.times; });
  for (auto begin = words.begin(); begin != words.end() && tester.going();) {
    const auto end = std::find_if(
        begin, words.end(), [&](const PumpedWord& word) { return word.times > 4 * begin->times; });
    std::vector<PumpedWord> some(begin, end);
    tester.test(some);
    begin = end;
  }
}

/// Contenders of the systematic race: loops with their suffixes in turn.
std::vector<Contender> in_turn(std::span<const PumpedLoop> loops, std::span<const Word> suffixes,
                               std::size_t most) {
  std::vector<Contender> contenders;
  for (std::size_t round = 0; round < suffixes.size(); ++round) {
    for (std::size_t i = 0; i < loops.size() && contenders.size() < most; ++i) {
      contenders.push_back({loops[i], suffixes[(i + round) % suffixes.size()]});
    }
  }
  return contenders;
}

/// The smallest number of times that refutes, given that p u^k s does; as far as there are words
/// left to try. They share their prefixes: no more than one word's work again.
Counterexample with_fewest_times(PumpingTester& tester, StateTree& tree, const Dfa& hypothesis) {
  PumpedWord pumped = *tester.difference();
  const std::size_t most = pumped.times;
  std::vector<Word> fewer;
  for (pumped.times = 0; pumped.times < most; ++pumped.times) fewer.push_back(pumped.word());
  pumped.times = tester.first_differing(std::move(fewer)).value_or(most);
  Counterexample counterexample =
      checked_counterexample(tree, hypothesis, pumped.word(), PumpingOptions::kName);
  if (pumped.times > 0) counterexample.pumped = std::move(pumped);
  return counterexample;
}

/// A random loop after `near`, or after a random prefix when there is none.
PumpedLoop random_loop(SearchState<PumpingOptions>& own, const Word* near) {
  const std::size_t symbols = own.tree.symbol_count();
  Word prefix = near != nullptr
                    ? *near
                    : uniform_word(symbols, own.random.below(kLongestPrefix + 1), own.random);
  return {std::move(prefix),
          uniform_word(symbols, 1 + own.random.below(own.options.max_loop), own.random)};
}

void race_random_loops(SearchState<PumpingOptions>& own, PumpingTester& tester, PumpingRace& race,
                       std::span<const Word> suffixes) {
  const std::size_t symbols = own.tree.symbol_count();
  while (tester.going() && tester.words_left() > 0) {
    // One race of many loops: in its last stages, words of hundreds of symbols run side by side.
    const std::size_t loops =
        std::max(kLoopsPerRace, tester.words_left() / PumpingRace::kWordsPerLoop);
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < loops; ++i) {
      const bool go_on = own.random.below(2) == 0;
      PumpedLoop loop = random_loop(own, go_on ? race.near_word(own.random) : nullptr);
      Word suffix = own.random.below(2) == 0
                        ? suffixes[own.random.below(suffixes.size())]
                        : uniform_word(symbols, own.random.below(kLongestSuffix + 1), own.random);
      contenders.push_back({std::move(loop), std::move(suffix)});
    }
    const std::size_t before = tester.words_tested();
    race.run(std::move(contenders));
    if (tester.words_tested() == before) return;  // no word fits the length limit
  }
}

}  // namespace

const std::vector<OptionField<PumpingOptions>>& PumpingOptions::table() {
  static const std::vector<OptionField<PumpingOptions>> fields = {
      option("words", "", Count{.least = 1}, &PumpingOptions::words, "words per query"),
      option("max-length", "", Count{.least = 1}, &PumpingOptions::max_length, "symbols of a word"),
      option("max-loop", "", Count{.least = 1}, &PumpingOptions::max_loop, "symbols of a loop")};
  return fields;
}

EquivalenceAnswer search(SearchState<PumpingOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  PumpingTester tester(own.tree, hypothesis, budget, own.options.words);
  repeat_factors(tester, own.tree, own.options);
  if (tester.going() && own.tree.symbol_count() > 0) {
    const std::size_t words = tester.words_left();
    const std::vector<Word> suffixes = telling_suffixes(hypothesis);
    const std::vector<PumpedLoop> loops = short_loops(hypothesis, own.options.max_loop, words);
    PumpingRace race(tester, own.options.max_length);
    climb(tester, loops, std::span(suffixes).first(std::min(kMostSuffixes, suffixes.size())),
          own.options.max_length, words / kShareOfClimb);
    if (tester.going()) {
      race.run(in_turn(loops, suffixes, words / kShareOfRace / PumpingRace::kWordsPerLoop));
    }
    race_random_loops(own, tester, race, suffixes);
  }

  Evidence evidence{.oracle = std::string(PumpingOptions::kName),
                    .looked_at = WordsCompared{.kind = WordsCompared::Kind::Pumped,
                                               .longest = own.options.max_length}};
  std::optional<Counterexample> found;
  if (tester.difference()) found = with_fewest_times(tester, own.tree, hypothesis);
  evidence.words_tested = tester.words_tested();
  if (found) return refuted(std::move(*found), std::move(evidence));
  return tester.spent() ? stopped(std::move(evidence)) : none_found(std::move(evidence));
}

}  // namespace rnnalf
