#include "rnnalf/oracle/edit_walk.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "rnnalf/base/random.hpp"

namespace rnnalf {
namespace {

// Edits begin at what the last ones found, so few are tried at once: half of them go on where a
// walk has come to, which finds deep nesting, half at any word found, which finds long words. Once
// the words are long, variety counts more than getting further, and batches are larger: one of few
// long words is expensive where a network is called from outside.
constexpr std::size_t kFewEdits = 16, kManyEdits = 96, kWalkers = 8;
constexpr std::size_t kShareOfFew = 4;  // one in four

/// Draws symbols, those that matter more often than those that do not: among 26 letters that change
/// nothing, two parentheses would hardly ever be drawn.
class SymbolChoice {
 public:
  explicit SymbolChoice(std::size_t symbols) : tries_(symbols, 1), changes_(symbols, 1) {}

  void tried(Symbol symbol, bool changed_the_answer) {
    ++tries_[index(symbol)];
    changes_[index(symbol)] += changed_the_answer ? 1 : 0;
  }
  [[nodiscard]] Symbol draw(Random& random) const {
    return static_cast<Symbol>(
        drawn(tries_.size(), random, [&](std::size_t a) { return weight(a); }));
  }
  /// A place in a word that is not empty.
  [[nodiscard]] std::size_t place(WordView word, Random& random) const {
    return drawn(word.size(), random, [&](std::size_t i) { return weight(index(word[i])); });
  }

 private:
  [[nodiscard]] double weight(std::size_t symbol) const {
    return changes_[symbol] / tries_[symbol];
  }
  /// One of 0 .. count-1, by weight.
  template <class Weight>
  static std::size_t drawn(std::size_t count, Random& random, Weight weight_of) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += weight_of(i);
    double at = random.unit() * sum;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      at -= weight_of(i);
      if (at < 0) return i;
    }
    return count - 1;
  }

  std::vector<double> tries_, changes_;
};

/// A word of the language changed a little: a part of another one put in, two symbols put around a
/// part, as parentheses are, a part repeated, as items of lists are, two symbols doubled, or simple
/// edits.
Word neighbour(const Word& word, const Word& other, const SymbolChoice& choice, Random& random) {
  Word result = word;
  const auto at = [&](std::size_t i) { return result.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::uint64_t kind = random.below(10);
  if (kind < 2 && !other.empty()) {
    const std::size_t from = choice.place(other, random);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(4, other.size() - from));
    result.insert(at(random.below(word.size() + 1)),
                  other.begin() + static_cast<std::ptrdiff_t>(from),
                  other.begin() + static_cast<std::ptrdiff_t>(from + count));
    return result;
  }
  if (kind < 5) {
    const std::size_t before = random.below(word.size() + 1);
    const std::size_t after = before + random.below(word.size() - before + 1);
    const Symbol closing = choice.draw(random);
    result.insert(at(after), closing);
    result.insert(at(before), choice.draw(random));
    return result;
  }
  if (kind == 5 && !word.empty()) {
    const std::size_t from = choice.place(word, random);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(4, word.size() - from));
    const Word factor(at(from), at(from + count));
    for (std::uint64_t times = 1 + random.below(3); times > 0; --times) {
      result.insert(at(from), factor.begin(), factor.end());
    }
    return result;
  }
  if (kind == 6 && !word.empty()) {
    // Two symbols doubled at once: nesting gets one deeper.
    const std::size_t one = choice.place(word, random);
    const std::size_t another = choice.place(word, random);
    const auto [first, second] = std::minmax(one, another);
    result.insert(at(second), word[second]);
    result.insert(at(first), word[first]);
    return result;
  }
  for (std::uint64_t edits = 1 + random.below(2); edits > 0; --edits) {
    const std::size_t place = random.below(result.size() + 1);
    const bool inside = place < result.size();
    switch (random.below(inside ? 3 : 1)) {
      case 0:
        result.insert(at(place), choice.draw(random));
        break;
      case 1:
        result.erase(at(place));
        break;
      default:
        result[place] = choice.draw(random);
    }
  }
  return result;
}

/// Words by their length, drawn so that every length that occurs is as likely: long words, of which
/// there are few at first, are gone on from as often as short ones.
class WordsByLength {
 public:
  void add(Word word) {
    if (by_length_.size() <= word.size()) by_length_.resize(word.size() + 1);
    std::vector<Word>& same = by_length_[word.size()];
    if (same.empty()) lengths_.push_back(word.size());
    same.push_back(std::move(word));
  }
  [[nodiscard]] const Word& draw(Random& random) const {
    const std::vector<Word>& same = by_length_[lengths_[random.below(lengths_.size())]];
    return same[random.below(same.size())];
  }

 private:
  std::vector<std::vector<Word>> by_length_;
  std::vector<std::size_t> lengths_;  // those that occur
};

/// How often each symbol, put somewhere into these words, changes the answer. False when the budget
/// ended.
bool probe_symbols(StateTree& tree, const WordsByLength& words, Answer wanted, SymbolChoice& choice,
                   Random& random, const Budget& budget) {
  constexpr std::size_t kPlaces = 8;
  std::vector<Word> probes;
  for (std::size_t i = 0; i < kPlaces * tree.symbol_count(); ++i) {
    Word word = words.draw(random);
    const auto place = static_cast<std::ptrdiff_t>(random.below(word.size() + 1));
    word.insert(word.begin() + place, static_cast<Symbol>(i / kPlaces));
    probes.push_back(std::move(word));
  }
  const auto answers = answered(tree, std::move(probes), budget);
  if (!answers) return false;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    choice.tried(static_cast<Symbol>(i / kPlaces), answers->answers[i] != wanted);
  }
  return true;
}

}  // namespace

std::optional<AnsweredWords> edit_walk(StateTree& tree, std::span<const Word> starts, Answer wanted,
                                       const EditWalkOptions& options, const Budget& budget) {
  AnsweredWords tried;
  if (starts.empty() || tree.symbol_count() == 0) return tried;
  Random random(options.seed);
  std::set<Word, ShortlexLess> seen(starts.begin(), starts.end());
  WordsByLength inside;
  std::vector<Word> walkers;
  for (std::size_t i = 0; i < kWalkers; ++i) walkers.push_back(starts[i % starts.size()]);
  for (const Word& start : starts) inside.add(start);
  SymbolChoice choice(tree.symbol_count());
  bool probed = false;
  for (std::size_t asked = 0, at_once = 0; asked < options.words; asked += at_once) {
    at_once = asked < options.words / kShareOfFew ? kFewEdits : kManyEdits;
    const std::size_t of_walkers = at_once / 2;
    if (!probed && asked >= options.words / 16) {
      probed = true;
      if (!probe_symbols(tree, inside, wanted, choice, random, budget)) return std::nullopt;
    }
    std::vector<Word> proposals;
    for (std::size_t i = 0; i < at_once; ++i) {
      const bool walks = i < of_walkers;
      const Word& from = walks ? walkers[i % kWalkers] : inside.draw(random);
      const Word& other = walks ? walkers[random.below(kWalkers)] : inside.draw(random);
      Word next = neighbour(from, other, choice, random);
      if (next.size() > options.max_length) next.resize(options.max_length);
      proposals.push_back(std::move(next));
    }
    const auto answers = answered(tree, std::move(proposals), budget);
    if (!answers) return std::nullopt;
    AnsweredWords fresh;
    for (std::size_t i = 0; i < answers->size(); ++i) {
      const Word& word = answers->words[i];
      const bool is_inside = answers->answers[i] == wanted;
      if (is_inside && i < of_walkers) walkers[i % kWalkers] = word;
      if (word.empty() || !seen.insert(word).second) continue;
      if (is_inside) inside.add(word);
      fresh.words.push_back(word);
      fresh.answers.push_back(answers->answers[i]);
    }
    tried.append(std::move(fresh));
  }
  return tried;
}

}  // namespace rnnalf
