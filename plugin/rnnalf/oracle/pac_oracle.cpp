#include "rnnalf/oracle/search_oracles.hpp"

#include <algorithm>
#include <cmath>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/confidence.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kBatch = 4096;

Word draw(SearchState<PacOptions>& own) {
  const std::size_t symbols = own.tree.symbol_count();
  if (symbols == 0) return {};
  if (own.options.distribution == LengthDistribution::Uniform) {
    return uniform_word(symbols, own.random.below(own.options.length + 1), own.random);
  }
  Word word;
  while (own.random.below(own.options.length + 1) != 0) {
    word.push_back(static_cast<Symbol>(own.random.below(symbols)));
  }
  return word;
}

}  // namespace

const std::vector<OptionField<PacOptions>>& PacOptions::table() {
  static const std::vector<OptionField<PacOptions>> fields = {
      option("epsilon", "", Number{.least = 0, .most = 1, .open = true}, &PacOptions::epsilon,
             "share of words that may differ"),
      option("delta", "", Number{.least = 0, .most = 1, .open = true}, &PacOptions::delta,
             "chance that the claim is wrong"),
      option("distribution", "",
             Choice<LengthDistribution>{{{"uniform", LengthDistribution::Uniform},
                                         {"geometric", LengthDistribution::Geometric}}},
             &PacOptions::distribution,
             "of lengths: uniform from 0 to length, or geometric with mean length"),
      option("length", "", Count{}, &PacOptions::length, "symbols")};
  return fields;
}

std::size_t pac_sample_size(double epsilon, double delta, std::size_t query) {
  return static_cast<std::size_t>(
      std::ceil((std::log(1 / delta) + static_cast<double>(query) * std::log(2.0)) / epsilon));
}

EquivalenceAnswer search(SearchState<PacOptions>& own, const Dfa& hypothesis,
                         const Budget& budget) {
  const std::size_t size = pac_sample_size(own.options.epsilon, own.options.delta, own.queries);
  PacSample sample{.epsilon = own.options.epsilon,
                   .delta = own.options.delta,
                   .geometric = own.options.distribution == LengthDistribution::Geometric,
                   .length = own.options.length};
  std::uint64_t tested = 0;
  std::optional<Word> first;  // shortlex-first difference
  bool spent = false;
  while (tested < size) {
    std::vector<Word> words(std::min<std::size_t>(kBatch, size - tested));
    for (Word& word : words) word = draw(own);
    const auto compared = answered(own.tree, std::move(words), budget);
    if (!compared) {
      spent = true;
      break;
    }
    for (const std::size_t i : compared->differing(hypothesis)) {
      ++sample.differing;
      if (!first || shortlex_less(compared->words[i], *first)) first = compared->words[i];
    }
    tested += compared->size();
  }
  if (sample.differing > 0) {
    const Interval share = clopper_pearson(sample.differing, tested, own.options.delta);
    sample.least = share.low;
    sample.most = share.high;
  }
  Evidence evidence{
      .oracle = std::string(PacOptions::kName), .words_tested = tested, .looked_at = sample};
  if (first) {
    return refuted(checked_counterexample(own.tree, hypothesis, *first, PacOptions::kName),
                   std::move(evidence));
  }
  return spent ? stopped(std::move(evidence)) : none_found(std::move(evidence));
}

}  // namespace rnnalf
