#include "rnnalf/oracle/random_w_oracle.hpp"

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

void validate(const RandomWOptions& options) {
  if (options.walks == 0) {
    throw OptionError("random-w: walks: expected a number above 0, found 0");
  }
  if (options.length == 0) {
    throw OptionError("random-w: length: expected a number above 0, found 0");
  }
}

RandomWOracle::RandomWOracle(StateTree& tree, const RandomWOptions& options)
    : tree_(tree), options_(options), random_(options.seed) {
  validate(options);
}

EquivalenceAnswer RandomWOracle::find(const Dfa& hypothesis, const Budget& budget) {
  WordTester tester(tree_, hypothesis, budget);
  const std::vector<Word> cover = state_cover(hypothesis);
  const std::vector<Word> suffixes = telling_suffixes(hypothesis);
  const auto walk_from_all = [&] {
    for (const Word& access : cover) {
      for (std::size_t& walks = walks_[access]; walks < options_.walks; ++walks) {
        const std::size_t length = 1 + random_.below(options_.length);
        const Word walk = uniform_word(tree_.symbol_count(), length, random_);
        const Word& suffix = suffixes[random_.below(suffixes.size())];
        if (!tester.test_prefixes(concat(concat(access, walk), suffix), access.size())) return;
      }
    }
  };
  if (tree_.symbol_count() > 0) walk_from_all();
  (void)tester.flush();
  return tester.answer(name(), none_among(tester.words_tested(), "random words of the W-method"));
}

}  // namespace rnnalf
