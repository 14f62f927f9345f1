#include "rnnalf/evaluate/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

/// Words of one length from both sides of the reference; see recommend().
std::vector<Word> words_of_length(const LanguageSampler& sampler, std::size_t symbols,
                                  std::size_t length, std::size_t count, Random& random) {
  std::vector<Word> words;
  words.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Word> word;
    if (i % 4 == 1 || i % 4 == 3) word = sampler.draw(length, true, random);
    if (i % 4 == 2) word = sampler.draw(length, false, random);
    if (!word) word = uniform_word(symbols, length, random);
    if (i % 4 == 3 && length > 0) {
      (*word)[random.below(length)] = static_cast<Symbol>(random.below(symbols));
    }
    words.push_back(*std::move(word));
  }
  return words;
}

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
    const LanguageSampler sampler(
        hypotheses.back(), *std::max_element(options.lengths.begin(), options.lengths.end()));
    Random random(options.seed);
    for (const std::size_t length : options.lengths) {
      std::vector<Word> some =
          words_of_length(sampler, symbols, length, options.per_length, random);
      const auto answers = tree.answers(some, budget);
      if (!answers) {
        result.complete = false;
        break;
      }
      for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        LengthAgreement agreement{length, some.size(), 0};
        for (std::size_t i = 0; i < some.size(); ++i) {
          if (hypotheses[h].accepts(some[i]) == ((*answers)[i] != 0)) ++agreement.agreed;
        }
        result.agreement[h].push_back(agreement);
      }
      words.insert(words.end(), some.begin(), some.end());
      accepted.insert(accepted.end(), answers->begin(), answers->end());
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
