#include "rnnalf/oracle/pumping_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

/// How often loops are walked, small to large; the length limit cuts the end off.
constexpr std::size_t kTimes[] = {1,  2,  3,  4,  5,  6,  8,   10,  12,  16,  20,
                                  24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512};

struct Loop {
  Word prefix;
  Word loop;
};

/// Simple cycles of the hypothesis at `home`, short ones first. Parallel edges stand for each other
/// in cycles of two and more symbols, so that large alphabets do not drown the rest.
std::vector<Word> simple_cycles(const Dfa& hypothesis, LState home, std::size_t max_length) {
  constexpr std::size_t kMostPaths = 1000;  // looked at per state
  constexpr std::size_t kMostParallel = 2;
  struct Path {
    Word word;
    std::vector<LState> states;  // after each symbol
  };
  std::vector<Word> cycles;
  std::vector<Path> paths{{}};
  std::vector<std::size_t> parallel(hypothesis.size());
  for (std::size_t head = 0; head < paths.size() && head < kMostPaths; ++head) {
    const Path path = paths[head];
    const LState from = path.states.empty() ? home : path.states.back();
    std::fill(parallel.begin(), parallel.end(), 0);
    for (std::size_t a = 0; a < hypothesis.symbol_count(); ++a) {
      const LState to = hypothesis.next(from, static_cast<Symbol>(a));
      Word word = path.word;
      word.push_back(static_cast<Symbol>(a));
      if (to == home) {
        if (from == home || ++parallel[index(to)] <= kMostParallel)
          cycles.push_back(std::move(word));
        continue;
      }
      if (word.size() == max_length || paths.size() >= kMostPaths) continue;
      if (std::find(path.states.begin(), path.states.end(), to) != path.states.end()) continue;
      if (++parallel[index(to)] > kMostParallel) continue;
      Path longer{std::move(word), path.states};
      longer.states.push_back(to);
      paths.push_back(std::move(longer));
    }
  }
  return cycles;
}

/// Every state, and every way into it.
std::vector<Word> short_prefixes(const Dfa& hypothesis, std::size_t most) {
  std::vector<Word> prefixes = state_cover(hypothesis);
  const std::vector<Word> others = other_transitions(hypothesis);
  prefixes.insert(prefixes.end(), others.begin(), others.end());
  std::sort(prefixes.begin(), prefixes.end(), ShortlexLess{});
  if (prefixes.size() > most) prefixes.resize(most);
  return prefixes;
}

/// Pairs (p, u) with u a cycle at p's state, in the order in which they are tried: short ones
/// first, and no prefix before the others with all its loops.
std::vector<Loop> systematic_loops(const Dfa& hypothesis, std::size_t max_loop, std::size_t most) {
  struct Candidate {
    std::size_t rank;
    Loop loop;
  };
  std::vector<std::vector<Word>> cycles(hypothesis.size());
  std::vector<Candidate> candidates;
  for (const Word& prefix : short_prefixes(hypothesis, most)) {
    const LState home = hypothesis.run(prefix);
    if (cycles[index(home)].empty()) {
      cycles[index(home)] = simple_cycles(hypothesis, home, max_loop);
    }
    std::size_t rank = prefix.size();
    for (const Word& cycle : cycles[index(home)]) {
      candidates.push_back({rank++ + cycle.size(), {prefix, cycle}});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) {
    loops.push_back(std::move(candidates[i].loop));
  }
  return loops;
}

/// The words of one half: loops with their suffixes, every k of the table within the length limit.
class PumpedWords {
 public:
  PumpedWords(std::size_t most, std::size_t max_length) : most_(most), max_length_(max_length) {}

  [[nodiscard]] bool full() const { return words_.size() >= most_; }

  void add(const Loop& loop, const Word& suffix, std::size_t times) {
    if (full()) return;
    PumpedWord pumped{loop.prefix, loop.loop, times, suffix};
    if (pumped.length() > max_length_) return;
    if (seen_.insert(WordHash{}(pumped.word())).second) words_.push_back(std::move(pumped));
  }

  /// Small k first, so that a short counterexample is found before a long one.
  [[nodiscard]] std::vector<PumpedWord> take() {
    std::stable_sort(words_.begin(), words_.end(),
                     [](const PumpedWord& a, const PumpedWord& b) { return a.times < b.times; });
    return std::move(words_);
  }

 private:
  std::size_t most_;
  std::size_t max_length_;
  std::vector<PumpedWord> words_;
  std::unordered_set<std::size_t> seen_;  // hashes: a collision costs one word of thousands
};

/// The smallest number of times that refutes, given that p u^k s does.
EquivalenceAnswer with_fewest_times(StateTree& tree, const Dfa& hypothesis, PumpedWord pumped,
                                    const Alphabet& alphabet, std::uint64_t words_tested) {
  const Budget no_limit;  // k words that share their prefixes: no more than one word's work again
  std::vector<Word> words;
  const std::size_t most = pumped.times;
  for (pumped.times = 0; pumped.times <= most; ++pumped.times) words.push_back(pumped.word());
  const auto answers = tree.answers(words, no_limit);
  RNNALF_CHECK(answers.has_value(), "a budget without limits ended");
  pumped.times = 0;
  while (hypothesis.accepts(words[pumped.times]) == ((*answers)[pumped.times] != 0)) ++pumped.times;
  EquivalenceAnswer answer;
  answer.verdict = Verdict::Counterexample;
  answer.counterexample =
      checked_counterexample(tree, hypothesis, words[pumped.times], (*answers)[pumped.times] != 0,
                             "pumping", pumped.text(alphabet));
  answer.evidence.push_back({"pumping", words_tested + words.size(),
                             "a counterexample of length " + std::to_string(pumped.length())});
  return answer;
}

}  // namespace

void validate(const PumpingOptions& options) {
  if (options.words == 0) throw OptionError("pumping: words: expected a number above 0, found 0");
  if (options.max_length == 0) {
    throw OptionError("pumping: max-length: expected a number above 0, found 0");
  }
  if (options.max_loop == 0) {
    throw OptionError("pumping: max-loop: expected a number above 0, found 0");
  }
}

Word PumpedWord::word() const {
  Word result;
  result.reserve(length());
  result.insert(result.end(), prefix.begin(), prefix.end());
  for (std::size_t i = 0; i < times; ++i) result.insert(result.end(), loop.begin(), loop.end());
  result.insert(result.end(), suffix.begin(), suffix.end());
  return result;
}

std::string PumpedWord::text(const Alphabet& alphabet) const {
  std::string text;
  const auto append = [&](const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += ' ';
    text += part;
  };
  append(alphabet.format(prefix));
  if (times > 0) append('(' + alphabet.format(loop) + ")^" + std::to_string(times));
  append(alphabet.format(suffix));
  return text;
}

PumpingOracle::PumpingOracle(StateTree& tree, const Alphabet& alphabet,
                             const PumpingOptions& options)
    : tree_(tree), alphabet_(alphabet), options_(options), random_(options.seed) {
  validate(options);
}

EquivalenceAnswer PumpingOracle::find(const Dfa& hypothesis, const Budget& budget) {
  const std::size_t symbols = tree_.symbol_count();
  WordTester tester(tree_, hypothesis, budget);
  std::vector<PumpedWord> words;
  const auto test = [&](PumpedWords pumped) {
    words = pumped.take();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!tester.test(words[i].word(), i)) return false;
    }
    return tester.flush();
  };
  bool going = symbols > 0;

  const std::vector<Word> suffixes = telling_suffixes(hypothesis);

  if (going) {  // systematically
    constexpr std::size_t kMostSuffixes = 4;
    PumpedWords pumped(options_.words / 2, options_.max_length);
    for (const Loop& loop : systematic_loops(hypothesis, options_.max_loop, options_.words)) {
      for (std::size_t s = 0; s < std::min(kMostSuffixes, suffixes.size()); ++s) {
        for (const std::size_t times : kTimes) pumped.add(loop, suffixes[s], times);
      }
      if (pumped.full()) break;
    }
    going = test(std::move(pumped));
  }
  if (going) {  // at random
    constexpr std::size_t kLongestPrefix = 8;
    constexpr std::size_t kLongestSuffix = 4;
    PumpedWords pumped(options_.words - tester.words_tested(), options_.max_length);
    // Short alphabets run out of short words: draws are bounded, not only words.
    for (std::size_t draw = 0; draw < options_.words && !pumped.full(); ++draw) {
      const Loop loop{uniform_word(symbols, random_.below(kLongestPrefix + 1), random_),
                      uniform_word(symbols, 1 + random_.below(options_.max_loop), random_)};
      const Word suffix = random_.below(2) == 0
                              ? suffixes[random_.below(suffixes.size())]
                              : uniform_word(symbols, random_.below(kLongestSuffix + 1), random_);
      for (const std::size_t times : kTimes) pumped.add(loop, suffix, times);
    }
    going = test(std::move(pumped));
  }

  if (tester.difference()) {
    return with_fewest_times(tree_, hypothesis, words[tester.difference()->tag], alphabet_,
                             tester.words_tested());
  }
  return tester.answer(name(), none_among(tester.words_tested(), "pumped words of up to ") +
                                   std::to_string(options_.max_length) + " symbols");
}

}  // namespace rnnalf
