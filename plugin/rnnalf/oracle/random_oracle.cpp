#include "rnnalf/oracle/search_oracles.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/guided_words.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

/// Whether there are no more than `limit` words of that length.
bool few_words(std::size_t symbols, std::size_t length, std::size_t limit) {
  std::size_t words = 1;
  for (std::size_t i = 0; i < length; ++i) {
    words *= symbols;
    if (words > limit) return false;
  }
  return true;
}

/// Whether there are no more than `limit` words of that length and of all shorter ones together.
bool few_words_up_to(std::size_t symbols, std::size_t length, std::size_t limit) {
  std::size_t words = 1, total = 1;
  for (std::size_t i = 0; i < length; ++i) {
    if (words > limit / symbols) return false;
    words *= symbols;
    total += words;
  }
  return total <= limit;
}

bool test_all(WordTester& tester, std::size_t symbols, std::size_t length) {
  Word word(length, Symbol{0});
  do {
    if (!tester.test(word)) return false;
  } while (next_word(word, symbols));
  return true;
}

bool test_increasing(WordTester& tester, std::size_t symbols, const GuidedWords& guided,
                     const RandomOptions& options, Random& random, std::size_t& complete) {
  const auto along = static_cast<std::size_t>(
      std::llround(options.guided * static_cast<double>(options.per_length)));
  const std::size_t uniform = options.per_length - along;
  std::size_t done = 0;  // lengths up to here are tested
  while (done < options.max_length && (few_words(symbols, done + 1, options.per_length) ||
                                       few_words_up_to(symbols, done + 1, options.all))) {
    if (!test_all(tester, symbols, ++done)) return false;
  }
  complete = done;
  for (std::size_t band = 4; done < options.max_length; band *= 2) {
    if (band <= done) continue;
    const std::size_t last = std::min(band, options.max_length);
    for (std::size_t length = done + 1; length <= last; ++length) {
      for (std::size_t i = 0; i < along; ++i) {
        if (!tester.test(guided.draw(length, random))) return false;
      }
    }
    for (std::size_t i = 0; i < uniform; ++i) {
      if (!tester.test_prefixes(uniform_word(symbols, last, random), done + 1)) return false;
    }
    // A band is complete before the next begins: short counterexamples teach more.
    if (!tester.flush()) return false;
    done = last;
  }
  return true;
}

bool test_uniform(WordTester& tester, std::size_t symbols, const GuidedWords& guided,
                  const RandomOptions& options, Random& random, std::size_t& /*complete*/) {
  for (std::size_t i = 0; i < options.per_length * options.max_length; ++i) {
    const std::size_t length = 1 + random.below(options.max_length);
    if (!tester.test(random.unit() < options.guided ? guided.draw(length, random)
                                                    : uniform_word(symbols, length, random))) {
      return false;
    }
  }
  return true;
}

}  // namespace

const std::vector<OptionField<RandomOptions>>& RandomOptions::table() {
  static const std::vector<OptionField<RandomOptions>> fields = {
      option("per-length", "", Count{.least = 1}, &RandomOptions::per_length,
             "words of each length"),
      option("max-length", "", Count{.least = 1}, &RandomOptions::max_length, "symbols of a word"),
      option("all", "", Count{}, &RandomOptions::all,
             "lengths with no more words up to them are tested completely"),
      option(
          "guided", "", Number{.least = 0, .most = 1}, &RandomOptions::guided,
          "share drawn along the hypothesis and edited; 0: uniform words alone, as in the paper"),
      option("mode", "",
             Choice<RandomMode>{
                 {{"increasing", RandomMode::Increasing}, {"uniform", RandomMode::Uniform}}},
             &RandomOptions::mode,
             "increasing: short lengths first; uniform: lengths drawn uniformly")};
  return fields;
}

EquivalenceAnswer search(SearchState<RandomOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  WordTester tester(own.tree, hypothesis, budget);
  const std::size_t symbols = own.tree.symbol_count();
  std::size_t complete = 0;  // all words of up to this many symbols are tested
  if (tester.test({}) && symbols > 0) {
    const GuidedWords guided(hypothesis, own.options.guided > 0 ? own.options.max_length : 0);
    const auto test = own.options.mode == RandomMode::Increasing ? test_increasing : test_uniform;
    if (test(tester, symbols, guided, own.options, own.random, complete)) (void)tester.flush();
  }
  WordsCompared words{.kind = WordsCompared::Kind::Random, .longest = own.options.max_length};
  if (complete > 0) words.complete_to = complete;
  return tester.answer(RandomOptions::kName, words);
}

}  // namespace rnnalf
