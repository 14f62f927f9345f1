#include "rnnalf/oracle/state_prefix_oracle.hpp"

#include <algorithm>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

void validate(const StatePrefixOptions& options) {
  if (options.walks == 0) {
    throw OptionError("state-prefix: walks: expected a number above 0, found 0");
  }
  if (options.length == 0) {
    throw OptionError("state-prefix: length: expected a number above 0, found 0");
  }
}

StatePrefixOracle::StatePrefixOracle(StateTree& tree, const StatePrefixOptions& options)
    : tree_(tree), options_(options), random_(options.seed) {
  validate(options);
}

EquivalenceAnswer StatePrefixOracle::find(const Dfa& hypothesis, const Budget& budget) {
  WordTester tester(tree_, hypothesis, budget);
  std::vector<Word> cover = state_cover(hypothesis);
  std::reverse(cover.begin(), cover.end());
  const auto walk_from_all = [&] {
    for (const Word& access : cover) {
      for (std::size_t& walks = walks_[access]; walks < options_.walks; ++walks) {
        const Word walk = uniform_word(tree_.symbol_count(), options_.length, random_);
        if (!tester.test_prefixes(concat(access, walk), access.size())) return;
      }
    }
  };
  if (tree_.symbol_count() > 0) walk_from_all();
  (void)tester.flush();
  return tester.answer(name(), none_among(tester.words_tested(), "words of walks from ") +
                                   std::to_string(cover.size()) + " states");
}

}  // namespace rnnalf
