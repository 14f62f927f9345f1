#include "rnnalf/oracle/state_prefix_oracle.hpp"

#include <algorithm>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/cover.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

const std::vector<OptionField<StatePrefixOptions>>& StatePrefixOptions::table() {
  static const std::vector<OptionField<StatePrefixOptions>> fields = {
      option("walks", "", Count{.least = 1}, &StatePrefixOptions::walks,
             "walks from each state, over the whole run"),
      option("length", "", Count{.least = 1}, &StatePrefixOptions::length, "symbols of a walk")};
  return fields;
}

void validate(const StatePrefixOptions& options) {
  check_all(StatePrefixOptions::table(), options, std::string(StatePrefixOptions::kName) + ": ");
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
  return tester.answer(name(), {.kind = WordsCompared::Kind::Walk, .states = cover.size()});
}

OraclePtr make_oracle(const StatePrefixOptions& options, const OracleContext& context) {
  StatePrefixOptions own = options;
  own.seed = context.seed_of(StatePrefixOptions::kName);
  return std::make_unique<StatePrefixOracle>(context.tree, own);
}

}  // namespace rnnalf
