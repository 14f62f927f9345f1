#include "rnnalf/oracle/pumping_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/repeated_factors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

/// Known words whose factors are repeated.
constexpr std::size_t kSeeds = 150;

/// How often loops are walked, small to large; the length limit cuts the end off.
constexpr std::size_t kTimes[] = {1,  2,  3,  4,  5,  6,  8,   10,  12,  16,  20,
                                  24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512};

/// The same in the stages of a race.
constexpr std::size_t kStages[][2] = {{2, 4},   {6, 8},    {12, 16},  {24, 32},
                                      {48, 64}, {96, 128}, {192, 256}};
constexpr std::size_t kWordsPerLoop = 4;  // 2 per stage, half of the loops in each next stage
constexpr std::size_t kLoopsPerRace = 50;
constexpr std::size_t kMostSuffixes = 4;   // for one loop
constexpr std::size_t kLongestSuffix = 4;  // of random ones

using Loop = PumpedLoop;

/// A loop with a suffix, and how near to the network's threshold its words came in this stage.
struct Contender {
  Loop loop;
  Word suffix;
  double distance = HUGE_VAL;
};

/// One equivalence query: the words tested so far, and the first that refutes.
class Search {
 public:
  Search(StateTree& tree, const Dfa& hypothesis, const PumpingOptions& options,
         const Budget& budget)
      : tree_(tree), hypothesis_(hypothesis), options_(options), budget_(budget) {}

  [[nodiscard]] bool going() const { return !refuting_ && !spent_; }
  [[nodiscard]] bool spent() const { return spent_; }
  [[nodiscard]] const std::optional<PumpedWord>& refuting() const { return refuting_; }
  [[nodiscard]] std::size_t words_tested() const { return tested_; }
  [[nodiscard]] std::size_t words_left() const { return options_.words - tested_; }

  /// Every k of the table for every loop and suffix, as many as `most` words allow.
  void climb(std::span<const Loop> loops, std::span<const Word> suffixes, std::size_t most);

  /// Words of small k for all; of each stage the half whose scores came nearest to the threshold
  /// goes on to larger k. A loop that will lose the network tends to show it early.
  void race(std::vector<Contender> contenders);

  /// A word of this query that came near the threshold; none before the first race.
  [[nodiscard]] const Word* near_word(Random& random) const {
    return near_.empty() ? nullptr : &near_[random.below(near_.size())].second;
  }

 private:
  /// Runs the words as one batch. The scores' distances from the threshold come back in order.
  std::vector<double> test(std::span<const PumpedWord> pumped);
  void remember_near(std::span<const PumpedWord> pumped, std::span<const double> distances);

  StateTree& tree_;
  const Dfa& hypothesis_;
  const PumpingOptions& options_;
  const Budget& budget_;
  std::optional<PumpedWord> refuting_;
  bool spent_ = false;
  std::size_t tested_ = 0;
  std::vector<std::pair<double, Word>> near_;  // few, nearest first
};

std::vector<double> Search::test(std::span<const PumpedWord> pumped) {
  std::vector<Word> words;
  words.reserve(pumped.size());
  for (const PumpedWord& p : pumped) words.push_back(p.word());
  auto compared = answered(tree_, std::move(words), budget_, Margins::Wanted);
  if (!compared) {
    spent_ = true;
    return {};
  }
  tested_ += compared->size();
  if (const auto first = compared->first_difference(hypothesis_)) refuting_ = pumped[*first];
  std::vector<double> distances = std::move(compared->margins);
  for (double& distance : distances) distance = std::abs(distance);
  return distances;
}

void Search::climb(std::span<const Loop> loops, std::span<const Word> suffixes, std::size_t most) {
  std::vector<PumpedWord> pumped;
  for (const Loop& loop : loops) {
    for (const Word& suffix : suffixes) {
      for (const std::size_t times : kTimes) {
        PumpedWord word{loop.prefix, loop.loop, times, suffix};
        if (word.length() <= options_.max_length && pumped.size() < most) {
          pumped.push_back(std::move(word));
        }
      }
    }
  }
  // Small k first, in batches of about the same k: a short counterexample is found before a long
  // one, and cheaply.
  std::stable_sort(pumped.begin(), pumped.end(),
                   [](const PumpedWord& a, const PumpedWord& b) { return a.times < b.times; });
  for (std::size_t begin = 0; begin < pumped.size() && going();) {
    std::size_t end = begin;
    while (end < pumped.size() && pumped[end].times <= 4 * pumped[begin].times) ++end;
    test(std::span(pumped).subspan(begin, end - begin));
    begin = end;
  }
}

void Search::race(std::vector<Contender> contenders) {
  for (const auto& stage : kStages) {
    std::vector<PumpedWord> pumped;
    std::vector<std::size_t> owner;
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      const Contender& contender = contenders[c];
      for (const std::size_t times : stage) {
        PumpedWord word{contender.loop.prefix, contender.loop.loop, times, contender.suffix};
        if (word.length() > options_.max_length || pumped.size() >= words_left()) continue;
        pumped.push_back(std::move(word));
        owner.push_back(c);
      }
    }
    if (pumped.empty()) return;
    const std::vector<double> distances = test(pumped);
    if (!going()) return;
    remember_near(pumped, distances);
    for (Contender& contender : contenders) contender.distance = HUGE_VAL;
    for (std::size_t i = 0; i < pumped.size(); ++i) {
      double& distance = contenders[owner[i]].distance;
      distance = std::min(distance, distances[i]);
    }
    std::stable_sort(
        contenders.begin(), contenders.end(),
        [](const Contender& a, const Contender& b) { return a.distance < b.distance; });
    contenders.resize((contenders.size() + 1) / 2);
  }
}

void Search::remember_near(std::span<const PumpedWord> pumped, std::span<const double> distances) {
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < pumped.size(); ++i) {
    if (pumped[i].length() > options_.max_length / 2) continue;  // no room to go on from there
    if (near_.size() == kMost && distances[i] >= near_.back().first) continue;
    near_.emplace_back(distances[i], pumped[i].word());
    std::sort(near_.begin(), near_.end());
    near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
    if (near_.size() > kMost) near_.pop_back();
  }
}

/// Contenders of the systematic race: loops with their suffixes in turn.
std::vector<Contender> in_turn(std::span<const Loop> loops, std::span<const Word> suffixes,
                               std::size_t most) {
  std::vector<Contender> contenders;
  for (std::size_t round = 0; round < suffixes.size(); ++round) {
    for (std::size_t i = 0; i < loops.size() && contenders.size() < most; ++i) {
      contenders.push_back({loops[i], suffixes[(i + round) % suffixes.size()]});
    }
  }
  return contenders;
}

/// The smallest number of times that refutes, given that p u^k s does.
Counterexample with_fewest_times(StateTree& tree, const Dfa& hypothesis, PumpedWord pumped) {
  const Budget no_limit;  // k words that share their prefixes: no more than one word's work again
  std::vector<Word> words;
  const std::size_t most = pumped.times;
  for (pumped.times = 0; pumped.times <= most; ++pumped.times) words.push_back(pumped.word());
  const auto compared = answered(tree, std::move(words), no_limit);
  RNNALF_CHECK(compared.has_value(), "a budget without limits ended");
  pumped.times = compared->differing(hypothesis).front();
  Counterexample counterexample = checked_counterexample(
      tree, hypothesis, compared->words[pumped.times], PumpingOptions::kName);
  counterexample.pumped = std::move(pumped);
  return counterexample;
}

}  // namespace

const std::vector<OptionField<PumpingOptions>>& PumpingOptions::table() {
  static const std::vector<OptionField<PumpingOptions>> fields = {
      option("words", "", Count{.least = 1}, &PumpingOptions::words, "words per query"),
      option("max-length", "", Count{.least = 1}, &PumpingOptions::max_length, "symbols of a word"),
      option("max-loop", "", Count{.least = 1}, &PumpingOptions::max_loop, "symbols of a loop")};
  return fields;
}

void validate(const PumpingOptions& options) {
  check_all(PumpingOptions::table(), options, std::string(PumpingOptions::kName) + ": ");
}

PumpingOracle::PumpingOracle(StateTree& tree, const PumpingOptions& options)
    : tree_(tree), options_(options), random_(options.seed) {
  validate(options);
}

Loop PumpingOracle::random_loop(const Word* near) {
  constexpr std::size_t kLongestPrefix = 8;
  const std::size_t symbols = tree_.symbol_count();
  Word prefix =
      near != nullptr ? *near : uniform_word(symbols, random_.below(kLongestPrefix + 1), random_);
  return {std::move(prefix), uniform_word(symbols, 1 + random_.below(options_.max_loop), random_)};
}

EquivalenceAnswer PumpingOracle::find(const Dfa& hypothesis, const Budget& budget) {
  const std::size_t symbols = tree_.symbol_count();
  WordTester factors(tree_, hypothesis, budget);
  for (Word& word : repeated_factors(tree_, kSeeds, options_.max_loop, options_.words)) {
    if (word.size() <= options_.max_length && !factors.test(std::move(word))) break;
  }
  (void)factors.flush();
  const WordsCompared kind{.kind = WordsCompared::Kind::Pumped, .longest = options_.max_length};
  if (factors.difference()) return factors.answer(name(), kind);
  const std::vector<Word> suffixes = telling_suffixes(hypothesis);
  Search search(tree_, hypothesis, options_, budget);

  if (symbols > 0) {
    const std::vector<Loop> loops = short_loops(hypothesis, options_.max_loop, options_.words);
    search.climb(loops, std::span(suffixes).first(std::min(kMostSuffixes, suffixes.size())),
                 options_.words / 4);
    if (search.going()) search.race(in_turn(loops, suffixes, options_.words / 2 / kWordsPerLoop));
    while (search.going() && search.words_left() > 0) {
      std::vector<Contender> contenders;
      for (std::size_t i = 0; i < kLoopsPerRace; ++i) {
        const bool go_on = random_.below(2) == 0;
        Loop loop = random_loop(go_on ? search.near_word(random_) : nullptr);
        Word suffix = random_.below(2) == 0
                          ? suffixes[random_.below(suffixes.size())]
                          : uniform_word(symbols, random_.below(kLongestSuffix + 1), random_);
        contenders.push_back({std::move(loop), std::move(suffix)});
      }
      const std::size_t before = search.words_tested();
      search.race(std::move(contenders));
      if (search.words_tested() == before) break;  // no word fits the length limit
    }
  }

  Evidence evidence{.oracle = std::string(name()),
                    .words_tested = search.words_tested() + factors.words_tested(),
                    .looked_at = kind};
  if (search.refuting()) {
    evidence.words_tested += search.refuting()->times + 1;
    return refuted(with_fewest_times(tree_, hypothesis, *search.refuting()), std::move(evidence));
  }
  return search.spent() ? stopped(std::move(evidence)) : none_found(std::move(evidence));
}

OraclePtr make_oracle(const PumpingOptions& options, const OracleContext& context) {
  PumpingOptions own = options;
  own.seed = context.seed_of(PumpingOptions::kName);
  return std::make_unique<PumpingOracle>(context.tree, own);
}

}  // namespace rnnalf
