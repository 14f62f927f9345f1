#include "rnnalf/oracle/pac_oracle.hpp"

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

void validate(const PacOptions& options) {
  check_all(PacOptions::table(), options, std::string(PacOptions::kName) + ": ");
}

std::size_t pac_sample_size(double epsilon, double delta, std::size_t query) {
  return static_cast<std::size_t>(
      std::ceil((std::log(1 / delta) + static_cast<double>(query) * std::log(2.0)) / epsilon));
}

PacOracle::PacOracle(StateTree& tree, const PacOptions& options)
    : tree_(tree), options_(options), random_(options.seed) {
  validate(options);
}

Word PacOracle::draw() {
  const std::size_t symbols = tree_.symbol_count();
  if (symbols == 0) return {};
  if (options_.distribution == LengthDistribution::Uniform) {
    return uniform_word(symbols, random_.below(options_.length + 1), random_);
  }
  Word word;
  while (random_.below(options_.length + 1) != 0) {
    word.push_back(static_cast<Symbol>(random_.below(symbols)));
  }
  return word;
}

EquivalenceAnswer PacOracle::find(const Dfa& hypothesis, const Budget& budget) {
  const std::size_t size = pac_sample_size(options_.epsilon, options_.delta, ++queries_);
  PacSample sample{.epsilon = options_.epsilon,
                   .delta = options_.delta,
                   .geometric = options_.distribution == LengthDistribution::Geometric,
                   .length = options_.length};
  std::uint64_t tested = 0;
  std::optional<Word> first;  // shortlex-first difference
  bool spent = false;
  while (tested < size) {
    std::vector<Word> words(std::min<std::size_t>(kBatch, size - tested));
    for (Word& word : words) word = draw();
    const auto compared = answered(tree_, std::move(words), budget);
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
    const Interval share = clopper_pearson(sample.differing, tested, options_.delta);
    sample.least = share.low;
    sample.most = share.high;
  }
  Evidence evidence{.oracle = std::string(name()), .words_tested = tested, .looked_at = sample};
  if (first) {
    return refuted(checked_counterexample(tree_, hypothesis, *first, name()), std::move(evidence));
  }
  return spent ? stopped(std::move(evidence)) : none_found(std::move(evidence));
}

OraclePtr make_oracle(const PacOptions& options, const OracleContext& context) {
  PacOptions own = options;
  own.seed = context.seed_of(PacOptions::kName);
  return std::make_unique<PacOracle>(context.tree, own);
}

}  // namespace rnnalf
