#include "rnnalf/oracle/pac_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/confidence.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/word_tester.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kBatch = 4096;

void expect_between_0_and_1(double value, const char* field) {
  if (!(value > 0 && value < 1)) {
    throw OptionError(std::string("pac: ") + field + ": expected a number between 0 and 1, found " +
                      std::to_string(value));
  }
}

std::string distribution_text(const PacOptions& options) {
  const std::string length = std::to_string(options.length);
  return options.distribution == LengthDistribution::Uniform
             ? "lengths uniform from 0 to " + length + ", symbols uniform"
             : "lengths geometric with mean " + length + ", symbols uniform";
}

}  // namespace

void validate(const PacOptions& options) {
  expect_between_0_and_1(options.epsilon, "epsilon");
  expect_between_0_and_1(options.delta, "delta");
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
  std::uint64_t tested = 0, differing = 0;
  std::optional<std::pair<Word, bool>> first;  // shortlex-first difference, the network's answer
  EquivalenceAnswer result;
  while (tested < size) {
    std::vector<Word> words(std::min<std::size_t>(kBatch, size - tested));
    for (Word& word : words) word = draw();
    const auto answers = tree_.answers(words, budget);
    if (!answers) {
      result.verdict = Verdict::BudgetSpent;
      break;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool accepted = (*answers)[i] != 0;
      if (hypothesis.accepts(words[i]) == accepted) continue;
      ++differing;
      if (!first || shortlex_less(words[i], first->first)) first = {words[i], accepted};
    }
    tested += words.size();
  }

  std::ostringstream claim;
  if (first) {
    result.verdict = Verdict::Counterexample;
    result.counterexample =
        checked_counterexample(tree_, hypothesis, first->first, first->second, name());
    const Interval share = clopper_pearson(differing, tested, options_.delta);
    claim << differing << " of " << tested << " words differ: a share of " << share.low << " to "
          << share.high << " with confidence " << 1 - options_.delta << "; "
          << distribution_text(options_);
  } else if (result.verdict == Verdict::BudgetSpent) {
    claim << none_among(tested, "words, stopped by a limit");
  } else {
    claim << "PAC: with confidence " << 1 - options_.delta << " no more than a share of "
          << options_.epsilon << " of all words differs; " << distribution_text(options_);
  }
  result.evidence.push_back({std::string(name()), tested, claim.str()});
  return result;
}

}  // namespace rnnalf
