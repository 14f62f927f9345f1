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
std::vector<Exception> listed(const std::set<Word, ShortlexLess>& words, StateTree& tree,
                              std::size_t most) {
  const Budget no_limit;  // few words, all of them run before
  std::vector<Exception> exceptions;
  for (const Word& word : words) {  // shortlex: no more than the words of the last listed length
    if (exceptions.size() >= most && word.size() > exceptions.back().word.size()) break;
    const Node node = tree.add(word);
    std::vector<double> state(tree.state_size());
    RNNALF_CHECK(tree.compute({&node, 1}, no_limit) &&
                     tree.copy_states({&node, 1}, {state.data(), state.size(), 1}, no_limit),
                 "a budget without limits ended");
    Exception exception{word, tree.accepted(node), 0};
    tree.acceptor().probabilities({state.data(), state.size(), 1}, {&exception.probability, 1});
    exceptions.push_back(std::move(exception));
  }
  const auto clearness = [](const Exception& e) { return std::abs(e.probability - 0.5); };
  std::stable_sort(exceptions.begin(), exceptions.end(),
                   [&](const Exception& a, const Exception& b) {
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

  std::vector<Word> words;             // of all lengths
  std::vector<std::uint8_t> accepted;  // by the network
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
      std::vector<Word> some = estimate.next(options.lengths, drawn, count);
      const auto answers = tree.answers(some, budget);
      if (!answers) {
        result.complete = false;
        break;
      }
      for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        for (std::size_t i = 0; i < some.size(); ++i) {
          LengthAgreement& agreement = result.agreement[h][i / count];
          ++agreement.words;
          if (hypotheses[h].accepts(some[i]) == ((*answers)[i] != 0)) ++agreement.agreed;
        }
      }
      std::move(some.begin(), some.end(), std::back_inserter(words));
      accepted.insert(accepted.end(), answers->begin(), answers->end());
    }
    if (words.empty()) {
      for (auto& by_length : result.agreement) by_length.clear();
    }
  }

  std::vector<double> shares;
  for (const auto& by_length : result.agreement) shares.push_back(overall_share(by_length));
  result.index = words.empty() ? hypotheses.size() - 1
                               : smallest_within(hypotheses, shares, options.tolerance);

  std::set<Word, ShortlexLess> refuting;
  const Dfa& chosen = hypotheses[result.index];
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (chosen.accepts(words[i]) != (accepted[i] != 0)) refuting.insert(words[i]);
  }
  if (const auto answers = tree.answers(known, budget)) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (chosen.accepts(known[i]) != ((*answers)[i] != 0)) refuting.insert(known[i]);
    }
  } else {
    result.complete = false;
  }
  result.exceptions = listed(refuting, tree, options.most_exceptions);
  return result;
}

}  // namespace rnnalf
