#include "rnnalf/oracle/random_w_oracle.hpp"

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

const std::vector<OptionField<RandomWOptions>>& RandomWOptions::table() {
  static const std::vector<OptionField<RandomWOptions>> fields = {
      option("walks", "", Count{.least = 1}, &RandomWOptions::walks,
             "walks from each state, over the whole run"),
      option("length", "", Count{.least = 1}, &RandomWOptions::length, "most symbols of a walk")};
  return fields;
}

void validate(const RandomWOptions& options) {
  check_all(RandomWOptions::table(), options, std::string(RandomWOptions::kName) + ": ");
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
  return tester.answer(name(), {.kind = WordsCompared::Kind::RandomW});
}

OraclePtr make_oracle(const RandomWOptions& options, const OracleContext& context) {
  RandomWOptions own = options;
  own.seed = context.seed_of(RandomWOptions::kName);
  return std::make_unique<RandomWOracle>(context.tree, own);
}

}  // namespace rnnalf
