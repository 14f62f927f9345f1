#include "rnnalf/oracle/samples_oracle.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

void validate(const SamplesOptions& options) {
  validate(options.search);
}

SamplesOracle::SamplesOracle(StateTree& tree, SamplesOptions options)
    : tree_(tree), options_(std::move(options)) {
  validate(options_);
  searched_ = !options_.words.empty();
  std::sort(options_.words.begin(), options_.words.end(), ShortlexLess{});
}

EquivalenceAnswer SamplesOracle::find(const Dfa& hypothesis, const Budget& budget) {
  if (!searched_) {
    const ClassSamples samples = find_samples(tree_, options_.search, budget);
    for (const auto& sample : {samples.accepted, samples.rejected}) {
      if (sample) options_.words.push_back(*sample);
    }
    std::sort(options_.words.begin(), options_.words.end(), ShortlexLess{});
    searched_ = !budget.spent();  // a search that was cut short is done again
  }
  WordTester tester(tree_, hypothesis, budget);
  for (const Word& word : options_.words) {
    if (!tester.test(word)) break;
  }
  if (tester.flush() && budget.spent()) {
    return {Verdict::BudgetSpent, std::nullopt, {{"samples", 0, "stopped by a limit"}}};
  }
  return tester.answer(name(), none_among(options_.words.size(), "sample words"));
}

}  // namespace rnnalf
