#include "rnnalf/oracle/rare_words.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/random.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLengths = 3;      // of the words of an island
constexpr std::size_t kShareAlike = 8;   // one in eight words may end with the same symbol
constexpr std::size_t kPatience = 15;    // generations without a better word
constexpr double kHardlyMet = 0.01;      // share of uniform words; of k answers, 2/k of it
constexpr std::size_t kManySymbols = 4;  // of fewer, the shortest words of a language say it all

/// A word with how clearly the network gives it the wanted answer; below 0: it does not.
struct Evolved {
  Word word;
  double fitness;
};

/// Words of nearly the same length that evolve together.
class Island {
 public:
  /// Words of `longest` symbols and one or two fewer.
  Island(std::size_t longest, std::size_t symbols, std::size_t population)
      : most_(longest),
        least_(longest + 1 - kLengths),
        symbols_(symbols),
        population_(population) {}

  /// The next words to try: children of the survivors; without survivors, random words.
  [[nodiscard]] std::vector<Word> brood(Random& random) const {
    std::vector<Word> words;
    for (std::size_t i = 0; i < population_; ++i) {
      const std::size_t length = least_ + random.below(most_ + 1 - least_);
      words.push_back(survivors_.empty() ? uniform_word(symbols_, length, random) : child(random));
    }
    return words;
  }

  /// Parents and brood compete.
  void select(std::vector<Evolved> brood) {
    std::move(brood.begin(), brood.end(), std::back_inserter(survivors_));
    std::stable_sort(survivors_.begin(), survivors_.end(),
                     [](const Evolved& a, const Evolved& b) { return a.fitness > b.fitness; });
    std::set<Word> seen;
    std::map<Symbol, std::size_t> ends;
    const std::size_t most_alike = std::max<std::size_t>(2, population_ / kShareAlike);
    std::vector<Evolved> fittest;
    for (Evolved& one : survivors_) {
      if (fittest.size() == population_) break;
      if (ends[one.word.back()] == most_alike || !seen.insert(one.word).second) continue;
      ++ends[one.word.back()];
      fittest.push_back(std::move(one));
    }
    survivors_ = std::move(fittest);
    const double best = survivors_.front().fitness;
    idle_ = best > best_ ? 0 : idle_ + 1;
    best_ = std::max(best, best_);
    const bool conquered = survivors_[survivors_.size() / 2].fitness > 0;
    // Of the three lengths one may have won. Later, each has its turn.
    if (conquered) most_ = least_ = least_ == most_ ? next_length() : least_;
    if (conquered || idle_ == kPatience) {
      survivors_.clear();
      best_ = -std::numeric_limits<double>::infinity();
      idle_ = 0;
    }
  }

 private:
  [[nodiscard]] std::size_t next_length() const {
    return most_ % kLengths == 0 ? most_ + 1 - kLengths : most_ + 1;
  }
  [[nodiscard]] Symbol any_symbol(Random& random) const {
    return static_cast<Symbol>(random.below(symbols_));
  }
  /// The best of three drawn.
  [[nodiscard]] const Word& parent(Random& random) const {
    std::size_t best = survivors_.size() - 1;
    for (int i = 0; i < 3; ++i) best = std::min<std::size_t>(best, random.below(survivors_.size()));
    return survivors_[best].word;
  }
  [[nodiscard]] Word child(Random& random) const {
    Word word = parent(random);
    const auto at = [&](std::size_t i) { return word.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto substitute = [&] { word[random.below(word.size())] = any_symbol(random); };
    const double kind = random.unit();
    if (kind < 0.5) {
      substitute();
    } else if (kind < 0.7) {  // crossover
      const Word& other = parent(random);
      const std::size_t from = random.below(std::min(word.size(), other.size()));
      word.resize(from);
      word.insert(word.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
    } else if (kind < 0.85) {  // deletion, insertion or both
      const std::uint64_t which = random.below(3);
      const std::size_t size = word.size();
      if (which != 0 || size == most_) word.erase(at(random.below(size)));
      if (which != 1 || size == least_) {
        word.insert(at(random.below(word.size() + 1)), any_symbol(random));
      }
    } else {
      substitute();
      substitute();
    }
    return word;
  }

  std::size_t most_, least_;  // symbols of a word
  std::size_t symbols_;
  std::size_t population_;
  std::vector<Evolved> survivors_;  // best first
  double best_ = -std::numeric_limits<double>::infinity();
  std::size_t idle_ = 0;  // generations without a better word
};

/// How clearly the network gives the wanted answer.
double fitness_of(Answer answer, double margin, Answer wanted, std::size_t answers) {
  if (std::isnan(margin)) return -std::numeric_limits<double>::infinity();
  if (answers > 2) return answer == wanted ? margin : -margin;
  return wanted == Answer::Accept ? margin : -margin;
}

/// The words that the network is most sure of come first.
AnsweredWords clearest_first(const AnsweredWords& words) {
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(words.margins[a]) > std::abs(words.margins[b]);
  });
  AnsweredWords sorted;
  for (const std::size_t i : order) {
    sorted.words.push_back(words.words[i]);
    sorted.answers.push_back(words.answers[i]);
  }
  return sorted;
}

/// Words with the wanted answer.
AnsweredWords evolve(StateTree& tree, Answer wanted, const RareWordOptions& options,
                     const Budget& budget) {
  Random random(options.seed);
  std::vector<Island> islands;
  for (std::size_t longest = 2 * kLengths; longest <= options.longest; longest += kLengths) {
    islands.emplace_back(longest, tree.symbol_count(), options.population);
  }
  std::set<Word> seen;
  AnsweredWords found;
  for (std::size_t i = 0; i < options.generations && found.size() < options.most; ++i) {
    std::vector<Word> words;
    for (const Island& island : islands) {
      std::vector<Word> brood = island.brood(random);
      std::move(brood.begin(), brood.end(), std::back_inserter(words));
    }
    const auto tried = answered(tree, std::move(words), budget, Margins::Wanted);
    if (!tried) break;
    for (std::size_t k = 0; k < islands.size(); ++k) {
      std::vector<Evolved> brood;
      for (std::size_t j = k * options.population; j < (k + 1) * options.population; ++j) {
        const Word& word = tried->words[j];
        const Answer answer = tried->answers[j];
        if (answer == wanted && seen.insert(word).second) {
          found.words.push_back(word);
          found.answers.push_back(answer);
          found.margins.push_back(tried->margins[j]);
        }
        brood.push_back({word, fitness_of(answer, tried->margins[j], wanted, tree.answer_count())});
      }
      islands[k].select(std::move(brood));
    }
  }
  return clearest_first(found);
}

/// The answers that hardly any uniform word of 6 to 24 symbols gets.
std::vector<Answer> answers_hardly_met(StateTree& tree, std::uint64_t seed, const Budget& budget) {
  constexpr std::size_t walks = 64, shortest = 6, longest = 24;
  Random random(seed);
  std::vector<Word> words;
  for (std::size_t i = 0; i < walks; ++i) {
    words.push_back(uniform_word(tree.symbol_count(), longest, random));
  }
  std::vector<std::size_t> met(tree.answer_count(), 0);
  std::size_t all = 0;
  const auto told = [&](std::size_t /*word*/, std::size_t length, Answer answer) {
    if (length < shortest || answer == Answer::None) return;
    ++met[index(answer)];
    ++all;
  };
  if (!tree.answers(words, budget, nullptr, told)) return {};
  const double most = kHardlyMet * 2 / static_cast<double>(met.size()) * static_cast<double>(all);
  std::vector<Answer> rare;
  for (std::size_t a = 0; a < met.size(); ++a) {
    if (static_cast<double>(met[a]) < most) rare.push_back(static_cast<Answer>(a));
  }
  return rare;
}

}  // namespace

void validate(const RareWordOptions& options) {
  if (options.population == 0) {
    throw OptionError("population: expected a number above 0, found 0");
  }
}

RareWords find_rare_words(StateTree& tree, const RareWordOptions& options, const Budget& budget) {
  validate(options);
  if (tree.symbol_count() < kManySymbols || options.generations == 0) return {};
  RareWords found{.rare = answers_hardly_met(tree, options.seed, budget)};
  for (const Answer wanted : found.rare) {
    RareWordOptions share = options;
    share.generations = (options.generations + found.rare.size() - 1) / found.rare.size();
    found.words.append(evolve(tree, wanted, share, budget));
  }
  return found;
}

}  // namespace rnnalf
