#include "rnnalf/evaluate/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/oracle/answered_words.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kAtATime = 40;  ///< words of each length

/// Where the words of an estimate come from; see recommend().
class EstimateWords {
 public:
  EstimateWords(const Dfa& reference, std::size_t max_length, std::uint64_t seed)
      : symbols_(reference.symbol_count()),
        by_words_(reference, max_length, LanguageSampler::Uniform::Words),
        by_paths_(reference, max_length, LanguageSampler::Uniform::Paths),
        random_(seed) {}

  /// The next `count` words of each length, after `drawn` others.
  [[nodiscard]] std::vector<Word> next(std::span<const std::size_t> lengths, std::size_t drawn,
                                       std::size_t count) {
    std::vector<Word> words;
    words.reserve(lengths.size() * count);
    for (const std::size_t length : lengths) {
      for (std::size_t i = 0; i < count; ++i) words.push_back(draw(length, (drawn + i) % 8));
    }
    return words;
  }

 private:
  [[nodiscard]] Word draw(std::size_t length, std::size_t kind) {
    std::optional<Word> word;
    if (kind == 4) word = by_words_.draw(length, true, random_);
    if (kind == 5 || kind == 6) word = by_paths_.draw(length, true, random_);
    if (kind == 7) word = by_paths_.draw(length, false, random_);
    if (!word) word = uniform_word(symbols_, length, random_);
    if (kind == 6 && length > 0) {
      (*word)[random_.below(length)] = static_cast<Symbol>(random_.below(symbols_));
    }
    return *std::move(word);
  }

  std::size_t symbols_;
  LanguageSampler by_words_;
  LanguageSampler by_paths_;
  Random random_;
};

/// Index of the smallest within tolerance; among those of one size the closest, then the latest.
std::size_t smallest_within(std::span<const Dfa> hypotheses, const std::vector<double>& shares,
                            double tolerance) {
  const double best = *std::max_element(shares.begin(), shares.end());
  std::size_t chosen = hypotheses.size();
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (shares[i] < best - tolerance) continue;
    if (chosen == hypotheses.size() || hypotheses[i].size() < hypotheses[chosen].size() ||
        (hypotheses[i].size() == hypotheses[chosen].size() && shares[i] >= shares[chosen])) {
      chosen = i;
    }
  }
  return chosen;
}

/// The words with the network's answers, shortest first, then clearest, then in order.
std::vector<Counterexample> listed(const std::set<Word, ShortlexLess>& refuting, StateTree& tree,
                                   std::size_t most) {
  std::vector<Word> words;
  for (const Word& word : refuting) {  // shortlex: no more than the words of the last listed length
    if (words.size() >= most && word.size() > words.back().size()) break;
    words.push_back(word);
  }
  std::vector<Counterexample> exceptions = with_probabilities(words, tree);
  const auto clearness = [](const Counterexample& e) { return std::abs(*e.probability - 0.5); };
  std::stable_sort(exceptions.begin(), exceptions.end(),
                   [&](const Counterexample& a, const Counterexample& b) {
                     if (a.word.size() != b.word.size()) return a.word.size() < b.word.size();
                     return clearness(a) > clearness(b);
                   });
  if (exceptions.size() > most) exceptions.resize(most);
  return exceptions;
}

}  // namespace

void validate(const RecommendOptions& options) {
  if (!(options.tolerance >= 0 && options.tolerance <= 1)) {
    throw OptionError("tolerance: expected a share from 0 to 1, found " +
                      std::to_string(options.tolerance));
  }
  if (options.per_length == 0) {
    throw OptionError("per_length: expected a number above 0, found 0");
  }
}

Recommendation recommend(std::span<const Dfa> hypotheses, std::span<const Word> known,
                         StateTree& tree, const RecommendOptions& options, const Budget& budget) {
  validate(options);
  if (hypotheses.empty()) throw std::invalid_argument("recommend: expected hypotheses");
  const std::size_t symbols = tree.symbol_count();
  Recommendation result;
  result.agreement.resize(hypotheses.size());

  AnsweredWords compared;  // of all lengths
  if (symbols > 0 && !options.lengths.empty()) {
    EstimateWords estimate(hypotheses.back(),
                           *std::max_element(options.lengths.begin(), options.lengths.end()),
                           options.seed);
    for (auto& by_length : result.agreement) {
      for (const std::size_t length : options.lengths) by_length.push_back({length, 0, 0});
    }
    // A little of every length at a time: where the budget ends, long words have been tried too.
    for (std::size_t drawn = 0; drawn < options.per_length; drawn += kAtATime) {
      const std::size_t count = std::min(kAtATime, options.per_length - drawn);
      auto some = answered(tree, estimate.next(options.lengths, drawn, count), budget);
      if (!some) {
        result.complete = false;
        break;
      }
      for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        for (LengthAgreement& agreement : result.agreement[h]) {
          agreement.words += count;
          agreement.agreed += count;
        }
        for (const std::size_t i : some->differing(hypotheses[h])) {
          --result.agreement[h][i / count].agreed;
        }
      }
      compared.append(std::move(*some));
    }
    if (compared.words.empty()) {
      for (auto& by_length : result.agreement) by_length.clear();
    }
  }

  std::vector<double> shares;
  for (const auto& by_length : result.agreement) shares.push_back(overall_share(by_length));
  result.index = compared.words.empty() ? hypotheses.size() - 1
                                        : smallest_within(hypotheses, shares, options.tolerance);

  std::set<Word, ShortlexLess> refuting;
  const Dfa& chosen = hypotheses[result.index];
  for (const std::size_t i : compared.differing(chosen)) refuting.insert(compared.words[i]);
  if (const auto again = answered(tree, {known.begin(), known.end()}, budget)) {
    for (const std::size_t i : again->differing(chosen)) refuting.insert(again->words[i]);
  } else {
    result.complete = false;
  }
  result.exceptions = listed(refuting, tree, options.most_exceptions);
  return result;
}

}  // namespace rnnalf
