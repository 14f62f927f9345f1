#include "rnnalf/oracle/samples_oracle.hpp"

#include <algorithm>
#include <utility>

#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {

const std::vector<OptionField<SamplesOptions>>& SamplesOptions::table() {
  static const std::vector<OptionField<SamplesOptions>> fields = [] {
    std::vector<OptionField<SamplesOptions>> all;
    for (const OptionField<SampleSearchOptions>& field : SampleSearchOptions::table()) {
      all.push_back(option_of_part<SamplesOptions>(
          field, [](auto& options) -> auto& { return options.search; }));
    }
    return all;
  }();
  return fields;
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
    for (const auto& sample : samples.words) {
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
    return stopped({.oracle = std::string(name()),
                    .looked_at = WordsCompared{.kind = WordsCompared::Kind::Sample}});
  }
  return tester.answer(name(), {.kind = WordsCompared::Kind::Sample});
}

OraclePtr make_oracle(const SamplesOptions& options, const OracleContext& context) {
  SamplesOptions own = options;
  own.words = context.samples;
  own.search.seed = context.seed_of(SamplesOptions::kName);
  return std::make_unique<SamplesOracle>(context.tree, std::move(own));
}

}  // namespace rnnalf
