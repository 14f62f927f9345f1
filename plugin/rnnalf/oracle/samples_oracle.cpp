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
}

bool SamplesOracle::ask(const Budget& budget) {
  std::vector<Word> words = options_.words;
  if (words.empty()) {
    const ClassSamples samples = find_samples(tree_, options_.search, budget);
    if (budget.spent()) return false;  // a search that was cut short is done again
    for (const auto& sample : samples.words) {
      if (sample) words.push_back(*sample);
    }
  }
  words.insert(words.end(), options_.found.begin(), options_.found.end());
  std::sort(words.begin(), words.end(), ShortlexLess{});
  words_ = answered(tree_, std::move(words), budget);
  return words_.has_value();
}

EquivalenceAnswer SamplesOracle::find(const Dfa& hypothesis, const Budget& budget) {
  Evidence evidence{.oracle = std::string(name()),
                    .looked_at = WordsCompared{.kind = WordsCompared::Kind::Sample}};
  if (!words_ && !ask(budget)) return stopped(std::move(evidence));
  evidence.words_tested = words_->size();
  const auto first = words_->first_difference(hypothesis);
  if (!first) return none_found(std::move(evidence));
  return refuted(checked_counterexample(tree_, hypothesis, words_->words[*first], name()),
                 std::move(evidence));
}

OraclePtr make_oracle(const SamplesOptions& options, const OracleContext& context) {
  SamplesOptions own = options;
  own.words = context.samples;
  own.found = context.found;
  own.search.seed = context.seed_of(SamplesOptions::kName);
  return std::make_unique<SamplesOracle>(context.tree, std::move(own));
}

}  // namespace rnnalf
